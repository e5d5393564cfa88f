import type { Clock } from '../base/clock.ts'
import type { Events } from '../events/events.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import type { Shares } from '../shares/shares.ts'
import type { State } from '../state/state.ts'
import type { StoredUser } from '../state/state-data.ts'
import type { Accounts } from '../users/accounts.ts'
import { operatorName, operatorSource } from '../users/operator.ts'
import type { Sessions } from '../users/sessions.ts'
import type { Users } from '../users/users.ts'
import { CallRefusal } from './call-refusal.ts'

/** What the calls of the command line are made with: the services of administrators, for somebody who is none of them. */
export type OperatorServices = Readonly<{
  state: State
  accounts: Accounts
  sessions: Sessions
  shares: Shares
  events: Events
  clock: Clock
  /** Both see the state as it is when they are made. */
  users(): Promise<Users>
  settings(): Promise<ServerSettings>
  /** Whether something of the host is in a folder that is served. @throws StartupError when it is not known which one that is */
  isServed(path: string): boolean
}>

/** As whom events are told. */
export const asOperator = { by: { name: operatorName }, ...operatorSource }

/** @param name of a user, or the id where nobody has the name @throws CallRefusal */
export async function userCalled(state: Pick<State, 'userNamed' | 'userById'>, name: string): Promise<StoredUser> {
  const named = await state.userNamed(name)
  const user = named ?? (/^\d{1,15}$/.test(name) ? await state.userById(Number(name)) : undefined)
  if (user === undefined) throw new CallRefusal(`there is no user ${JSON.stringify(name)}`)
  return user
}
