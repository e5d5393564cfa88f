import type { Clock } from './clock.ts'

/** Waits some milliseconds, or until the signal is aborted. @returns whether it was not aborted */
export async function delay(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  await new Promise<void>((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end)
      cancel()
      resolve()
    }
    const cancel = clock.after(milliseconds, end)
    signal.addEventListener('abort', end, { once: true })
  })
  return !signal.aborted
}
