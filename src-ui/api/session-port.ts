/** What calls need from the session. It is injected, because the session imports the calls. */
export type SessionPort = {
  token(): string | undefined
  /** The server asked for the token to be renewed. */
  renew(): void
  /** The server no longer knows this token. */
  ended(token: string): void
  /** Whether the session is over and the person has not signed in again yet. */
  isLocked(): boolean
  /**
   * Waits while the person is asked to sign in again.
   * @returns whether the same person is signed in now: the call may be sent, or sent again
   * @throws what the signal was aborted with
   */
  signedInAgain(call: WaitingCall): Promise<boolean>
}

/** A call that waits for the sign-in. */
export type WaitingCall = {
  /** The token that the server refused; undefined for a call that was not sent yet. */
  refused?: string
  signal?: AbortSignal | undefined
  /** It does not ask for the sign-in, which the person may have postponed. */
  isBackground?: boolean | undefined
}

let port: SessionPort = {
  token: () => undefined,
  renew() {},
  ended() {},
  isLocked: () => false,
  signedInAgain: () => Promise.resolve(false),
}

/** The connected session; before that, one without a token. */
export const session = (): SessionPort => port

/** Sets the session that calls use. */
export function connectSession(connected: SessionPort): void {
  port = connected
}
