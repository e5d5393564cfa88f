import { readdirSync, readlinkSync } from 'node:fs'

/** What this process has open of a folder and below it, also what was removed since. */
export function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((target) => target === folder || target.startsWith(`${folder}/`))
}

/** '' when it was closed meanwhile. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}
