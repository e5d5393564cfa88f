// `holdall --reset-password NAME`: for an operator who can stop the server, and whose users have forgotten a password.
import { existsSync } from 'node:fs'
import { systemClock } from './base/clock.ts'
import { StartupError } from './base/startup-error.ts'
import { unpackNativesTemporarily } from './options/native-folder.ts'
import type { Options } from './options/options.ts'
import { State } from './state/state.ts'
import { Accounts } from './users/accounts.ts'
import { randomPassword } from './users/first-administrator.ts'
import { Passwords } from './users/passwords.ts'

type ResetRequest = Readonly<{ options: Pick<Options, 'database'>; username: string }>

/** @param isTerminal whether what is said is seen at once, and not logged */
type Output = Readonly<{ say(line: string): void; isTerminal: boolean }>

/**
 * Gives a person a new random password, which ends the person's sessions. It is shown on a terminal, else written to a file.
 * @throws StartupError without a state or without the person, and while a server runs
 */
export async function resetPassword({ options, username }: ResetRequest, { say, isTerminal }: Output): Promise<void> {
  const { database } = options
  if (!existsSync(database)) throw new StartupError(`There is no state file ${database}: name it with --database.`)
  const removeNatives = unpackNativesTemporarily()
  try {
    const state = await State.open({ file: database, clock: systemClock })
    await changeIn(state, { options, username }, { say, isTerminal }).finally(() => state.close())
  } finally {
    removeNatives()
  }
}

async function changeIn(state: State, { options, username }: ResetRequest, { say, isTerminal }: Output): Promise<void> {
  const accounts = new Accounts({ state, passwords: new Passwords(), clock: systemClock })
  const user = await state.userNamed(username)
  if (user === undefined) throw new StartupError(`There is no user ${JSON.stringify(username)} in ${options.database}.`)
  const password = randomPassword()
  await accounts.changePassword(user.id, password)
  if (isTerminal) return say(`The new password of ${username} is ${password} (it is shown only this once).`)
  const file = state.passwordFileOf(user.id)
  await file.keep(password)
  say(`The new password of ${username} is in ${file.path} until it is changed.`)
}
