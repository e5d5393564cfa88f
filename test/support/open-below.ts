import { readdirSync, readlinkSync } from 'node:fs'

/** The paths at and below a folder that this process has open, including removed ones. */
export function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((target) => target === folder || target.startsWith(`${folder}/`))
}

/** The path of a handle; '' when it was closed meanwhile. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}
