// A queue that no single source can fill for the others.
import { Failure } from '../base/failure.ts'

/** Where one that waits comes from: an address or a person; of an address that many share, with what tells them apart. */
export type WaitingSource = string | Readonly<{ address: string; name: string }>

/** One that waits. */
export type Waiting = Readonly<{ source: WaitingSource; begin(): void; refuse(reason: Failure): void }>

/** How many may wait, and what is said to those who are refused. */
type Bound = Readonly<{ most: number; reason: string; retryAfter: number }>

/**
 * Those who wait. Addresses take turns, and the names of an address its turns: whoever comes, and whoever has had a turn, is the last.
 * When there are too many, the newest of the address that has most waiting is refused, and of that address the newest of the name that
 * has most: names can be invented, addresses hardly.
 */
export class FairQueue {
  readonly #bound: Bound
  readonly #waiting = new Set<Waiting>()
  /** Addresses and names that wait → their places: the lowest has the next turn. */
  readonly #places = new Map<string, number>()
  #lastPlace = 0

  constructor(bound: Bound) {
    this.#bound = bound
  }

  /** Refuses one when there are too many then, perhaps the one that is added. */
  add(added: Waiting): void {
    this.#waiting.add(added)
    this.#lastPlace += 1
    for (const source of sourcesOf(added)) if (!this.#places.has(source)) this.#places.set(source, this.#lastPlace)
    if (this.#waiting.size <= this.#bound.most) return
    const refused = newestOfMost([...this.#waiting]) ?? added
    this.#remove(refused)
    const { reason, retryAfter } = this.#bound
    refused.refuse(new Failure('busy', reason, { retryAfter }))
  }

  /** Begins the one that waits longest of the name and the address whose turn it is. @returns whether there was one */
  next(): boolean {
    const [next] = [...this.#waiting].sort((one, other) => this.#compare(one, other))
    if (!next) return false
    this.#lastPlace += 1
    for (const source of sourcesOf(next)) this.#places.set(source, this.#lastPlace)
    this.begin(next)
    return true
  }

  /** Begins one unless it was refused. */
  begin(waiting: Waiting): void {
    if (this.#remove(waiting)) waiting.begin()
  }

  /** Of two addresses their places count, of two names of one address those of the names. */
  #compare(one: Waiting, other: Waiting): number {
    const placeOf = (source: string) => this.#places.get(source) ?? 0
    return placeOf(addressOf(one)) - placeOf(addressOf(other)) || placeOf(keyOf(one)) - placeOf(keyOf(other))
  }

  /** A source of which nobody waits any more loses its place: it would be ahead of the others when it comes again. */
  #remove(removed: Waiting): boolean {
    const wasThere = this.#waiting.delete(removed)
    const present = new Set([...this.#waiting].flatMap(sourcesOf))
    for (const source of sourcesOf(removed)) if (!present.has(source)) this.#places.delete(source)
    return wasThere
  }
}

const addressOf = ({ source }: Waiting): string => (typeof source === 'string' ? source : source.address)
const keyOf = ({ source }: Waiting): string => (typeof source === 'string' ? source : `${source.address} ${source.name}`)
const sourcesOf = (one: Waiting): string[] => [addressOf(one), keyOf(one)]

function newestOfMost(waiting: readonly Waiting[]): Waiting | undefined {
  return ofMost(ofMost(waiting, addressOf), keyOf).at(-1)
}

/** Those of the source that has most, in their order; of several such sources all. */
function ofMost(waiting: readonly Waiting[], sourceOf: (one: Waiting) => string): Waiting[] {
  const counts = new Map<string, number>()
  for (const one of waiting) counts.set(sourceOf(one), (counts.get(sourceOf(one)) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return waiting.filter((one) => counts.get(sourceOf(one)) === most)
}
