import { authorize } from '../access/authorize.ts'
import { pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import { type Path, rootPath } from '../base/paths.ts'
import type { FileContext } from './walk.ts'

/** Where a command runs: the path of the host, the person's scope on the host, and the path in the served root. */
export type WorkingFolder = Readonly<{ host: string; scope: string; served: Path }>

/** A folder for programs of the host. @throws Failure('forbidden' | 'notFound'), Failure('invalid') for a file */
export async function workingFolder({ principal, disk, signal }: FileContext, path: Path): Promise<WorkingFolder> {
  const capability = authorize(principal, 'execute', path)
  const { isDir } = await disk.stat(authorize(principal, 'read', path), signal)
  if (!isDir) throw new Failure('invalid', 'commands run in folders')
  const scope = await disk.hostPath(authorize(principal, 'read', rootPath))
  return { host: await disk.hostPath(capability), scope, served: pathsOf(principal, path).served }
}
