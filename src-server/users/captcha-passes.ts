import type { Clock } from '../base/clock.ts'
import { foldedName } from '../base/folded-name.ts'
import { sourceOf } from './source-address.ts'

/** Milliseconds. */
const longest = 60_000
const most = 1000

/** Who has just signed up with a captcha: the sign-in that follows needs no second one. */
export class CaptchaPasses {
  readonly #ends = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Lets the next sign-in of a name from an address pass, for a minute. */
  give(name: string, address: string): void {
    this.#ends.set(keyOf(name, address), this.#clock.elapsed() + longest)
    const [oldest] = this.#ends.keys()
    if (this.#ends.size > most && oldest !== undefined) this.#ends.delete(oldest)
  }

  /** Whether a sign-in may pass. It may only once. */
  take(name: string, address: string): boolean {
    const key = keyOf(name, address)
    const end = this.#ends.get(key)
    this.#ends.delete(key)
    return end !== undefined && this.#clock.elapsed() < end
  }
}

const keyOf = (name: string, address: string) => JSON.stringify([foldedName(name), sourceOf(address)])
