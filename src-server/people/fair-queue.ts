// A queue that no single source can fill for the others.
import { Failure } from '../base/failure.ts'

/** One that waits. `source` is where it comes from. */
export type Waiting = Readonly<{ source: string; begin(): void; refuse(reason: Failure): void }>

/** How many may wait, and what is said to those who are refused. */
type Bound = Readonly<{ most: number; reason: string; retryAfter: number }>

/** Those who wait, in the order of arrival. When there are too many, the newest of the source that has most waiting is refused. */
export class FairQueue {
  readonly #bound: Bound
  readonly #waiting = new Set<Waiting>()

  constructor(bound: Bound) {
    this.#bound = bound
  }

  /** Refuses one when there are too many then, perhaps the one that is added. */
  add(added: Waiting): void {
    this.#waiting.add(added)
    if (this.#waiting.size <= this.#bound.most) return
    const refused = this.#newestOfMost() ?? added
    this.#waiting.delete(refused)
    const { reason, retryAfter } = this.#bound
    refused.refuse(new Failure('busy', reason, { retryAfter }))
  }

  /** Begins the one that waits longest. @returns whether there was one */
  next(): boolean {
    const [oldest] = this.#waiting
    if (oldest) this.begin(oldest)
    return oldest !== undefined
  }

  /** Begins one unless it was refused. */
  begin(waiting: Waiting): void {
    if (this.#waiting.delete(waiting)) waiting.begin()
  }

  #newestOfMost(): Waiting | undefined {
    const counts = new Map<string, number>()
    for (const { source } of this.#waiting) counts.set(source, (counts.get(source) ?? 0) + 1)
    const most = Math.max(...counts.values())
    return [...this.#waiting].findLast(({ source }) => counts.get(source) === most)
  }
}
