import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { sourceOf } from './source-address.ts'

/** Accounts that one address may ask for in an hour, and one that many people share: strangers must not sign everybody up, nor lock all out. */
const [mostInHour, mostOfShared] = [5, 50]
const hour = 60 * 60_000

/** Addresses that are counted at a time: bounds the memory that strangers can take. */
const mostSources = 10_000

/** Counts the sign-ups of each address. When the table is full, the address that was counted first is forgotten. */
export class SignUpCounts {
  /** Source → the moments of its sign-ups, in milliseconds of the monotonic clock. */
  readonly #moments = new Map<string, readonly number[]>()
  readonly #clock: Clock
  readonly #isShared: (source: string) => boolean

  /** @param isShared whether many people may have a source, as behind a proxy that is not named */
  constructor(clock: Clock, isShared: (source: string) => boolean) {
    this.#clock = clock
    this.#isShared = isShared
  }

  /** Counts a sign-up. @throws Failure('tooMany') with `retryAfter`, after five in an hour, or fifty from a shared source */
  add(address: string): void {
    const source = sourceOf(address)
    const now = this.#clock.elapsed()
    const moments = (this.#moments.get(source) ?? []).filter((moment) => now - moment < hour)
    const [first = now] = moments
    if (moments.length >= (this.#isShared(source) ? mostOfShared : mostInHour)) {
      throw new Failure('tooMany', 'too many sign-ups', { retryAfter: Math.ceil((first + hour - now) / 1000) })
    }
    this.#moments.delete(source)
    this.#moments.set(source, [...moments, now])
    const [oldest] = this.#moments.keys()
    if (this.#moments.size > mostSources && oldest !== undefined) this.#moments.delete(oldest)
  }
}
