import { signal } from '@preact/signals-core'
import { patience } from './listing.ts'

/** Something that was asked for is being done, and lasts long enough to be shown. */
export const working = signal(false)

let running = 0

/** Shows that work is under way once it lasts. */
export async function during<T>(work: Promise<T>): Promise<T> {
  running += 1
  const timer = setTimeout(() => {
    working.value = true
  }, patience)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    running -= 1
    if (running === 0) working.value = false
  }
}
