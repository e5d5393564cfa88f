/** What the calls need of the session. The session is made of calls, so it is told to them and not imported. */
export type SessionPort = {
  token(): string | undefined
  /** The server wants the token replaced soon. */
  renew(): void
  /** The server no longer knows this token. */
  ended(token: string): void
  /** Whether the session is over and the person has not signed in again yet. */
  isLocked(): boolean
  /**
   * Waits while the person is asked to sign in again.
   * @param refused the token that the server refused; undefined for a call that was not sent yet
   * @returns whether the same person is signed in now: the call may be sent, or sent again
   * @throws what the signal was aborted with
   */
  signedInAgain(refused: string | undefined, signal: AbortSignal | undefined): Promise<boolean>
}

let port: SessionPort = {
  token: () => undefined,
  renew() {},
  ended() {},
  isLocked: () => false,
  signedInAgain: () => Promise.resolve(false),
}

export const session = (): SessionPort => port

export function connectSession(connected: SessionPort): void {
  port = connected
}
