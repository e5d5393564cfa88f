// Work on long lists in short turns, so that other requests are served meanwhile.
import { setImmediate } from 'node:timers/promises'

/** Milliseconds of one turn: several lists may be worked on at once, and everybody else waits for a turn of each. */
const longestTurn = 2
/** Elements after which the clock is looked at. */
const fewElements = 100
/** Elements that are sorted at once: some half of a millisecond. */
const runLength = 500

/** The turns of one work. */
class Turns {
  readonly #signal: AbortSignal | undefined
  #end = performance.now() + longestTurn

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Serves others. @throws the signal's reason when it is aborted meanwhile */
  async next(): Promise<void> {
    await setImmediate()
    this.#signal?.throwIfAborted()
    this.#end = performance.now() + longestTurn
  }
}

/** Does something with each element in turn. @throws the signal's reason when it is aborted meanwhile */
export async function eachYielding<T>(list: readonly T[], work: (element: T) => void, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const turns = new Turns(signal)
  for (let index = 0; index < list.length; index++) {
    work(list[index] as T)
    if (index % fewElements === fewElements - 1 && turns.isOver) await turns.next()
  }
}

/** Maps a list. What maps to undefined is left out. @throws the signal's reason when it is aborted meanwhile */
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
  const turns = new Turns(signal)
  let runs: T[][] = []
  for (let from = 0; from < list.length; from += runLength) {
    runs.push(list.slice(from, from + runLength).sort(compare))
    if (turns.isOver) await turns.next()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], { compare, turns }))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(first: T[], second: T[], { compare, turns }: { compare: Compare<T>; turns: Turns }): Promise<T[]> {
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
    if (merged.length % fewElements === 0 && turns.isOver) await turns.next()
  }
  return merged.concat(left < first.length ? first.slice(left) : second.slice(right))
}
