// On which device a path lies, by the list of mounts alone: no disk is asked, which might not answer.
import { readFileSync } from 'node:fs'

type Mount = Readonly<{ point: string; device: string }>

/** The device of a path of the host, as the system names it: `8:1`. What links on the way lead to is not known. */
export function deviceOfPath(path: string, mounts: readonly Mount[] = mountsNow()): string {
  let found: Mount = { point: '', device: '' }
  // Of two on one point the later one is seen.
  for (const mount of mounts) if (mount.point.length >= found.point.length && isBelow(path, mount.point)) found = mount
  return found.device
}

/** All mounts, in the order of their list; none where the system has no such list. */
export function mountsNow(): readonly Mount[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(mountIn)
  } catch {
    return []
  }
}

/** A line has an id, that of its parent, the device, the root in it, and the mount point. */
function mountIn(line: string): Mount[] {
  const [, , device, , point] = line.split(' ')
  return device !== undefined && point !== undefined ? [{ device, point: unescaped(point) }] : []
}

function isBelow(path: string, point: string): boolean {
  return point === '/' || path === point || path.startsWith(`${point}/`)
}

/** Blanks and backslashes stand in octal; the bytes are UTF-8. */
function unescaped(point: string): string {
  const bytes = point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
  return Buffer.from(point === bytes ? point : bytes, point === bytes ? 'utf8' : 'latin1').toString('utf8')
}
