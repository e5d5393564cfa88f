// A queue that no single source can fill for the others.
import { Failure } from '../base/failure.ts'

/** Where one that waits comes from: an address or a person; of an address that many share, with what tells them apart. */
export type WaitingSource = string | Readonly<{ address: string; name: string }>

/** One that waits. */
export type Waiting = Readonly<{ source: WaitingSource; begin(): void; refuse(reason: Failure): void }>

/** How many may wait, and what is said to those who are refused. */
type Bound = Readonly<{ most: number; reason: string; retryAfter: number }>

/**
 * Those who wait. Sources take turns. When there are too many, the newest of the address that has most waiting is refused, and of that
 * address the newest of the name that has most: names can be invented, addresses hardly.
 */
export class FairQueue {
  readonly #bound: Bound
  readonly #waiting = new Set<Waiting>()
  /** Sources that wait → their last turn. */
  readonly #turns = new Map<string, number>()
  #turn = 0

  constructor(bound: Bound) {
    this.#bound = bound
  }

  /** Refuses one when there are too many then, perhaps the one that is added. */
  add(added: Waiting): void {
    this.#waiting.add(added)
    if (this.#waiting.size <= this.#bound.most) return
    const refused = newestOfMost([...this.#waiting]) ?? added
    this.#waiting.delete(refused)
    const { reason, retryAfter } = this.#bound
    refused.refuse(new Failure('busy', reason, { retryAfter }))
  }

  /** Begins the one whose source had its last turn longest ago, of several the one that waits longest. @returns whether there was one */
  next(): boolean {
    const [next] = [...this.#waiting].sort((one, other) => this.#lastTurn(one) - this.#lastTurn(other))
    if (!next) return false
    this.#turns.set(addressOf(next), ++this.#turn)
    this.#turns.set(keyOf(next), this.#turn)
    this.begin(next)
    const present = new Set([...this.#waiting].flatMap((one) => [addressOf(one), keyOf(one)]))
    for (const source of this.#turns.keys()) if (!present.has(source)) this.#turns.delete(source)
    return true
  }

  /** Begins one unless it was refused. */
  begin(waiting: Waiting): void {
    if (this.#waiting.delete(waiting)) waiting.begin()
  }

  /** Of an address first, then of a name of that address. */
  #lastTurn(one: Waiting): number {
    const [ofAddress = 0, ofName = 0] = [this.#turns.get(addressOf(one)), this.#turns.get(keyOf(one))]
    return ofAddress * (this.#turn + 1) + ofName
  }
}

const addressOf = ({ source }: Waiting): string => (typeof source === 'string' ? source : source.address)
const keyOf = ({ source }: Waiting): string => (typeof source === 'string' ? source : `${source.address} ${source.name}`)

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
