// A line that no single source can fill for the others.

/** Where one that waits comes from: an address or a person; of an address that many share, with what tells them apart. */
export type WaitingSource = string | Readonly<{ address: string; name: string }>

/**
 * Those who wait. Addresses take turns, and the names of an address its turns: whoever comes, and whoever has had a turn, is the last.
 * When there are too many, the newest of the address that has most waiting is refused, and of that address the newest of the name that
 * has most: names can be invented, addresses hardly.
 */
export class FairQueue<W extends Sourced> {
  readonly #most: number
  readonly #waiting = new Set<W>()
  /** Addresses and names that wait → their places: the lowest has the next turn. */
  readonly #places = new Map<string, number>()
  #lastPlace = 0

  /** @param most may wait */
  constructor(most: number) {
    this.#most = most
  }

  /** Nobody passes those who wait. */
  has(): boolean {
    return this.#waiting.size > 0
  }

  /** @returns who is to be refused when there are too many then, perhaps the one that is added */
  add(added: W): W | undefined {
    this.#waiting.add(added)
    this.#lastPlace += 1
    for (const source of sourcesOf(added)) if (!this.#places.has(source)) this.#places.set(source, this.#lastPlace)
    if (this.#waiting.size <= this.#most) return undefined
    const refused = newestOfMost([...this.#waiting]) ?? added
    this.remove(refused)
    return refused
  }

  /** Removes the one that waits longest of the name and the address whose turn it is. */
  takeNext(hasRoomFor: (waiting: W) => boolean): W | undefined {
    const [next] = [...this.#waiting].sort((one, other) => this.#compare(one, other))
    if (!next || !hasRoomFor(next)) return undefined
    this.#lastPlace += 1
    for (const source of sourcesOf(next)) this.#places.set(source, this.#lastPlace)
    this.remove(next)
    return next
  }

  /** Of two addresses their places count, of two names of one address those of the names. */
  #compare(one: W, other: W): number {
    const placeOf = (source: string) => this.#places.get(source) ?? 0
    return placeOf(addressOf(one)) - placeOf(addressOf(other)) || placeOf(keyOf(one)) - placeOf(keyOf(other))
  }

  /** A source of which nobody waits any more loses its place: it would be ahead of the others when it comes again. */
  remove(removed: W): boolean {
    const wasThere = this.#waiting.delete(removed)
    const present = new Set([...this.#waiting].flatMap(sourcesOf))
    for (const source of sourcesOf(removed)) if (!present.has(source)) this.#places.delete(source)
    return wasThere
  }
}

type Sourced = Readonly<{ key: WaitingSource }>

const addressOf = ({ key }: Sourced): string => (typeof key === 'string' ? key : key.address)
const keyOf = ({ key }: Sourced): string => (typeof key === 'string' ? key : `${key.address} ${key.name}`)
const sourcesOf = (one: Sourced): string[] => [addressOf(one), keyOf(one)]

function newestOfMost<W extends Sourced>(waiting: readonly W[]): W | undefined {
  return ofMost(ofMost(waiting, addressOf), keyOf).at(-1)
}

/** Those of the source that has most, in their order; of several such sources all. */
function ofMost<W extends Sourced>(waiting: readonly W[], sourceOf: (one: W) => string): W[] {
  const counts = new Map<string, number>()
  for (const one of waiting) counts.set(sourceOf(one), (counts.get(sourceOf(one)) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return waiting.filter((one) => counts.get(sourceOf(one)) === most)
}
