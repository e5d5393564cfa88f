import { allOf } from '../state/views.ts'
import { CallRefusal } from './call-refusal.ts'
import { asOperator, type OperatorServices, userCalled } from './operator-services.ts'

/** Times are in seconds since the epoch. */
export type ShownSession = Readonly<{
  id: string
  username: string
  createdAt: number
  usedAt: number
  address: string
  agent: string
}>

export const sessionCalls = {
  /** Of one user or of all, the last used first. */
  'sessions.list': async (services: OperatorServices, { user }: { user?: string }): Promise<ShownSession[]> => {
    const sessions = (await usersOf(services, user)).map(async ({ id: userId, username }) =>
      (await services.sessions.of(userId)).map(({ id, createdAt, usedAt, address = '', agent = '' }) => ({
        ...{ id, username, createdAt, usedAt, address, agent },
      })),
    )
    return (await Promise.all(sessions)).flat().sort((one, other) => other.usedAt - one.usedAt)
  },

  /** Ends one session, those of one user, or without either those of everybody. */
  'sessions.end': async (
    services: OperatorServices,
    { id, user }: { id?: string; user?: string },
  ): Promise<{ ended: number }> => {
    const { sessions, accounts, events } = services
    let ended = 0
    for (const { id: userId, username } of await usersOf(services, user)) {
      const all = await sessions.of(userId)
      const ending = id === undefined ? all : all.filter((session) => session.id === id)
      ended += ending.length
      // Without an id also what goes on without a session ends.
      const work = () => (id === undefined ? accounts.signOutEverywhere(userId) : sessions.end(id, userId))
      const event = { kind: 'user', act: 'change', user: username, fields: ['sessions'], ...asOperator } as const
      if (ending.length > 0 || id === undefined) await events.around(event, work)
    }
    if (id !== undefined && ended === 0) throw new CallRefusal(`there is no session ${JSON.stringify(id)}`)
    return { ended }
  },
}

async function usersOf({ state }: OperatorServices, user: string | undefined) {
  return user === undefined ? allOf((after: number | undefined) => state.users({ after })) : [await userCalled(state, user)]
}
