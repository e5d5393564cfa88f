import { readFileSync } from 'node:fs'

/** Whether a process runs; one that has ended and was not yet waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
