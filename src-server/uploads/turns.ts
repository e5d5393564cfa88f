// Which request has an upload: one at a time, and the newer one ends what the older receives.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'

/** Milliseconds for which a request waits for the one before it. */
export const longestWait = 5000
/** Seconds after which a client may ask again. */
export const askAgain = 1

/** The refusal of whoever had the upload before another request of its person. */
export const takenOver = () => new Failure('changed', 'another request has taken the upload over')

export const atWork = () => new Failure('locked', 'another request for the upload is at work', { retryAfter: askAgain })

/** What receives bytes. `hasBytes`: some have come. */
export type Receiving = { readonly hasBytes: boolean; interrupt(reason: unknown): void }

/** The time of one request. */
export class Turn {
  readonly receiving: Receiving | undefined
  readonly #end = Promise.withResolvers<void>()
  isOver = false

  constructor(receiving: Receiving | undefined) {
    this.receiving = receiving
  }

  get ended(): Promise<void> {
    return this.#end.promise
  }

  end(): void {
    this.isOver = true
    this.#end.resolve()
  }
}

export class Turns {
  readonly #clock: Clock
  /** What goes on after a turn, and must have ended before the next begins. */
  readonly #afterwards: () => Promise<unknown> | undefined
  readonly #waiting = new Set<Receiving>()
  #present: Turn | undefined

  constructor(clock: Clock, afterwards: () => Promise<unknown> | undefined) {
    this.#clock = clock
    this.#afterwards = afterwards
  }

  /** What receives now, or waits for its turn. */
  get receiving(): Receiving | undefined {
    return this.#running?.receiving ?? [...this.#waiting].at(-1)
  }

  get isFree(): boolean {
    return this.#running === undefined && this.#afterwards() === undefined
  }

  /**
   * Waits until nobody else has the upload.
   * @param receiving of a request that brings bytes. Such a one ends another only before that has got some: a late copy of a request
   *   must not end the one that it is a copy of.
   * @throws Failure('range') when another already brings bytes, Failure('locked') when the other does not end in time, and the reason
   *   with which this one is interrupted meanwhile
   */
  async enter(receiving?: Receiving): Promise<Turn> {
    const present = this.#running?.receiving
    if (receiving && present?.hasBytes) throw new Failure('range', 'another request brings bytes of the upload')
    present?.interrupt(takenOver())
    for (const one of this.#waiting) one.interrupt(takenOver())
    const late = Promise.withResolvers<never>()
    late.promise.catch(() => {})
    const cancel = this.#clock.after(longestWait, () => late.reject(atWork()))
    const waits = receiving && { hasBytes: false, interrupt: (reason: unknown) => late.reject(reason) }
    if (waits) this.#waiting.add(waits)
    try {
      for (let others = this.#others(); others; others = this.#others()) await Promise.race([late.promise, others])
    } finally {
      cancel()
      if (waits) this.#waiting.delete(waits)
    }
    const turn = new Turn(receiving)
    this.#present = turn
    return turn
  }

  /** Ends what receives. */
  interrupt(reason: unknown): void {
    this.#running?.receiving?.interrupt(reason)
    for (const one of this.#waiting) one.interrupt(reason)
  }

  /** Resolves when nobody has the upload. */
  async free(): Promise<void> {
    for (let others = this.#others(); others; others = this.#others()) await others
  }

  #others(): Promise<unknown> | undefined {
    return this.#running?.ended ?? this.#afterwards()?.catch(() => {})
  }

  get #running(): Turn | undefined {
    return this.#present?.isOver ? undefined : this.#present
  }
}
