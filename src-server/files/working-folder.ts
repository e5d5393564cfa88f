import { authorize } from '../access/authorize.ts'
import { pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { FileContext } from './walk.ts'

/** Where a command runs: the path of the host, and the path in the served root. */
export type WorkingFolder = Readonly<{ host: string; served: Path }>

/** A folder for programs of the host. @throws Failure('forbidden' | 'notFound'), Failure('invalid') for a file */
export async function workingFolder({ principal, disk, signal }: FileContext, path: Path): Promise<WorkingFolder> {
  const capability = authorize(principal, 'execute', path)
  const { isDir } = await disk.stat(authorize(principal, 'see', path), signal)
  if (!isDir) throw new Failure('invalid', 'commands run in folders')
  return { host: await disk.hostPath(capability), served: pathsOf(principal, path).served }
}
