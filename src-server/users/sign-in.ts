import { isBcrypt } from '../base/bcrypt-text.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Events } from '../events/events.ts'
import type { State } from '../state/state.ts'
import type { StoredSession, StoredUser } from '../state/state-data.ts'
import type { PersonView, Views } from '../state/views.ts'
import type { Attempts } from './attempts.ts'
import { isWhole } from './bcrypt.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import type { TokenClaims, Tokens } from './tokens.ts'

/** The tokens of a sign-in or a renewal. */
export type SignedIn = Readonly<{
  token: string
  cookie: string
  /** Seconds for which both are valid. */
  maxAge: number
}>

/** Who a valid token belongs to. */
export type Identity = PersonView &
  Readonly<{
    /** Whether the answer should have the header `X-Renew-Token`. */
    renewSoon: boolean
  }>

/** Name and password of a sign-in, and where it comes from. */
export type Credentials = Readonly<{
  username: string
  password: string
  /** The peer's IP address; '' for a unix socket. */
  address: string
  /** What the client calls itself, for the list of sessions. */
  agent?: string
}>

/** Characters of the name of a client that are kept. */
const longestAgent = 200

type Beginning = { name: string; address: string; agent?: string | undefined }
/** The address of the client, what it calls itself, and the identity of the request's token. */
type Origin = { address?: string; agent?: string; caller?: Identity | undefined }

type SignInParts = {
  state: Pick<Views, 'userById' | 'userNamed' | 'firstAdministrator'> & Pick<State, 'run'>
  sessions: Sessions
  passwords: Passwords
  tokens: Tokens
  attempts: Attempts
  clock: Clock
  events: Events
  /** Called when a session's last use, or another hash of the password, could not be written. */
  report(error: unknown): void
}

/** Seconds before its end from which a long-lived token is renewed. */
const renewalSpan = 3600

/** Sign-in, renewal and sign-out, and the identity behind a token. Sign-ins and sign-outs are events. */
export class SignIn {
  readonly #parts: SignInParts

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  /** With name and password. @throws Failure('forbidden') for an unknown name or a wrong password, Failure('tooMany' | 'busy') with `retryAfter` */
  login({ username, password, address, agent }: Credentials): Promise<SignedIn> {
    return this.#start({ name: username, address, agent }, async () => {
      const user = await this.#parts.state.userNamed(username)
      const isRight = await this.#isPasswordOf(user, { username, password, address })
      if (!isRight || user === undefined) throw new Failure('forbidden')
      return isBcrypt(user.password) && isWhole(password) ? this.#rehashed(user, password, address) : user
    })
  }

  /**
   * Whether a password is that of the person who is signed in. Wrong ones count as failed sign-ins, so that whoever has a session
   * cannot guess the password with it.
   * @throws Failure('tooMany' | 'busy') with `retryAfter`
   */
  async confirms({ user }: Pick<Identity, 'user'>, password: string, address = ''): Promise<boolean> {
    const { id, username } = user
    return this.#isPasswordOf(await this.#parts.state.userById(id), { username, password, address })
  }

  /**
   * As the user that a trusted proxy names.
   * @param name the value of the proxy's header
   * @param caller its session is renewed instead, when it belongs to the same user
   * @throws Failure('forbidden') for an unknown user; no user is made
   */
  async loginByProxy(name: string, { address = '', agent = '', caller }: Origin = {}): Promise<SignedIn> {
    return this.#renewOrStart({ name, address, agent, caller }, await this.#parts.state.userNamed(name))
  }

  /** As the first administrator. @param caller as in loginByProxy @throws Failure('forbidden') without an administrator */
  async loginWithoutAuth({ address = '', agent = '', caller }: Origin = {}): Promise<SignedIn> {
    return this.#renewOrStart({ name: '', address, agent, caller }, await this.#parts.state.firstAdministrator())
  }

  /** @returns undefined when the token is missing or invalid, or its session or user no longer exists */
  async identify(token: string | undefined): Promise<Identity | undefined> {
    const { tokens, sessions, report } = this.#parts
    const claims = token === undefined ? undefined : tokens.read(token)
    const view = claims && (await sessions.view(claims.sid))
    if (claims === undefined || view === undefined) return undefined
    sessions.touch(view.session).catch(report)
    return { ...view, renewSoon: this.#renewSoon(claims, view.user) }
  }

  /** Extends the session and makes new tokens. @throws Failure('unauthorized') when it has ended meanwhile */
  async renew(identity: Identity): Promise<SignedIn> {
    const { sessions, state } = this.#parts
    const session = await sessions.renew(identity.session.id)
    const user = await state.userById(session.userId)
    if (user === undefined) throw new Failure('unauthorized')
    return this.#tokensFor(user, session)
  }

  /** Ends the session. All its tokens are invalid when this resolves. */
  logout({ user, session }: Identity, address = ''): Promise<void> {
    const by = { id: user.id, name: user.username }
    const { events, sessions } = this.#parts
    return events.around({ kind: 'signOut', by, address, way: 'page' }, () => sessions.end(session.id))
  }

  /** With a proxy or noauth every opened page signs in: a new session for each would fill the state. */
  #renewOrStart({ name, address, agent, caller }: Required<Origin> & { name: string }, user: StoredUser | undefined) {
    if (user !== undefined && caller?.user.id === user.id) return this.renew(caller)
    return this.#start({ name, address, agent }, async () => known(user))
  }

  async #isPasswordOf(user: StoredUser | undefined, { username, password, address }: Credentials): Promise<boolean> {
    const { passwords, attempts } = this.#parts
    await attempts.check(username, address)
    // An unknown name costs a hash too, so that the time does not tell whether the name exists.
    const isRight = await passwords.verify(password, user?.password, attempts.waitingSource(username, address))
    if (isRight && user !== undefined) attempts.succeeded(username, address)
    else attempts.failed(username, address)
    return isRight && user !== undefined
  }

  /** A password from File Browser is stored as all others are from now on. It is not changed. @returns the user with what is stored */
  async #rehashed(user: StoredUser, password: string, address: string): Promise<StoredUser> {
    const { state, passwords, attempts, report } = this.#parts
    const { id, username, password: from } = user
    const source = attempts.waitingSource(username, address)
    try {
      const to = await passwords.hash(password, source)
      if (await state.run('rehashPassword', { id, from, to })) return { ...user, password: to }
    } catch (error) {
      report(error)
      return user
    }
    // Another sign-in has stored a hash meanwhile, or somebody another password.
    const present = await state.userById(id)
    if (present === undefined || !(await passwords.verify(password, present.password, source))) throw new Failure('forbidden')
    return present
  }

  /** @param verify returns the user, or throws */
  async #start({ name, address, agent = '' }: Beginning, verify: () => Promise<StoredUser>): Promise<SignedIn> {
    const { events, sessions } = this.#parts
    const begin = async () => {
      const user = await verify()
      return { user, session: await sessions.start(user, { address, agent: agent.slice(0, longestAgent) }) }
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

  /** Never for the cookie's token: it holds nothing of the user, and what uses the cookie cannot read the header. */
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
