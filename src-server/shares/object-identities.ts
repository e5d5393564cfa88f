import { authorize } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { noRules } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { type Path, rootPath } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'
import { mapLimit } from '../disk/map-limit.ts'

/** What is at a path of the served root, whatever anybody may see there. */
export type ObjectIdentities = Readonly<{
  /** The path without links on the way; undefined when nothing is there. */
  truePathOf(path: Path): Promise<Path | undefined>
  /** Where on the host it is, without links on the way and at its end; undefined when nothing is there. */
  hostPathOf(path: Path): Promise<string | undefined>
  /** As Disk.identify says it; undefined when nothing is there. */
  identify(path: Path): Promise<string | undefined>
  /** The same for several, a few at a time. @returns in the order of the paths */
  identifyAll(paths: readonly Path[]): Promise<(string | undefined)[]>
}>

/** Questions that the disk is asked at a time: others are served meanwhile. */
const atOnce = 16

/** The server itself: nothing is hidden from it, and it changes nothing. */
const server: Principal = { userId: 0, name: '', permissions: noPermissions, rules: noRules, scope: rootPath, base: rootPath }

/** @param diskFor opens the disk of a principal, which the operation owns */
export function identitiesOn(diskFor: (principal: Principal, operation: Operation) => Disk): ObjectIdentities {
  const withDisk = async <T>(work: (disk: Disk) => Promise<T>): Promise<T> => {
    const operation = new Operation()
    try {
      return await work(diskFor(server, operation))
    } finally {
      await operation.end()
    }
  }
  const identifyOn = (disk: Disk, path: Path) => orMissing(disk.identify(authorize(server, 'read', path)))
  return {
    truePathOf: (path) => withDisk((disk) => orMissing(truePathOn(disk, path))),
    hostPathOf: (path) => withDisk((disk) => orMissing(disk.hostPath(authorize(server, 'read', path)))),
    identify: (path) => withDisk((disk) => identifyOn(disk, path)),
    identifyAll: (paths) =>
      withDisk(async (disk) => {
        const identities: (string | undefined)[] = []
        await mapLimit(paths, atOnce, async (path, index) => {
          identities[index] = await identifyOn(disk, path)
        })
        return identities
      }),
  }
}

async function truePathOn(disk: Disk, path: Path): Promise<Path> {
  return (await disk.stat(authorize(server, 'read', path))).truePath ?? path
}

async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Failure && (error.code === 'notFound' || error.code === 'forbidden')) return undefined
    throw error
  }
}
