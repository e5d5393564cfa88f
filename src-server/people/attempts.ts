import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { sourceOf } from './source-address.ts'

type Limit = Readonly<{
  /** Failures without a delay. */
  free: number
  /** Milliseconds after the first failure beyond those; doubles with each. */
  first: number
  longest: number
}>

/** For one name from one address, for one address whatever the name, for one name whatever the address. */
const limits = {
  pair: { free: 5, first: 2_000, longest: 15 * 60_000 },
  address: { free: 50, first: 2_000, longest: 15 * 60_000 },
  name: { free: 10, first: 250, longest: 4_000 },
} as const satisfies Record<string, Limit>

/** Milliseconds after which failures are forgotten when no more follow. */
const memory = 60 * 60_000

/** Entries per table: what somebody who invents names and addresses can make us remember. */
const mostEntries = 10_000

/** Sign-ins that may wait for a slowed name at once. */
const mostWaiting = 100

type Entry = { failures: number; lastAt: number }

/** Failures by key, the longest untouched first to be forgotten. */
class Failures {
  readonly #entries = new Map<string, Entry>()
  readonly #limit: Limit
  readonly #clock: Clock

  constructor(limit: Limit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  get size() {
    return this.#entries.size
  }

  /** Milliseconds that the next attempt has to wait, counted from the last failure. */
  delay(key: string): number {
    const entry = this.#living(key)
    const beyond = (entry?.failures ?? 0) - this.#limit.free
    if (entry === undefined || beyond < 0) return 0
    const whole = Math.min(this.#limit.first * 2 ** Math.min(beyond, 30), this.#limit.longest)
    return Math.max(0, entry.lastAt + whole - this.#clock.now())
  }

  add(key: string) {
    const failures = (this.#living(key)?.failures ?? 0) + 1
    this.#entries.delete(key)
    this.#entries.set(key, { failures, lastAt: this.#clock.now() })
    if (this.#entries.size > mostEntries) this.#forgetOldest()
  }

  clear(key: string) {
    this.#entries.delete(key)
  }

  #living(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#clock.now() - entry.lastAt < memory ? entry : undefined
  }

  #forgetOldest() {
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}

/**
 * Limits guessing: failures of a name from an address, and of an address, lead to refusals that grow; a name alone only slows
 * down, so that nobody can lock the administrator out from elsewhere.
 */
export class Attempts {
  readonly #pairs: Failures
  readonly #addresses: Failures
  readonly #names: Failures
  readonly #pause: (milliseconds: number) => Promise<unknown>
  #waiting = 0

  /** @param pause how to wait; tests pass their own */
  constructor(clock: Clock, pause: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds)) {
    this.#pairs = new Failures(limits.pair, clock)
    this.#addresses = new Failures(limits.address, clock)
    this.#names = new Failures(limits.name, clock)
    this.#pause = pause
  }

  /** How much is remembered, for tests. */
  get size() {
    return Math.max(this.#pairs.size, this.#addresses.size, this.#names.size)
  }

  /**
   * Asked before a password is looked at; waits when failures elsewhere have slowed the name down.
   * @param address the peer's IP; '' for a unix socket
   * @throws Failure('tooMany' | 'busy') with `retryAfter`
   */
  async check(name: string, address: string): Promise<void> {
    const source = sourceOf(address)
    // Guesses sent at once pass together, no more of them than the passwords' queue holds, and then count together.
    const refusal = Math.max(this.#pairs.delay(pairOf(name, source)), this.#addresses.delay(source))
    if (refusal > 0) throw new Failure('tooMany', 'too many failed sign-ins', { retryAfter: Math.ceil(refusal / 1000) })
    const slowness = this.#names.delay(name)
    if (slowness > 0) await this.#wait(slowness)
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

  async #wait(milliseconds: number) {
    if (this.#waiting >= mostWaiting) {
      throw new Failure('busy', 'too many sign-ins at once', { retryAfter: Math.ceil(limits.name.longest / 1000) })
    }
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
