import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { FailureCounts, type Limit } from './failure-counts.ts'
import { FairQueue, type WaitingSource } from './fair-queue.ts'
import { sourceOf } from './source-address.ts'
import { UnnamedProxies } from './unnamed-proxies.ts'

/** Limits for failures of one name from one address, of one address with any name, of one name from any address, and from all shared addresses. */
const limits = {
  pair: { free: 5, first: 2_000, longest: 15 * 60_000 },
  address: { free: 50, first: 2_000, longest: 15 * 60_000 },
  name: { free: 10, first: 250, longest: 4_000 },
  shared: { free: 50, first: 250, longest: 4_000 },
} as const satisfies Record<string, Limit>

/** How many sign-ins are delayed at a time. */
const mostDelayed = 100

/** Waits; tests replace it. @throws when the signal is aborted */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

const usualPause: Pause = (milliseconds, signal) => sleep(milliseconds, undefined, { signal })

type AttemptsParts = Readonly<{ clock: Clock; pause?: Pause | undefined; proxies?: Pick<UnnamedProxies, 'isShared'> }>

/**
 * Limits the guessing of passwords. Failures of a name from one address, and of one address, lead to refusals of growing
 * length. Failures of a name from other addresses only delay it, so that nobody can lock out the administrator. Sign-ins from
 * this machine and from proxies that are not named are not refused, because everybody behind one has its address: they are
 * delayed, and the queue for hashing limits them all. Failures from all these addresses together delay the names that have failed
 * within the hour, and no others: whoever types the right password at once does not wait because somebody guesses.
 */
export class Attempts {
  readonly #pairs: FailureCounts
  readonly #addresses: FailureCounts
  readonly #names: FailureCounts
  /** Under one key. */
  readonly #shared: FailureCounts
  readonly #proxies: Pick<UnnamedProxies, 'isShared'>
  readonly #pause: Pause
  readonly #delayed = new FairQueue<{ key: WaitingSource; refuse(): void }>(mostDelayed)

  constructor({ clock, pause = usualPause, proxies = new UnnamedProxies() }: AttemptsParts) {
    this.#shared = new FailureCounts(limits.shared, clock)
    this.#proxies = proxies
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
   * @throws Failure('tooMany') with `retryAfter`, Failure('busy') with `retryAfter` when too many are delayed
   */
  async check(name: string, address: string): Promise<void> {
    const source = sourceOf(address)
    // Guesses sent at the same time all pass, at most as many as the queue for hashing holds, and are all counted afterwards.
    const pair = this.#pairs.delay(pairOf(name, source))
    if (this.#proxies.isShared(source)) {
      const own = Math.min(Math.max(pair, this.#names.delay(name)), limits.name.longest)
      return this.#slowDown(name, address, Math.max(own, this.#names.has(name) ? this.#shared.delay('') : 0))
    }
    const refusal = Math.max(pair, this.#addresses.delay(source))
    if (refusal > 0) throw new Failure('tooMany', 'too many failed sign-ins', { retryAfter: Math.ceil(refusal / 1000) })
    await this.#slowDown(name, address, this.#names.delay(name))
  }

  /** Counts a failed sign-in. */
  failed(name: string, address: string) {
    const source = sourceOf(address)
    this.#pairs.add(pairOf(name, source))
    this.#addresses.add(source)
    this.#names.add(name)
    if (this.#proxies.isShared(source)) this.#shared.add('')
  }

  /** Forgets the failures of the name, but not of the address: an attacker with an account could reset them. */
  succeeded(name: string, address: string) {
    this.#pairs.clear(pairOf(name, sourceOf(address)))
    this.#names.clear(name)
  }

  /** As whose a sign-in waits. Everybody behind a proxy that is not named has its address: there each name counts for itself. */
  waitingSource(name: string, address: string): WaitingSource {
    const source = sourceOf(address)
    return this.#proxies.isShared(source) ? { address: source, name } : source
  }

  /** The newest of whoever has most waiting is refused: the owner of a name is not locked out by many guesses from elsewhere. */
  async #slowDown(name: string, address: string, milliseconds: number) {
    if (milliseconds === 0) return
    await new Promise<void>((begin, reject) => {
      const refused = new AbortController()
      const refuse = () => {
        reject(new Failure('busy', 'too many sign-ins at once', { retryAfter: 3 }))
        refused.abort()
      }
      const waiting = { key: this.waitingSource(name, address), refuse }
      this.#delayed.add(waiting)?.refuse()
      const end = () => {
        if (this.#delayed.remove(waiting)) begin()
      }
      if (!refused.signal.aborted) this.#pause(milliseconds, refused.signal).then(end, reject)
    })
  }
}

function pairOf(name: string, source: string) {
  return `${source} ${name}`
}
