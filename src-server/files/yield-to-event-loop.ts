import { setImmediate } from 'node:timers/promises'

/** Entries that are worked on before others are served: some ten milliseconds. */
const turn = 2000

/**
 * Maps a long list, and serves others now and then. What maps to undefined is left out.
 * @throws the signal's reason when it is aborted meanwhile
 */
export async function mapYielding<T, U>(
  list: readonly T[],
  map: (element: T) => U | undefined,
  signal: AbortSignal,
): Promise<U[]> {
  const mapped: U[] = []
  for (let index = 0; index < list.length; index++) {
    const result = map(list[index] as T)
    if (result !== undefined) mapped.push(result)
    if (index % turn !== turn - 1) continue
    await setImmediate()
    signal.throwIfAborted()
  }
  return mapped
}
