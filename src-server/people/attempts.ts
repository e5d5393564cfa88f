import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { FailureCounts, type Limit } from './failure-counts.ts'
import { isLoopback, sourceOf } from './source-address.ts'

/** For one name from one address, for one address whatever the name, for one name whatever the address. */
const limits = {
  pair: { free: 5, first: 2_000, longest: 15 * 60_000 },
  address: { free: 50, first: 2_000, longest: 15 * 60_000 },
  name: { free: 10, first: 250, longest: 4_000 },
} as const satisfies Record<string, Limit>

/** Sign-ins that wait for a slowed name at once; those beyond go straight to the queue for hashing, which is the tighter limit. */
const mostWaiting = 100

/**
 * Limits guessing: failures of a name from an address, and of an address, lead to refusals that grow; a name alone only slows
 * down, so that nobody can lock the administrator out from elsewhere. From loopback nothing refuses, since everybody who comes
 * through a proxy that is not named seems to be there: the name slows down, and the queue for hashing limits all together.
 */
export class Attempts {
  readonly #pairs: FailureCounts
  readonly #addresses: FailureCounts
  readonly #names: FailureCounts
  readonly #pause: (milliseconds: number) => Promise<unknown>
  #waiting = 0

  /** @param pause how to wait; tests pass their own */
  constructor(clock: Clock, pause: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds)) {
    this.#pairs = new FailureCounts(limits.pair, clock)
    this.#addresses = new FailureCounts(limits.address, clock)
    this.#names = new FailureCounts(limits.name, clock)
    this.#pause = pause
  }

  /** How much is remembered, for tests. */
  get size() {
    return Math.max(this.#pairs.size, this.#addresses.size, this.#names.size)
  }

  /**
   * Asked before a password is looked at; waits when failures elsewhere have slowed the name down.
   * @param address the peer's IP; '' for a unix socket
   * @throws Failure('tooMany') with `retryAfter`
   */
  async check(name: string, address: string): Promise<void> {
    const source = sourceOf(address)
    // Guesses sent at once pass together, no more of them than the passwords' queue holds, and then count together.
    const pair = this.#pairs.delay(pairOf(name, source))
    if (isLoopback(source)) return this.#slowDown(Math.min(Math.max(pair, this.#names.delay(name)), limits.name.longest))
    const refusal = Math.max(pair, this.#addresses.delay(source))
    if (refusal > 0) throw new Failure('tooMany', 'too many failed sign-ins', { retryAfter: Math.ceil(refusal / 1000) })
    await this.#slowDown(this.#names.delay(name))
  }

  failed(name: string, address: string) {
    const source = sourceOf(address)
    this.#pairs.add(pairOf(name, source))
    this.#addresses.add(source)
    this.#names.add(name)
  }

  /** Forgets the name's failures, but not the address's: else an account of one's own would wash them off. */
  succeeded(name: string, address: string) {
    this.#pairs.clear(pairOf(name, sourceOf(address)))
    this.#names.clear(name)
  }

  /** Never refuses: who has too many wait for a name would lock out the one it belongs to. */
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
