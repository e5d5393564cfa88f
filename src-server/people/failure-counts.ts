import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'

export type Limit = Readonly<{
  /** Failures without a delay. */
  free: number
  /** Milliseconds after the first failure beyond those; doubles with each. */
  first: number
  longest: number
}>

/** Milliseconds after which failures are forgotten when no more follow. */
const memory = 60 * 60_000

/** Entries per table: what somebody who invents names and addresses can make us remember. */
const mostEntries = 10_000

/** `lastAt` by the clock that nobody sets: after one that was put back a refusal would last for months. */
type Entry = { failures: number; lastAt: number }

/** Failures by key; the longest untouched are the first to be forgotten. */
export class FailureCounts {
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
    const entry = this.#living(short(key))
    const beyond = (entry?.failures ?? 0) - this.#limit.free
    if (entry === undefined || beyond < 0) return 0
    const whole = Math.min(this.#limit.first * 2 ** Math.min(beyond, 30), this.#limit.longest)
    return Math.max(0, entry.lastAt + whole - this.#clock.elapsed())
  }

  add(text: string) {
    const key = short(text)
    const failures = (this.#living(key)?.failures ?? 0) + 1
    this.#entries.delete(key)
    this.#entries.set(key, { failures, lastAt: this.#clock.elapsed() })
    if (this.#entries.size > mostEntries) this.#forgetOldest()
  }

  clear(key: string) {
    this.#entries.delete(short(key))
  }

  #living(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#clock.elapsed() - entry.lastAt < memory ? entry : undefined
  }

  #forgetOldest() {
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}

/** Names come from strangers: a long one takes no more room than its hash. */
function short(key: string): string {
  return key.length <= 64 ? key : createHash('sha256').update(key).digest('base64')
}
