import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { FailureCounts, type Limit } from './failure-counts.ts'
import { isLoopback, sourceOf } from './source-address.ts'

/** Limits for failures of one name from one address, of one address with any name, of one name from any address. */
const limits = {
  pair: { free: 5, first: 2_000, longest: 15 * 60_000 },
  address: { free: 50, first: 2_000, longest: 15 * 60_000 },
  name: { free: 10, first: 250, longest: 4_000 },
} as const satisfies Record<string, Limit>

/** Sign-ins that are delayed at a time. Further ones go directly to the queue for hashing, which is the stricter limit. */
const mostWaiting = 100

/**
 * Limits the guessing of passwords. Failures of a name from one address, and of one address, lead to refusals of growing
 * length. Failures of a name from other addresses only delay it, so that nobody can lock out the administrator. Sign-ins from
 * loopback are never refused, because everybody behind a proxy that is not configured seems to be there: they are delayed, and
 * the queue for hashing limits them all.
 */
export class Attempts {
  readonly #pairs: FailureCounts
  readonly #addresses: FailureCounts
  readonly #names: FailureCounts
  readonly #pause: (milliseconds: number) => Promise<unknown>
  #waiting = 0

  /** @param pause waits; tests replace it */
  constructor(clock: Clock, pause: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds)) {
    this.#pairs = new FailureCounts(limits.pair, clock)
    this.#addresses = new FailureCounts(limits.address, clock)
    this.#names = new FailureCounts(limits.name, clock)
    this.#pause = pause
  }

  /** Entries of the largest table, for tests. */
  get size() {
    return Math.max(this.#pairs.size, this.#addresses.size, this.#names.size)
  }

  /**
   * Called before a password is verified. Waits when failures from other addresses have slowed the name down.
   * @param address the peer's IP; '' for a unix socket
   * @throws Failure('tooMany') with `retryAfter`
   */
  async check(name: string, address: string): Promise<void> {
    const source = sourceOf(address)
    // Guesses sent at the same time all pass, at most as many as the queue for hashing holds, and are all counted afterwards.
    const pair = this.#pairs.delay(pairOf(name, source))
    if (isLoopback(source)) return this.#slowDown(Math.min(Math.max(pair, this.#names.delay(name)), limits.name.longest))
    const refusal = Math.max(pair, this.#addresses.delay(source))
    if (refusal > 0) throw new Failure('tooMany', 'too many failed sign-ins', { retryAfter: Math.ceil(refusal / 1000) })
    await this.#slowDown(this.#names.delay(name))
  }

  /** Counts a failed sign-in. */
  failed(name: string, address: string) {
    const source = sourceOf(address)
    this.#pairs.add(pairOf(name, source))
    this.#addresses.add(source)
    this.#names.add(name)
  }

  /** Forgets the failures of the name, but not of the address: an attacker with an account could reset them. */
  succeeded(name: string, address: string) {
    this.#pairs.clear(pairOf(name, sourceOf(address)))
    this.#names.clear(name)
  }

  /** Never refuses: otherwise many waiting guesses would lock out the owner of the name. */
  async #slowDown(milliseconds: number) {
    if (milliseconds === 0 || this.#waiting >= mostWaiting) return
    this.#waiting += 1
    try {
      await this.#pause(milliseconds)
    } finally {
      this.#waiting -= 1
    }
  }
}

function pairOf(name: string, source: string) {
  return `${source} ${name}`
}
