// The mounts of this machine by the system's own list, which is answered from memory: no disk is asked, which might not answer.
import { readFileSync } from 'node:fs'

/** `point`: a path of the host. `device`: as the system names it, such as `8:1`. */
export type Mount = Readonly<{ point: string; device: string }>

/** All mounts, in the order of their list; undefined where the system has no such list. */
export function readMounts(): Mount[] | undefined {
  try {
    return mountsIn(readFileSync('/proc/self/mountinfo', 'latin1'))
  } catch {
    return undefined
  }
}

/** @param list as proc(5) describes mountinfo, its bytes one character each */
export function mountsIn(list: string): Mount[] {
  return list.split('\n').flatMap((line) => {
    // An id, that of its parent, the device, the root in it, and the mount point.
    const [, , device, , point] = line.split(' ')
    return device !== undefined && point !== undefined ? [{ device, point: unescaped(point) }] : []
  })
}

/** Blanks, tabs, new lines and backslashes stand in octal; the bytes are UTF-8. */
function unescaped(point: string): string {
  const bytes = point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The mount points at a path of the host, and below it. */
export function mountsBelow(path: string): string[] {
  return (readMounts() ?? []).map(({ point }) => point).filter((point) => isBelow(point, path))
}

/** The devices of paths of the host, each once. What links on the way lead to is not known. */
export function devicesOfPaths(paths: readonly string[], mounts?: readonly Mount[]): string[] {
  return [...new Set(paths.map(deviceFinder(mounts)))]
}

/** Finds the devices of paths of the host, '' where none is known, with one reading of the mounts. */
export function deviceFinder(mounts: readonly Mount[] = readMounts() ?? []): (path: string) => string {
  // The later of two on one point, and the inner one, come first.
  const inward = mounts.toReversed().toSorted((one, other) => other.point.length - one.point.length)
  const starts = inward.map(({ point, device }) => ({ point, device, start: point === '/' ? '/' : `${point}/` }))
  return (path) => starts.find(({ point, start }) => path === point || path.startsWith(start))?.device ?? ''
}

/**
 * Some things by the devices of paths of the host that they have, in their order: what is done with those of one device one after another
 * is held up by it alone when it does not answer.
 */
export function byDevice<T>(things: readonly T[], pathOf: (thing: T) => string): Map<string, T[]> {
  const deviceOf = deviceFinder()
  return Map.groupBy(things, (thing) => deviceOf(pathOf(thing)))
}

function isBelow(path: string, point: string): boolean {
  return point === '/' || path === point || path.startsWith(`${point}/`)
}
