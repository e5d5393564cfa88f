/** What calls need from the session. It is injected, because the session imports the calls. */
export type SessionPort = {
  token(): string | undefined
  /** The server asked for the token to be renewed. */
  renew(): void
  /** The server no longer knows this token. */
  ended(token: string): void
}

let port: SessionPort = { token: () => undefined, renew() {}, ended() {} }

/** The connected session; before that, one without a token. */
export const session = (): SessionPort => port

/** Sets the session that calls use. */
export function connectSession(connected: SessionPort): void {
  port = connected
}
