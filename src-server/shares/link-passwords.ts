import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { SigningKey, StoredLink } from '../state/state-data.ts'
import type { Attempts } from '../users/attempts.ts'
import type { Passwords } from '../users/passwords.ts'

/** Seconds for which the password need not be given again. */
export const ticketLife = 3600

/**
 * The hash of a link is no secret among those who have it, so its password may be guessed from many addresses.
 * @param shortest the fewest characters @throws Failure('invalid')
 */
export function checkLinkPassword(password = '', shortest: number): void {
  if (password === '' || [...password].length >= shortest) return
  const about = { field: 'password', number: shortest }
  throw new Failure('invalid', 'the password of a link must have at least {{number}} characters', { about })
}

/** What a visitor shows: the password, or the ticket that an earlier answer gave. */
export type Credentials = Readonly<{ password?: string | undefined; ticket?: string | undefined; address: string }>

/** A link of either kind. */
type Locked = Pick<StoredLink, 'hash' | 'password'>

type LocksParts = Readonly<{
  /** A queue of their own. */
  passwords: Pick<Passwords, 'verify'>
  /** Counted by link and address. */
  attempts: Pick<Attempts, 'check' | 'failed' | 'succeeded' | 'waitingSource'>
  /** The present ones. */
  keys(): readonly SigningKey[]
  clock: Clock
}>

/** The passwords of links. */
export class LinkPasswords {
  readonly #parts: LocksParts

  constructor(parts: LocksParts) {
    this.#parts = parts
  }

  /**
   * @returns a new ticket when the password was given
   * @throws Failure('unauthorized') without the password or with a wrong one, Failure('tooMany' | 'busy')
   */
  async open(link: Locked, { password, ticket, address }: Credentials): Promise<string | undefined> {
    if (link.password === undefined || this.#isTicket(link, ticket)) return undefined
    if (password === undefined) throw new Failure('unauthorized')
    const { attempts, passwords } = this.#parts
    await attempts.check(link.hash, address)
    if (!(await passwords.verify(password, link.password, attempts.waitingSource(link.hash, address)))) {
      attempts.failed(link.hash, address)
      throw new Failure('unauthorized')
    }
    attempts.succeeded(link.hash, address)
    return this.#ticketOf(link, this.#now() + ticketLife)
  }

  #isTicket(link: Locked, ticket = ''): boolean {
    const expires = Number(/^(\d{1,12})\.[\w-]{43}$/.exec(ticket)?.[1] ?? 0)
    if (expires <= this.#now()) return false
    const [given, wanted] = [ticket, this.#ticketOf(link, expires)].map((text) => Buffer.from(text))
    return given !== undefined && wanted !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  /** It holds the salted hash of the password, and so ends with every change of it. */
  #ticketOf({ hash, password }: Locked, expires: number): string {
    const key = this.#parts.keys()[0]
    if (key === undefined) throw new Error('The state holds no signing key')
    const signed = createHmac('sha256', Buffer.from(key.secret, 'base64url')).update(`link\0${hash}\0${expires}\0${password}`)
    return `${expires}.${signed.digest('base64url')}`
  }

  #now() {
    return Math.floor(this.#parts.clock.now() / 1000)
  }
}
