import { setTimeout } from 'node:timers/promises'
import type { FoundResults } from '../files/user-files.ts'

/** Milliseconds after which an empty line is sent, so that proxies do not close the connection. */
const usualPulse = 5000

/** A line for each result as soon as it is found, an empty line while nothing comes, and at the end why there may be more. */
export async function* jsonLines(found: AsyncIterable<FoundResults>, pulse: number = usualPulse): AsyncGenerator<string> {
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
  const lines = 'more' in part ? [part] : part.results
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
