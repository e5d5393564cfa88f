import { randomInt } from 'node:crypto'
import { allPermissions } from '../access/permissions.ts'
import { isBcrypt } from '../base/bcrypt-text.ts'
import { Failure } from '../base/failure.ts'
import { StartupError } from '../base/startup-error.ts'
import type { State } from '../state/state.ts'
import type { Accounts } from './accounts.ts'
import { bcryptEngine } from './bcrypt.ts'
import { validationError } from './password-rules.ts'

/** A password chosen by the operator, or a hash of bcrypt as File Browser takes it, and the option that it was given with. */
export type GivenPassword = Readonly<{ option: string } & ({ password: string } | { hash: string })>

/** What to print for the operator: a random password on a terminal, else the file that holds it, or the option used. */
export type FirstAdministrator = Readonly<{ username: string } & ({ password: string } | { file: string } | { option: string })>

type FirstParts = {
  accounts: Accounts
  state: Pick<State, 'userCount' | 'firstPassword'>
  /** Called only while there are no users. */
  given: () => GivenPassword | undefined
  /** The name chosen by the operator, and the option that it was given with. */
  name?: Readonly<{ value: string; from: string }> | undefined
  /** Whether the output is a terminal. */
  isTerminal: boolean
}

const usualName = 'admin'

/**
 * Makes the user `admin`, unless another name is chosen, when there are no users.
 * @returns undefined when there are users already
 * @throws StartupError when the chosen password or name cannot be used
 */
export async function ensureAdministrator(parts: FirstParts): Promise<FirstAdministrator | undefined> {
  const { state, given, name } = parts
  if ((await state.userCount()) > 0) return undefined
  const username = name?.value ?? usualName
  try {
    const chosen = given()
    return chosen === undefined ? await createRandom(parts, username) : await createWith(parts.accounts, username, chosen)
  } catch (cause) {
    if (!(cause instanceof Failure) || name === undefined || cause.code !== 'invalid') throw cause
    throw new StartupError(`${name.from} cannot be used: ${cause.message.replace('{{field}}', 'it')}.`, { cause })
  }
}

async function createRandom({ accounts, state, isTerminal }: FirstParts, username: string): Promise<FirstAdministrator> {
  const password = randomPassword()
  // Stored before the user is made: a crash in between must not leave an administrator with an unknown password.
  if (!isTerminal) await state.firstPassword.keep(password)
  await accounts.create({ username, password, perm: allPermissions })
  return isTerminal ? { username, password } : { username, file: state.firstPassword.path }
}

async function createWith(accounts: Accounts, username: string, given: GivenPassword): Promise<FirstAdministrator> {
  const problem = await problemOf(given)
  if (problem !== undefined) throw new StartupError(`${given.option} cannot be used: ${problem}.`)
  const user = { username, perm: allPermissions }
  await ('hash' in given ? accounts.bring(user, given.hash) : accounts.create({ ...user, password: given.password }))
  return { username, option: given.option }
}

/** Never with the text itself: it may be a password. */
async function problemOf(given: GivenPassword): Promise<string | undefined> {
  if ('password' in given) return validationError(given.password)
  if (!isBcrypt(given.hash))
    return 'it takes a hash of bcrypt of a cost from 4 to 14, as filebrowser hash prints it; a password itself is given by HOLDALL_ADMIN_PASSWORD or --admin-password-file'
  if (await bcryptEngine.verify(usualName, given.hash))
    return `it is the hash of "${usualName}", which is tried first by whoever finds the server`
  return undefined
}

/** Without 0, O, 1, l and I, which people confuse when they type a password from a screen. */
const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 20 characters of 57: 116 bits. */
export function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
