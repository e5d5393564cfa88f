import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Events } from '../events/events.ts'
import type { StoredSession, StoredUser } from '../state/state-data.ts'
import type { Accounts } from './accounts.ts'
import type { Attempts } from './attempts.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import type { TokenClaims, Tokens } from './tokens.ts'

export type SignedIn = Readonly<{
  token: string
  cookie: string
  /** Seconds for which both are good. */
  maxAge: number
}>

export type Identity = Readonly<{
  user: StoredUser
  session: StoredSession
  /** Whether the answer should carry `X-Renew-Token`. */
  renewSoon: boolean
}>

export type Credentials = Readonly<{
  username: string
  password: string
  /** The peer's IP address; '' for a unix socket. */
  address: string
}>

/** From which address a sign-in comes, and who the request's own token says it is. */
type Arrival = { address?: string; caller?: Identity | undefined }

type SignInParts = {
  accounts: Accounts
  sessions: Sessions
  passwords: Passwords
  tokens: Tokens
  attempts: Attempts
  clock: Clock
  events: Events
  /** Told when a session's last use could not be written. */
  report(error: unknown): void
}

/** Seconds before its end at which a long-lived token is worth renewing. */
const renewalSpan = 3600

/** Sign-in, renewal and sign-out: from a name to a session, and from a token to its user. Sign-ins and sign-outs are events. */
export class SignIn {
  readonly #parts: SignInParts

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  /** @throws Failure('forbidden') for a wrong name or password alike, Failure('tooMany' | 'busy') with `retryAfter` */
  login({ username, password, address }: Credentials): Promise<SignedIn> {
    return this.#start({ name: username, address }, async () => {
      const { accounts, passwords, attempts } = this.#parts
      await attempts.check(username, address)
      const user = accounts.byName(username)
      // An unknown name costs the same hash, so that time does not tell whether it exists.
      const isRight = await passwords.verify(password, user?.password)
      if (!isRight || user === undefined) {
        attempts.failed(username, address)
        throw new Failure('forbidden')
      }
      attempts.succeeded(username, address)
      return user
    })
  }

  /**
   * @param name what the trusted proxy's header says
   * @param caller whose session is renewed, when it is the same user's
   * @throws Failure('forbidden') for an unknown user: none is made
   */
  async loginByProxy(name: string, { address = '', caller }: Arrival = {}): Promise<SignedIn> {
    return this.#renewOrStart({ name, address, caller }, this.#parts.accounts.byName(name))
  }

  /** As the first administrator. @param caller as for a proxy @throws Failure('forbidden') when there is none */
  async loginWithoutAuth({ address = '', caller }: Arrival = {}): Promise<SignedIn> {
    return this.#renewOrStart({ name: '', address, caller }, this.#parts.accounts.firstAdministrator())
  }

  /** @returns undefined when the token is missing, not ours, or names a session or a user that is no more */
  identify(token: string | undefined): Identity | undefined {
    const { tokens, sessions, accounts, report } = this.#parts
    const claims = token === undefined ? undefined : tokens.read(token)
    const session = claims && sessions.find(claims.sid)
    const user = session && accounts.byId(session.userId)
    if (claims === undefined || session === undefined || user === undefined) return undefined
    sessions.touch(session.id).catch(report)
    return { user, session, renewSoon: this.#renewSoon(claims, user) }
  }

  /** New tokens for the same session, whose end they move. @throws Failure('unauthorized') when it has ended meanwhile */
  async renew(identity: Identity): Promise<SignedIn> {
    const { sessions, accounts } = this.#parts
    const session = await sessions.renew(identity.session.id)
    const user = accounts.byId(session.userId)
    if (user === undefined) throw new Failure('unauthorized')
    return this.#tokensFor(user, session)
  }

  /** Ends the session; every token of it is dead when this resolves. */
  logout({ user, session }: Identity, address = ''): Promise<void> {
    const by = { id: user.id, name: user.username }
    const { events, sessions } = this.#parts
    return events.around({ kind: 'signOut', by, address, way: 'page' }, () => sessions.end(session.id))
  }

  /** Every page that is opened signs in this way: a session for each would fill the state. */
  #renewOrStart(
    { name, address, caller }: Required<Arrival> & { name: string },
    user: StoredUser | undefined,
  ): Promise<SignedIn> {
    if (user !== undefined && caller?.user.id === user.id) return this.renew(caller)
    return this.#start({ name, address }, async () => known(user))
  }

  /** @param prove finds out who it is, or throws */
  async #start({ name, address }: { name: string; address: string }, prove: () => Promise<StoredUser>): Promise<SignedIn> {
    const { events, sessions } = this.#parts
    const begin = async () => {
      const user = await prove()
      return { user, session: await sessions.start(user) }
    }
    const event = { kind: 'signIn', by: { name }, address, way: 'page' } as const
    const whose = ({ user }: { user: StoredUser }) => ({ by: { id: user.id, name: user.username } })
    const { user, session } = await events.around(event, begin, whose)
    return this.#tokensFor(user, session)
  }

  #tokensFor(user: StoredUser, session: StoredSession): SignedIn {
    const { tokens } = this.#parts
    return {
      token: tokens.forPerson(user, session),
      cookie: tokens.forCookie(session),
      maxAge: tokens.lifeFor(session),
    }
  }

  /** The cookie's token gives no hint: it shows nothing of the user, and who uses it cannot read the header. */
  #renewSoon({ exp, iat, changedAt }: TokenClaims, user: StoredUser): boolean {
    if (iat === undefined) return false
    const left = exp - this.#parts.clock.now() / 1000
    return left < Math.min(renewalSpan, (exp - iat) / 2) || changedAt !== user.changedAt
  }
}

function known(user: StoredUser | undefined): StoredUser {
  if (user === undefined) throw new Failure('forbidden')
  return user
}
