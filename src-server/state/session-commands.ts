import { Failure } from '../base/failure.ts'
import type { StateDraft, StoredSession, StoredUser } from './state-data.ts'

/** Seconds from the sign-in to the end of a session, which renewals do not extend further. */
export const sessionLife = 30 * 24 * 3600

/** Sessions of one user: a script that signs in for each call must not fill the state. */
const mostOfOneUser = 200

/** Times are in seconds since the epoch. */
export const sessionCommands = {
  /**
   * Starts a session. Also removes expired sessions and, when the user has too many, the least recently used.
   * @param input.passwordHash of the user as authenticated
   * @throws Failure('forbidden') when the user was removed or got another password since then
   */
  startSession(draft: StateDraft, input: { session: StoredSession; passwordHash: string; now: number }): StoredSession {
    const { session, passwordHash, now } = input
    const isUnchanged = draft.users.some((user) => user.id === session.userId && user.password === passwordHash)
    if (!isUnchanged) throw new Failure('forbidden')
    const living = draft.sessions.filter((other) => endOf(other) > now)
    draft.sessions = [...withRoomFor(session.userId, living), session]
    return session
  },

  /** Extends a session for new tokens. @param input.lifetime seconds @throws Failure('unauthorized') when it has ended */
  renewSession(draft: StateDraft, { id, lifetime, now }: { id: string; lifetime: number; now: number }): StoredSession {
    const session = draft.sessions.find((other) => other.id === id)
    if (session === undefined || endOf(session) <= now) throw new Failure('unauthorized')
    return replace(draft, extended(session, lifetime, now))
  },

  /** Records that a session is in use. */
  touchSession(draft: StateDraft, { id, now }: { id: string; now: number }): void {
    const session = draft.sessions.find((other) => other.id === id)
    if (session !== undefined) replace(draft, { ...session, usedAt: Math.max(session.usedAt, now) })
  },

  /** Records that its person has just given the right password. */
  proveSession(draft: StateDraft, { id, now }: { id: string; now: number }): void {
    const session = draft.sessions.find((other) => other.id === id)
    if (session !== undefined) replace(draft, { ...session, provenAt: now })
  },

  /** @param input.userId whose session it must be, unless the server itself ends it */
  endSession(draft: StateDraft, { id, userId }: { id: string; userId?: number }): void {
    const isIt = (session: StoredSession) => session.id === id && (userId === undefined || session.userId === userId)
    if (draft.sessions.some(isIt)) draft.sessions = draft.sessions.filter((session) => !isIt(session))
  },

  /** Ends all sessions of a user but `keep`, and what goes on without one. @throws Failure('notFound') */
  endSessions(draft: StateDraft, { userId, keep }: { userId: number; keep?: string | undefined }): void {
    const user = draft.users.find(({ id }) => id === userId)
    if (user === undefined) throw new Failure('notFound')
    const later = { ...user, accessEpoch: nextEpoch(user) }
    draft.users = draft.users.map((other) => (other === user ? later : other))
    endSessionsOf(draft, userId, keep)
  },
}

/** Seconds since the epoch at which a session expires. */
export function endOf({ createdAt, expiresAt = Number.POSITIVE_INFINITY }: StoredSession): number {
  return Math.min(createdAt + sessionLife, expiresAt)
}

/** With it, what was begun before no longer belongs to the person's access. */
export function nextEpoch({ accessEpoch = 0 }: StoredUser): number {
  return accessEpoch + 1
}

/** The session with the end of a token that is made now. */
export function extended(session: StoredSession, lifetime: number, now: number): StoredSession {
  return { ...session, usedAt: now, expiresAt: Math.min(now + lifetime, session.createdAt + sessionLife) }
}

/** Ends a user's sessions as part of a larger change. @param except the id of the caller's session, which stays */
export function endSessionsOf(draft: StateDraft, userId: number, except?: string): void {
  draft.sessions = draft.sessions.filter((session) => session.userId !== userId || session.id === except)
}

function replace(draft: StateDraft, session: StoredSession): StoredSession {
  draft.sessions = draft.sessions.map((other) => (other.id === session.id ? session : other))
  return session
}

function withRoomFor(userId: number, sessions: readonly StoredSession[]): readonly StoredSession[] {
  const own = sessions.filter((session) => session.userId === userId)
  if (own.length < mostOfOneUser) return sessions
  const leaving = new Set(own.toSorted((one, other) => one.usedAt - other.usedAt).slice(0, own.length - mostOfOneUser + 1))
  return sessions.filter((session) => !leaving.has(session))
}
