// Works on long lists in short slices of time, so that other requests are served between them.
import { nextTurn } from './turns.ts'

/** Milliseconds of one slice. When several lists are worked on at once, one of them has a slice in each turn of the event loop. */
const sliceLength = 2
/** Elements between two readings of the clock. */
const elementsPerReading = 100
/** Elements that are sorted in one go: about half a millisecond. */
const runLength = 500

/** The slices of time of one task. */
class Slices {
  readonly #signal: AbortSignal | undefined
  #end = performance.now() + sliceLength

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Lets the event loop run once. @throws the signal's reason when it is aborted meanwhile */
  async next(): Promise<void> {
    await nextTurn()
    this.#signal?.throwIfAborted()
    this.#end = performance.now() + sliceLength
  }
}

/**
 * Calls `work` with each element. @throws the signal's reason when it is aborted meanwhile
 * @param perReading how many elements are worked on between two readings of the clock: few where one may take long
 */
export async function eachYielding<T>(
  list: readonly T[],
  work: (element: T) => void,
  signal?: AbortSignal,
  perReading = elementsPerReading,
): Promise<void> {
  signal?.throwIfAborted()
  const slices = new Slices(signal)
  for (let index = 0; index < list.length; index++) {
    work(list[index] as T)
    if (index % perReading === perReading - 1 && slices.isOver) await slices.next()
  }
}

/** Maps a list and drops undefined results. @throws the signal's reason when it is aborted meanwhile */
export async function mapYielding<T, U>(
  list: readonly T[],
  map: (element: T) => U | undefined,
  signal?: AbortSignal,
): Promise<U[]> {
  const mapped: U[] = []
  const add = (element: T) => {
    const result = map(element)
    if (result !== undefined) mapped.push(result)
  }
  await eachYielding(list, add, signal)
  return mapped
}

type Compare<T> = (a: T, b: T) => number

/** Sorts as `list.toSorted(compare)` does. @throws the signal's reason when it is aborted meanwhile */
export async function sortYielding<T>(list: readonly T[], compare: Compare<T>, signal?: AbortSignal): Promise<T[]> {
  const slices = new Slices(signal)
  let runs: T[][] = []
  for (let from = 0; from < list.length; from += runLength) {
    runs.push(list.slice(from, from + runLength).sort(compare))
    if (slices.isOver) await slices.next()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], { compare, slices }))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(first: T[], second: T[], { compare, slices }: { compare: Compare<T>; slices: Slices }): Promise<T[]> {
  if (second.length === 0) return first
  const merged: T[] = []
  let [left, right] = [0, 0]
  while (left < first.length && right < second.length) {
    const [a, b] = [first[left] as T, second[right] as T]
    if (compare(a, b) <= 0) {
      merged.push(a)
      left++
    } else {
      merged.push(b)
      right++
    }
    if (merged.length % elementsPerReading === 0 && slices.isOver) await slices.next()
  }
  return merged.concat(left < first.length ? first.slice(left) : second.slice(right))
}
