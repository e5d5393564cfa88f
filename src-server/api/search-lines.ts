// The answer of a search line by line.
import { setTimeout } from 'node:timers/promises'
import type { FoundResults } from '../files/user-files.ts'
import { lineOf } from './json-lines.ts'

/** Milliseconds after which an empty line is sent, so that proxies do not close the connection. */
const usualPulse = 5000

/** How lines are made. */
export type SearchLinesHow = Readonly<{
  /** The object of the last line when the search fails: its status has been sent. */
  failed(error: unknown): object
  /** Milliseconds. */
  pulse?: number
}>

/** A line for each result as soon as it is found, an empty line while nothing comes, and at the end why there may be more. */
export async function* searchLines(
  found: AsyncIterable<FoundResults>,
  { failed, pulse = usualPulse }: SearchLinesHow,
): AsyncGenerator<string> {
  const parts = found[Symbol.asyncIterator]()
  try {
    for (let next = parts.next(); ; ) {
      const came = await orPulse(next, pulse)
      if (came === 'pulse') {
        yield '\n'
        continue
      }
      if (came.done) return
      yield textOf(came.value)
      next = parts.next()
    }
  } catch (error) {
    yield lineOf(failed(error))
  } finally {
    await parts.return?.()
  }
}

async function orPulse<T>(next: Promise<T>, pulse: number): Promise<T | 'pulse'> {
  const came = new AbortController()
  const ticked = setTimeout(pulse, 'pulse' as const, { signal: came.signal }).catch(() => 'pulse' as const)
  try {
    return await Promise.race([next, ticked])
  } finally {
    came.abort()
  }
}

function textOf(part: FoundResults): string {
  return 'more' in part ? lineOf(part) : part.results.map(lineOf).join('')
}
