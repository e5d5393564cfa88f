// Processor time and memory of another process during work, from the kernel's figures in /proc.
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Ticks of /proc/PID/stat in a second: USER_HZ, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100
/** Milliseconds between two samples of the memory. */
const interval = 20

/** Bytes: `anonymous` is what the process has allocated, `resident` also counts the pages of the files that it runs from. */
export type Memory = { anonymous: number; resident: number }
/** `memory` is the peak. */
export type Cost = { seconds: number; processor: number; memory: Memory }

/** Seconds of processor time, user and system, of all threads since the process began. */
export function processorTime(pid: number | 'self'): number {
  const [user, system] = statFields(pid, 11, 13)
  return ((user ?? 0) + (system ?? 0)) / ticksPerSecond
}

/** Seconds of processor time of this process's children that have ended. */
export function processorTimeOfChildren(): number {
  const [user, system] = statFields('self', 13, 15)
  return ((user ?? 0) + (system ?? 0)) / ticksPerSecond
}

/** Counted from the third field: the second, the name, may hold spaces and parentheses. */
function statFields(pid: number | 'self', from: number, to: number): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(from, to).map(Number)
}

export function memoryOf(pid: number): Memory {
  return { anonymous: statusField(pid, 'RssAnon'), resident: statusField(pid, 'VmRSS') }
}

function statusField(pid: number, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has ended`)
  return Number(kilobytes) * 1024
}

/** Runs the work and measures it. The peak of `anonymous` is the largest of samples, that of `resident` the kernel's (VmHWM). */
export async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const peak = watchPeak(pid)
  const processor = processorTime(pid)
  const started = performance.now()
  try {
    await work()
  } finally {
    peak.stop()
  }
  const seconds = (performance.now() - started) / 1000
  return { seconds, processor: processorTime(pid) - processor, memory: peak.memory() }
}

export type PeakWatch = { memory(): Memory; stop(): void }

/** Begins a new peak. `memory` throws when the process has ended. */
export function watchPeak(pid: number): PeakWatch {
  // "5" resets VmHWM to the resident memory: man 5 proc_pid_clear_refs.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  let anonymous = 0
  const look = () => {
    anonymous = Math.max(anonymous, memoryOf(pid).anonymous)
  }
  look()
  const timer = setInterval(() => {
    try {
      look()
    } catch {
      // The process has ended: `memory` says so.
      clearInterval(timer)
    }
  }, interval)
  return {
    memory: () => {
      look()
      return { anonymous, resident: statusField(pid, 'VmHWM') }
    },
    stop: () => clearInterval(timer),
  }
}

/** The number of open sockets of the process, most of them connections. */
export function socketsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((name) => isSocket(`/proc/${pid}/fd/${name}`)).length
}

function isSocket(link: string) {
  try {
    return readlinkSync(link).startsWith('socket:')
  } catch {
    // It was closed in between.
    return false
  }
}

/** Milliseconds: the required idle interval, and the longest wait for it. */
const quiet = 2000
const longest = 30_000
/** Seconds of processor time in the idle interval that do not count as work: timers and garbage collection. */
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
