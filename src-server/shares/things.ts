import { authorize } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { noRules } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { type Path, rootPath } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'

/** What is at a path of the served root, whatever anybody may see there. */
export type Things = Readonly<{
  /** The path without links on the way; undefined when nothing is there. */
  truePathOf(path: Path): Promise<Path | undefined>
  /** As Disk.identify says it; undefined when nothing is there. */
  identify(path: Path): Promise<string | undefined>
}>

/** The server itself: nothing is hidden from it, and it changes nothing. */
const server: Principal = { userId: 0, name: '', permissions: noPermissions, rules: noRules, scope: rootPath, base: rootPath }

/** @param diskFor opens the disk of a principal, which the operation owns */
export function thingsOn(diskFor: (principal: Principal, operation: Operation) => Disk): Things {
  const ask = async <T>(work: (disk: Disk) => Promise<T>): Promise<T | undefined> => {
    const operation = new Operation()
    try {
      return await work(diskFor(server, operation))
    } catch (error) {
      if (error instanceof Failure && (error.code === 'notFound' || error.code === 'forbidden')) return undefined
      throw error
    } finally {
      await operation.end()
    }
  }
  return {
    truePathOf: (path) => ask(async (disk) => (await disk.stat(authorize(server, 'see', path))).truePath ?? path),
    identify: (path) => ask((disk) => disk.identify(authorize(server, 'see', path))),
  }
}
