// Whose work ends when a newcomer finds no place: that of clients that keep their places and use them hardly or not at all.

import { Failure } from '../base/failure.ts'
import type { Counts } from '../base/limiter.ts'

/** The id of a user, or the address of somebody who holds a public link. */
export type Person = number | string

/** Work that others may end to get its place. */
export type Yielding = Readonly<{
  /** The greater, the sooner it is ended; undefined while it must not be. */
  slowness(): number | undefined
  /** Ends it. */
  end(): void
}>

/** Seconds after which a refused request may come again. */
const retryAfter = 2

export function tooMuch(): Failure {
  return new Failure('busy', 'too much is being asked for at once', { retryAfter })
}

/** Milliseconds for which work may hold a place that others wait for. */
const longestHolding = 2000

/** A wait of work that holds a place of one kind until it gets one of another kind: it ends when others find none. */
export class HoldingWait implements Yielding {
  readonly #elapsed: () => number
  readonly #ended = new AbortController()
  #since: number | undefined

  /** @param elapsed milliseconds since some moment */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  slowness(): number | undefined {
    const waited = this.#since === undefined ? 0 : this.#elapsed() - this.#since
    return waited < longestHolding ? undefined : waited
  }

  end(): void {
    this.#ended.abort(tooMuch())
  }

  /** @throws Failure('busy') when it was ended */
  async during<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#since = this.#elapsed()
    try {
      return await wait(this.#ended.signal)
    } finally {
      this.#since = undefined
    }
  }
}

type Holder = Readonly<{ person: Person; slowness(): number | undefined; end(): void }>

type Slow = Readonly<{ place: Holder; held: number; slowness: number }>

/** The places of one kind of work. */
export class Places {
  readonly #taken = new Set<Holder>()

  /** How many are taken. */
  get size(): number {
    return this.#taken.size
  }

  /** @returns what removes it */
  add(place: Holder): () => void {
    this.#taken.add(place)
    return () => void this.#taken.delete(place)
  }

  /**
   * The place that gives way to a newcomer: the slowest of whoever holds most among those that have slow ones. Who holds no more than
   * the newcomer would then hold keeps all, unless that is the newcomer's only place and nobody holds more.
   * @param isOwnFull whether the newcomer has as many as one may have, so that only an own one helps
   */
  slowestFor(newcomer: Person, held: Counts<Person>, isOwnFull: boolean): Holder | undefined {
    const fair = held.of(newcomer) + 1
    const { largest } = held
    const mayLose = ({ place, held: count }: Slow) =>
      isOwnFull ? place.person === newcomer : count > fair || (fair === 1 && count === largest)
    const [first] = this.#slow(held).filter(mayLose).sort(bySlowness)
    return first?.place
  }

  #slow(held: Counts<Person>): Slow[] {
    return [...this.#taken].flatMap((place) => {
      const slowness = place.slowness()
      return slowness === undefined ? [] : [{ place, held: held.of(place.person), slowness }]
    })
  }
}

const bySlowness = (one: Slow, other: Slow) => other.held - one.held || other.slowness - one.slowness
