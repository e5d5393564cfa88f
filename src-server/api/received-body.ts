import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Yielding } from './giving-way.ts'

/** Bytes a second below which a body is slow, and seconds of waiting for its client over which that is measured. */
const [slow, span] = [1024, 10]

/** Seconds after which a client may send it again. */
const retryAfter = 10

/**
 * How fast a body arrives. Only the time counts in which the server waits for its client: a disk that takes long makes no body slow,
 * nor does the work after its last byte.
 */
export class ReceivedBody implements Yielding {
  readonly #clock: Clock
  /** Milliseconds of waiting before the present wait, and when that began. */
  #waited = 0
  #waitsSince: number | undefined
  /** Bytes of the last seconds of waiting: of second n at n modulo `span`. */
  readonly #bytes = new Array<number>(span).fill(0)
  #second = 0
  #reason: Failure | undefined
  #reject: (reason: Failure) => void = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits for what the client sends next. @throws Failure('busy') once it has given way */
  async next<T>(items: AsyncIterator<T>): Promise<IteratorResult<T>> {
    const began = this.#clock.elapsed()
    this.#waitsSince = began
    try {
      const next = await this.#unlessEnded(items)
      this.#note(next.value)
      return next
    } finally {
      this.#waitsSince = undefined
      this.#waited += this.#clock.elapsed() - began
    }
  }

  get hasGivenWay(): boolean {
    return this.#reason !== undefined
  }

  slowness(): number | undefined {
    if (this.#waitsSince === undefined || this.#waitedInAll() < span * 1000) return undefined
    this.#forgetOld()
    const speed = this.#bytes.reduce((sum, bytes) => sum + bytes, 0) / span
    return speed < slow ? slow - speed : undefined
  }

  end(): void {
    this.#reason ??= new Failure('busy', 'the body came too slowly while others found no place', { retryAfter })
    this.#reject(this.#reason)
  }

  // Not Promise.race() with one promise for all chunks: that would hold every chunk until the body ends.
  #unlessEnded<T>(items: AsyncIterator<T>): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      if (this.#reason) return reject(this.#reason)
      this.#reject = reject
      items.next().then(resolve, reject)
    })
  }

  #note(value: unknown) {
    if (!(value instanceof Uint8Array)) return
    this.#forgetOld()
    this.#bytes[this.#second % span] = (this.#bytes[this.#second % span] ?? 0) + value.length
  }

  #waitedInAll() {
    return this.#waited + (this.#waitsSince === undefined ? 0 : this.#clock.elapsed() - this.#waitsSince)
  }

  #forgetOld() {
    const now = Math.floor(this.#waitedInAll() / 1000)
    if (now - this.#second >= span) this.#bytes.fill(0)
    else for (let second = this.#second + 1; second <= now; second++) this.#bytes[second % span] = 0
    this.#second = now
  }
}
