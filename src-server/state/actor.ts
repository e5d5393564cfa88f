import { Failure } from '../base/failure.ts'
import type { StateData, StoredUser } from './state-data.ts'

/** Who gives a command. Rights are asked when it is applied, because they may have changed while it waited. */
export type By = Readonly<{ userId: number; sessionId: string }>

/** The person who gives a command. @throws Failure('unauthorized') when the session has ended meanwhile */
export function actorOf({ users, sessions }: Pick<StateData, 'users' | 'sessions'>, { userId, sessionId }: By): StoredUser {
  const hasSession = sessions.some(({ id, userId: owner }) => id === sessionId && owner === userId)
  const user = hasSession ? users.find(({ id }) => id === userId) : undefined
  if (!user) throw new Failure('unauthorized')
  return user
}

/** @param by nobody: the server itself, which may do everything @throws Failure('unauthorized' | 'forbidden') */
export function checkAdministrator(data: Pick<StateData, 'users' | 'sessions'>, by: By | undefined): void {
  if (by !== undefined && !actorOf(data, by).perm.admin) throw new Failure('forbidden')
}
