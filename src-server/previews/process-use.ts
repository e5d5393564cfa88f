import * as fs from 'node:fs'

/** Milliseconds in a tick of /proc/PID/stat: USER_HZ is 100 on every Linux that Node runs on. */
const tick = 10

/** What a process uses. */
export type ProcessUse = Readonly<{
  /** Bytes that no file has: the mapped executable does not count. 0 where the system does not say. */
  memory: number
  /** Milliseconds of all its threads since it began; undefined where the system does not say. */
  processor: number | undefined
}>

/** From the kernel's figures in /proc. */
export function measureProcess(pid: number): ProcessUse {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(textOf(pid, 'status')) ?? []
  const stat = textOf(pid, 'stat')
  // Counted from the third field: the second, the name, may hold spaces and parentheses.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  const processor = user === undefined || system === undefined ? undefined : (user + system) * tick
  return { memory: Number(kilobytes ?? 0) * 1024, processor }
}

/** @returns '' for a process that has ended, and on other systems than Linux */
function textOf(pid: number, name: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
