import { randomInt } from 'node:crypto'
import { allPermissions } from '../access/permissions.ts'
import { StartupError } from '../base/startup-error.ts'
import type { State } from '../state/state.ts'
import type { Accounts } from './accounts.ts'
import { validationError } from './password-rules.ts'

/** A password chosen by the operator, and the option that it was given with. */
export type GivenPassword = Readonly<{ password: string; option: string }>

/** What to print for the operator: a random password on a terminal, else the file that holds it, or the option used. */
export type FirstAdministrator = Readonly<{ username: string } & ({ password: string } | { file: string } | { option: string })>

type FirstParts = {
  accounts: Accounts
  state: Pick<State, 'userCount' | 'firstPassword'>
  /** Called only while there are no users. */
  given: () => GivenPassword | undefined
  /** Whether the output is a terminal. */
  isTerminal: boolean
}

const username = 'admin'

/**
 * Makes the user `admin` when there are no users.
 * @returns undefined when there are users already
 * @throws StartupError when the chosen password cannot be used
 */
export async function ensureAdministrator(parts: FirstParts): Promise<FirstAdministrator | undefined> {
  const { accounts, state, given, isTerminal } = parts
  if ((await state.userCount()) > 0) return undefined
  const chosen = given()
  if (chosen !== undefined) return createWith(accounts, chosen)
  const password = randomPassword()
  // Stored before the user is made: a crash in between must not leave an administrator with an unknown password.
  if (!isTerminal) await state.firstPassword.keep(password)
  await accounts.create({ username, password, perm: allPermissions })
  return isTerminal ? { username, password } : { username, file: state.firstPassword.path }
}

async function createWith(accounts: Accounts, { password, option }: GivenPassword): Promise<FirstAdministrator> {
  const problem = validationError(password)
  if (problem !== undefined) throw new StartupError(`${option} cannot be used: ${problem}.`)
  await accounts.create({ username, password, perm: allPermissions })
  return { username, option }
}

/** Without 0, O, 1, l and I, which people confuse when they type a password from a screen. */
const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 20 characters of 57: 116 bits. */
export function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
