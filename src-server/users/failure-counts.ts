import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'

/** How delays grow with the number of failures. */
export type Limit = Readonly<{
  /** Failures without a delay. */
  free: number
  /** Milliseconds after the first failure beyond those; doubles with each further one. */
  first: number
  /** Milliseconds. */
  longest: number
}>

/** Milliseconds after the last failure of a key until its failures are forgotten. */
const memory = 60 * 60_000

/** Entries of a table: bounds the memory that invented names and addresses can take. */
const mostEntries = 10_000

/** `lastAt` is monotonic time: with the system clock set back, a refusal could last for months. */
type Entry = { failures: number; lastAt: number }

/** Counts failures by key. When the table is full, the entry with the oldest failure is forgotten. */
export class FailureCounts {
  readonly #entries = new Map<string, Entry>()
  readonly #limit: Limit
  readonly #clock: Clock

  constructor(limit: Limit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** How many keys are counted. */
  get size() {
    return this.#entries.size
  }

  /** Whether a key has failed within the hour. */
  has(key: string): boolean {
    return this.#living(short(key)) !== undefined
  }

  /** Milliseconds that the next attempt has to wait, counted from the last failure. */
  delay(key: string): number {
    const entry = this.#living(short(key))
    const beyond = (entry?.failures ?? 0) - this.#limit.free
    if (entry === undefined || beyond < 0) return 0
    const whole = Math.min(this.#limit.first * 2 ** Math.min(beyond, 30), this.#limit.longest)
    return Math.max(0, entry.lastAt + whole - this.#clock.elapsed())
  }

  /** Counts a failure. */
  add(text: string) {
    const key = short(text)
    const failures = (this.#living(key)?.failures ?? 0) + 1
    this.#entries.delete(key)
    this.#entries.set(key, { failures, lastAt: this.#clock.elapsed() })
    if (this.#entries.size > mostEntries) this.#forgetOldest()
  }

  /** Forgets the failures of a key. */
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

/** Names come from anybody, so a long one is replaced by its hash to save memory. */
function short(key: string): string {
  return key.length <= 64 ? key : createHash('sha256').update(key).digest('base64')
}
