/** The minimum length of a password, as the server asks for it, in code points. */
export const shortestPassword = 12

export type Strength = {
  /** From 1, refused or easily guessed, to 4; 0 for no password. */
  score: 0 | 1 | 2 | 3 | 4
  /** What is wrong, or how long it is. */
  why: 'empty' | 'short' | 'name' | 'same' | 'length'
}

/** Estimates how hard a password is to guess. It is a hint: the server alone decides what it takes. */
export function strengthOf(password: string, username: string): Strength {
  const characters = [...password]
  if (characters.length === 0) return { score: 0, why: 'empty' }
  if (characters.length < shortestPassword) return { score: 1, why: 'short' }
  if (username.length > 2 && fold(password).includes(fold(username))) return { score: 1, why: 'name' }
  const surprising = characters.filter((character, index) => !follows(characters[index - 1], character))
  if (new Set(surprising).size < 5) return { score: 1, why: 'same' }
  const bits = surprising.length * Math.log2(alphabetOf(password))
  return { score: bits < 60 ? 2 : bits < 90 ? 3 : 4, why: 'length' }
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

/** The same character again, or the next one in a row such as abc or 321. */
function follows(before: string | undefined, character: string): boolean {
  return before !== undefined && Math.abs((before.codePointAt(0) ?? 0) - (character.codePointAt(0) ?? 0)) <= 1
}

const kinds: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 12],
  [/\p{Lo}/u, 200],
]

const alphabetOf = (password: string): number => kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)

/** A new password that can be read out: syllables and digits, about 75 bits. */
export function generatePassword(): string {
  const pick = (letters: string) => letters[randomBelow(letters.length)]
  const syllables = () => ['c', 'v', 'c', 'v', 'c'].map((kind) => pick(kind === 'c' ? 'bdfghjklmnprstvwz' : 'aeiou')).join('')
  return [syllables(), syllables(), `${randomBelow(90) + 10}`, syllables(), syllables()].join('-')
}

/** A whole number below `limit`, each as likely as the others. @param limit up to 256 */
function randomBelow(limit: number): number {
  const usable = 256 - (256 % limit)
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < usable) return byte % limit
  }
}
