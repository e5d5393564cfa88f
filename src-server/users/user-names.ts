// The names of new users. Names of before stay as they are, and their owners go on signing in with them.
import { Failure, refusedField } from '../base/failure.ts'
import { foldedUsername } from '../base/folded-name.ts'

/** UTF-8 bytes. Every token contains the name. */
const longestName = 255

/**
 * Checks a new name, which is stored as it is: no case folding, no Unicode normalization. That nobody else has it in another
 * spelling is checked where it is stored.
 * @throws Failure('invalid')
 */
export function checkUsername(username: string) {
  if (!username.isWellFormed()) throw new Failure('invalid', 'a name must be well-formed Unicode', { about })
  if (foldedUsername(username) === '') throw new Failure('invalid', 'a user needs a name', { about })
  if (spaceAround.test(username)) throw refusal('must have no space around it')
  if (Buffer.byteLength(username) > longestName) throw new Failure('invalid', 'a name is at most 255 bytes long', { about })
}

/**
 * What strangers may not name themselves: something that looks like another name, or that leads elsewhere as a part of a path in a
 * command of an event.
 * @throws Failure('invalid')
 */
export function checkPublicName(username: string) {
  if (/\p{C}|\p{Default_Ignorable_Code_Point}/u.test(username)) throw refusal('must have no invisible character')
  if (/[/\\]/.test(username)) throw refusal('must have no slash and no backslash')
  if (/^\.{1,2}$/.test(username)) throw refusal('must have more than dots')
  if (!hasUsualScripts(username.normalize('NFC'))) throw refusal('must have letters of one script')
}

const about = { field: 'username' }
const refusal = (what: string) => refusedField('username', what)

const spaceAround = /^[\p{White_Space}\ufeff]|[\p{White_Space}\ufeff]$/u

/** The recommended scripts of UAX 31, table 5, apart from Latin and those that are written together with it. */
const scripts = [
  ...['Arab', 'Armn', 'Beng', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hebr', 'Khmr', 'Knda', 'Laoo'],
  ...['Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu', 'Thaa', 'Thai', 'Tibt'],
]

/** Scripts that one name may mix: the level "highly restrictive" of UTS 39, 5.2, by the script extensions of each character. */
const mixes = [
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
  ...scripts.map((script) => [script]),
]

/** One for each of the mixes, made at their first use: a start needs none. */
let patterns: readonly RegExp[] | undefined

function hasUsualScripts(text: string): boolean {
  patterns ??= mixes.map(
    (mix) => new RegExp(`^[${['Zyyy', 'Zinh', ...mix].map((script) => `\\p{scx=${script}}`).join('')}]*$`, 'u'),
  )
  return patterns.some((pattern) => pattern.test(text))
}
