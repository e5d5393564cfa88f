// Waits for a process that has nothing to do any more.
import { setTimeout } from 'node:timers/promises'
import { processorTime } from './process-cost.ts'

/** Milliseconds: how long it may do nothing, and how long the wait may last. */
const quiet = 2000
const longest = 30_000
/** Seconds of processor time in the quiet interval that are no work: timers and the collector. */
const idle = 0.02

/** @returns when the process has been idle for two seconds. @throws after thirty */
export async function untilAtRest(pid: number): Promise<void> {
  const end = performance.now() + longest
  for (let before = processorTime(pid); ; ) {
    await setTimeout(quiet)
    const now = processorTime(pid)
    if (now - before <= idle) return
    if (performance.now() > end) throw new Error(`process ${pid} is still at work after ${longest / 1000} s`)
    before = now
  }
}
