/** What the calls need of the session. The session is made of calls, so it is told to them and not imported. */
export type SessionPort = {
  token(): string | undefined
  /** The server wants the token replaced soon. */
  renew(): void
  /** The server no longer knows this token. */
  ended(token: string): void
}

let port: SessionPort = { token: () => undefined, renew() {}, ended() {} }

export const session = (): SessionPort => port

export function connectSession(connected: SessionPort): void {
  port = connected
}
