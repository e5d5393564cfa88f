import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'

/** What a ticket stands for. */
export type ListedArchive = Readonly<{ paths: readonly Path[]; format: string | undefined }>

type KeptList = ListedArchive & Readonly<{ owner: ListOwner; expires: number; bytes: number }>

/** A ticket is of use in this session alone. */
export type ListOwner = Readonly<{ userId: number; sessionId: string }>

/** Milliseconds. */
const life = 60_000
/** Tickets of one user that are kept; a further one replaces the oldest. */
const mostOfOne = 4
/** Bytes of all lists together, as they are in memory. */
const mostBytes = 64 * 2 ** 20
/** Seconds after which a refused request may come again. */
const retryAfter = 5

/**
 * Lists of paths that are too long for an address, kept for a minute. A ticket gives no right: those of its owner are asked when it
 * is used, which it may be more than once, because a browser that continues a download asks again.
 */
export class ArchiveTickets {
  readonly #clock: Clock
  /** In the order in which they expire. */
  readonly #tickets = new Map<string, KeptList>()
  #bytes = 0

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** @throws Failure('busy') when the lists of all users take too much memory */
  issue(owner: ListOwner, { paths, format }: ListedArchive): string {
    this.#removeExpired()
    const ofOne = [...this.#tickets].filter(([, ticket]) => ticket.owner.userId === owner.userId)
    for (const [id] of ofOne.slice(0, Math.max(0, ofOne.length - mostOfOne + 1))) this.#remove(id)
    const bytes = paths.reduce((sum, path) => sum + 64 + 2 * path.length, 0)
    if (this.#bytes + bytes > mostBytes) throw new Failure('busy', 'too many long lists wait for their download', { retryAfter })
    const id = randomBytes(16).toString('base64url')
    this.#tickets.set(id, { paths, format, owner, bytes, expires: this.#clock.elapsed() + life })
    this.#bytes += bytes
    return id
  }

  /** @throws Failure('notFound') when it has expired, does not exist or was issued in another session */
  find(id: string, { sessionId }: ListOwner): ListedArchive {
    this.#removeExpired()
    const ticket = this.#tickets.get(id)
    if (ticket?.owner.sessionId !== sessionId) throw new Failure('notFound', 'the list of this download is no longer kept')
    return ticket
  }

  #removeExpired() {
    const now = this.#clock.elapsed()
    for (const [id, { expires }] of this.#tickets) {
      if (expires > now) return
      this.#remove(id)
    }
  }

  #remove(id: string) {
    this.#bytes -= this.#tickets.get(id)?.bytes ?? 0
    this.#tickets.delete(id)
  }
}
