import { randomInt } from 'node:crypto'
import { allPermissions } from '../access/permissions.ts'
import { StartupError } from '../base/startup-error.ts'
import type { FirstPasswordFile } from '../state/first-password-file.ts'
import type { Accounts } from './accounts.ts'
import { validationError } from './password-rules.ts'

/** A password that the person who starts the server chose, and the option that said it. */
export type GivenPassword = Readonly<{ password: string; option: string }>

/** What to tell that person: the password itself on a terminal, else the file that holds it; nothing when he chose it. */
export type FirstAdministrator = Readonly<{ username: string } & ({ password: string } | { file: string } | { option: string })>

type FirstParts = {
  accounts: Accounts
  firstPassword: FirstPasswordFile
  /** Asked only when it counts: while there are no users. */
  given: () => GivenPassword | undefined
  /** Whether somebody sees what the server prints. */
  isTerminal: boolean
}

const username = 'admin'

/**
 * Makes `admin` when there is no user at all.
 * @returns undefined when there are users already
 * @throws StartupError when the given password will not do
 */
export async function ensureAdministrator(parts: FirstParts): Promise<FirstAdministrator | undefined> {
  const { accounts, firstPassword, given, isTerminal } = parts
  if (accounts.all().length > 0) return undefined
  const chosen = given()
  if (chosen !== undefined) return createWith(accounts, chosen)
  const password = randomPassword()
  // Before the user is made: a crash between the two must not leave an administrator whose password nobody knows.
  if (!isTerminal) await firstPassword.keep(password)
  await accounts.create({ username, password, perm: allPermissions })
  return isTerminal ? { username, password } : { username, file: firstPassword.path }
}

async function createWith(accounts: Accounts, { password, option }: GivenPassword): Promise<FirstAdministrator> {
  const problem = validationError(password)
  if (problem !== undefined) throw new StartupError(`${option} will not do: ${problem}.`)
  await accounts.create({ username, password, perm: allPermissions })
  return { username, option }
}

/** Without 0, O, 1, l and I: a person types it from a screen. */
const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 20 characters of 57: 116 bits. */
function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
