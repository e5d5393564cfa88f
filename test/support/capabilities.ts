// Principals, capabilities and contexts for tests of the disk and of files/.
import { authorize, type Capability } from '../../src-server/access/authorize.ts'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Principal } from '../../src-server/access/principal.ts'
import { compileRules } from '../../src-server/access/rules.ts'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import type { Action } from '../../src-server/contract/permissions.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import type { FileContext } from '../../src-server/files/walk.ts'

/** A principal with all permissions, except at the denied paths. */
export function principal(...denied: string[]): Principal {
  const rules = compileRules(denied.map((path) => ({ allow: false, path, regex: false, regexp: { raw: '' } })))
  return { userId: 1, name: 'ann', permissions: allPermissions, rules, scope: rootPath, base: rootPath }
}

/** The context of work on files: by default with all permissions and a signal that is never aborted. */
export function fileContext(disk: Disk, given: Partial<FileContext> = {}): FileContext {
  return { disk, principal: principal(), signal: new AbortController().signal, ...given }
}

export function capability<N extends Action>(action: N, path: string, who: Principal = principal()): Capability<N> {
  return authorize(who, action, parsePath(path))
}

/** A body in chunks. */
export async function* body(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

/** A body that fails after its chunks, like a broken connection. */
export async function* brokenBody(...chunks: string[]): AsyncGenerator<Uint8Array> {
  yield* body(...chunks)
  throw new Error('the connection broke')
}
