import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { State } from '../state/state.ts'
import type { StateData, StoredSession, StoredUser } from '../state/state-data.ts'

/** Seconds from the sign-in to the end of a session. */
export const sessionLife = 30 * 24 * 3600

/** Seconds between two writings of a session's last use. */
const useInterval = 600

/** The sessions in the state: what a token names and what alone is trusted. */
export class Sessions {
  readonly #state: State
  readonly #clock: Clock
  /** Sessions whose last use is being written: a page that loads asks many times at once. */
  readonly #touching = new Set<string>()
  #index: { of: Readonly<StateData>; byId: Map<string, StoredSession> } | undefined

  constructor(state: State, clock: Clock) {
    this.#state = state
    this.#clock = clock
  }

  /**
   * Durable when it resolves; sessions that are over leave the state with it.
   * @param user as the caller proved him: whoever was removed or got another password meanwhile starts no session
   * @throws Failure('forbidden')
   */
  start(user: StoredUser): Promise<StoredSession> {
    const now = this.#now()
    const session = { id: randomBytes(16).toString('base64url'), userId: user.id, createdAt: now, usedAt: now }
    return this.#state.change('session', (draft) => {
      const isAsProven = draft.users.some((other) => other.id === user.id && other.password === user.password)
      if (!isAsProven) throw new Failure('forbidden')
      draft.sessions = draft.sessions.filter((other) => endOf(other) > now)
      draft.sessions.push(session)
      return session
    })
  }

  /** @returns undefined when it never was, was ended, or is over */
  find(sid: string): StoredSession | undefined {
    const session = this.#byId().get(sid)
    return session !== undefined && endOf(session) > this.#now() ? session : undefined
  }

  /** Notes that a session is in use; written at most every ten minutes. */
  async touch(sid: string): Promise<void> {
    const session = this.find(sid)
    const now = this.#now()
    if (session === undefined || now - session.usedAt < useInterval || this.#touching.has(sid)) return
    this.#touching.add(sid)
    try {
      await this.#state.change('session', (draft) => {
        const stored = draft.sessions.find((other) => other.id === sid)
        if (stored !== undefined) stored.usedAt = now
      })
    } finally {
      this.#touching.delete(sid)
    }
  }

  end(sid: string): Promise<void> {
    return this.#state.change('session', (draft) => {
      draft.sessions = draft.sessions.filter((session) => session.id !== sid)
    })
  }

  /** @param except the one session that stays: that of the person who asks */
  endAll(userId: number, except?: string): Promise<void> {
    return this.#state.change('session', (draft) => endSessions(draft, userId, except))
  }

  #byId(): Map<string, StoredSession> {
    const data = this.#state.data
    if (this.#index?.of !== data) {
      this.#index = { of: data, byId: new Map(data.sessions.map((session) => [session.id, session])) }
    }
    return this.#index.byId
  }

  #now() {
    return Math.floor(this.#clock.now() / 1000)
  }
}

/** Seconds since the epoch at which a session is over whatever happens. */
export function endOf(session: StoredSession): number {
  return session.createdAt + sessionLife
}

/** Ends a user's sessions as part of a larger change. */
export function endSessions(draft: StateData, userId: number, except?: string) {
  draft.sessions = draft.sessions.filter((session) => session.userId !== userId || session.id === except)
}
