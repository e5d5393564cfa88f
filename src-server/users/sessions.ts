import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { endOf, extended } from '../state/session-commands.ts'
import type { State } from '../state/state.ts'
import type { StoredSession, StoredUser } from '../state/state-data.ts'
import type { PersonView } from '../state/views.ts'

/** Seconds between two writes of a session's last use, failed ones included. */
const useInterval = 600

type SessionParts = {
  state: State
  clock: Clock
  /** Seconds for which a token is valid. A session ends with its last token. */
  lifetime: number
}

/** Where a session was begun, and with which client. */
export type Client = Pick<StoredSession, 'address' | 'agent'>

/** The sessions in the state. A token only names a session; who is signed in is read from here. */
export class Sessions {
  readonly #state: State
  readonly #clock: Clock
  readonly #lifetime: number
  /** Session id → seconds since the epoch at which a write of its last use began: a page sends many requests at once. */
  readonly #triedAt = new Map<string, number>()

  constructor({ state, clock, lifetime }: SessionParts) {
    this.#state = state
    this.#clock = clock
    this.#lifetime = lifetime
  }

  /**
   * Starts a session; durable when it resolves. Also removes expired sessions and, when the user has too many, the least
   * recently used.
   * @param user as authenticated
   * @param from what the owner sees of the client in the list of sessions
   * @throws Failure('forbidden') when the user was removed or got another password since then
   */
  start(user: StoredUser, from: Client = {}): Promise<StoredSession> {
    const now = this.#now()
    const id = randomBytes(16).toString('base64url')
    const session = extended({ id, userId: user.id, createdAt: now, usedAt: now, ...from }, this.#lifetime, now)
    return this.#state.run('startSession', { session, passwordHash: user.password, now })
  }

  /** Extends a session for new tokens; durable when it resolves. @throws Failure('unauthorized') when it has ended */
  renew(id: string): Promise<StoredSession> {
    return this.#state.run('renewSession', { id, lifetime: this.#lifetime, now: this.#now() })
  }

  /** @returns undefined when there is no such session, it was ended, or it has expired */
  async view(sid: string): Promise<PersonView | undefined> {
    const view = await this.#state.session(sid)
    return view && endOf(view.session) > this.#now() ? view : undefined
  }

  /** The sessions of a user that have not ended, the last used first. */
  async of(userId: number): Promise<StoredSession[]> {
    const sessions = await this.#state.sessionsOf(userId)
    const now = this.#now()
    return sessions
      .filter((session) => endOf(session) > now)
      .sort((one, other) => other.usedAt - one.usedAt || other.createdAt - one.createdAt)
  }

  /** Records that a session is in use. Written at most every ten minutes, also after a failed write. */
  async touch({ id, usedAt }: StoredSession): Promise<void> {
    const now = this.#now()
    if (now - Math.max(usedAt, this.#triedAt.get(id) ?? 0) < useInterval) return
    this.#forgetOldTries(now)
    this.#triedAt.set(id, now)
    await this.#state.run('touchSession', { id, now })
  }

  /** Records that its person has just given the right password. */
  prove(id: string): Promise<void> {
    return this.#state.run('proveSession', { id, now: this.#now() })
  }

  /** Ends a session; durable when it resolves. @param userId whose it must be */
  end(id: string, userId?: number): Promise<void> {
    return this.#state.run('endSession', { id, ...(userId !== undefined && { userId }) })
  }

  #forgetOldTries(now: number) {
    for (const [sid, at] of this.#triedAt) if (now - at >= useInterval) this.#triedAt.delete(sid)
  }

  #now() {
    return Math.floor(this.#clock.now() / 1000)
  }
}
