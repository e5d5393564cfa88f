import type { Session } from '../contract/session.ts'
import type { Events, Source } from '../events/events.ts'
import type { Accounts } from './accounts.ts'
import type { Sessions } from './sessions.ts'
import type { Identity } from './sign-in.ts'

type OwnSessionsParts = Readonly<{
  accounts: Pick<Accounts, 'signOutEverywhere'>
  sessions: Pick<Sessions, 'of' | 'end'>
  events: Events
  me: Pick<Identity, 'user' | 'session'>
  source: Source
}>

/** The sessions of the person who is signed in. */
export class OwnSessions {
  readonly #parts: OwnSessionsParts

  constructor(parts: OwnSessionsParts) {
    this.#parts = parts
  }

  /** The last used first. */
  async list(): Promise<Session[]> {
    const { sessions, me } = this.#parts
    return (await sessions.of(me.user.id)).map(({ id, createdAt, usedAt, address = '', agent = '' }) => ({
      ...{ id, createdAt, usedAt, address, agent },
      isCurrent: id === me.session.id,
    }))
  }

  /** Ends one of them. One that has ended, or belongs to somebody else, is left alone without a word. */
  async end(id: string): Promise<void> {
    const { sessions, me } = this.#parts
    if ((await sessions.of(me.user.id)).some((session) => session.id === id))
      await this.#around(() => sessions.end(id, me.user.id))
  }

  /** Ends all but the one of this request. */
  endOthers(): Promise<void> {
    const { accounts, me } = this.#parts
    return this.#around(() => accounts.signOutEverywhere(me.user.id, me.session.id))
  }

  #around(work: () => Promise<void>): Promise<void> {
    const { events, me, source } = this.#parts
    return events.around({ kind: 'signOut', by: { id: me.user.id, name: me.user.username }, ...source }, work)
  }
}
