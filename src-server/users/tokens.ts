import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import type { Clock } from '../base/clock.ts'
import type { TokenUser } from '../contract/users.ts'
import { endOf } from '../state/session-commands.ts'
import type { SigningKey, StoredSession, StoredUser } from '../state/state-data.ts'

/** The claims of a token. It proves only the id of a session, which is then looked up. Times are seconds since the epoch. */
export type TokenClaims = Readonly<{
  sid: string
  exp: number
  /** When it was made; absent in the cookie's token. */
  iat?: number
  /** The user's `changedAt` when it was made; absent in the cookie's token. */
  changedAt?: number
}>

/** Characters: the limit on headers allows no longer token. */
const longestToken = 65_536

/** Clients written for other servers of this API require the claim, with any value. */
const issuer = 'Holdall'

const decodeHeader = createDecoder({ complete: true })

/** Makes and verifies tokens: HS256 only, each for one session, with which it ends. */
export class Tokens {
  readonly #keys: () => readonly SigningKey[]
  readonly #clock: Clock

  /** @param keys the present ones: the first one signs, all verify */
  constructor({ keys, clock }: { keys: () => readonly SigningKey[]; clock: Clock }) {
    this.#keys = keys
    this.#clock = clock
  }

  /** The token in the body of the answer: holds the user for display. */
  forPerson(user: StoredUser, session: StoredSession): string {
    const claims = { user: tokenUser(user), sid: session.id, changedAt: user.changedAt, iss: issuer }
    return this.#sign({ ...claims, iat: this.#now(), exp: endOf(session) }, false)
  }

  /** The token of the cookie: session and expiry only, because browsers silently drop cookies over 4,096 bytes. */
  forCookie(session: StoredSession): string {
    return this.#sign({ sid: session.id, exp: endOf(session) }, true)
  }

  /** Seconds for which a token made now is valid. */
  lifeFor(session: StoredSession): number {
    return endOf(session) - this.#now()
  }

  /** @returns undefined for an invalid token: malformed, expired, another algorithm or key, without session or expiry */
  read(token: string): TokenClaims | undefined {
    if (token.length > longestToken) return undefined
    try {
      return claimsOf(this.#verify(token))
    } catch {
      return undefined
    }
  }

  #verify(token: string): unknown {
    const kid: unknown = decodeHeader(token).header.kid
    const key = this.#keys().find((candidate) => candidate.kid === kid)
    if (key === undefined) throw new Error('unknown kid')
    // Made for each token to use the time of `#clock`; takes a few microseconds.
    const verify = createVerifier({
      key: secretOf(key),
      algorithms: ['HS256'],
      requiredClaims: ['exp', 'sid'],
      cache: false,
      clockTimestamp: this.#clock.now(),
    })
    return verify(token)
  }

  #sign(claims: Record<string, unknown>, noTimestamp: boolean): string {
    const key = this.#keys()[0]
    if (key === undefined) throw new Error('The state holds no signing key')
    return createSigner({ key: secretOf(key), algorithm: 'HS256', kid: key.kid, noTimestamp })(claims)
  }

  #now() {
    return Math.floor(this.#clock.now() / 1000)
  }
}

function secretOf(key: SigningKey): Buffer {
  return Buffer.from(key.secret, 'base64url')
}

function claimsOf(payload: unknown): TokenClaims | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const { sid, exp, iat, changedAt } = payload as Record<string, unknown>
  if (typeof sid !== 'string' || typeof exp !== 'number') return undefined
  return { sid, exp, ...(typeof iat === 'number' && { iat }), ...(typeof changedAt === 'number' && { changedAt }) }
}

/** The user in the payload of a token: for display only, and without the scope. */
function tokenUser(user: StoredUser): TokenUser & typeof foreignSettings {
  const { id, username, locale, viewMode, sorting, perm, commands, lockPassword } = user
  return { id, username, locale, viewMode, sorting, perm, commands: [...commands], lockPassword, ...foreignSettings }
}

/**
 * Settings of other servers of this API: their clients refuse a sign-in whose token does not name them. A user has no such settings
 * here yet, so these are the values with which those servers begin; once a user has them, the stored values belong here.
 */
const foreignSettings = {
  singleClick: false,
  redirectAfterCopyMove: false,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}
