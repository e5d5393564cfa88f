// Scopes, rules and links of an imported state count from the folder that was served: on another one they would open something else.
import { authorize } from './access/authorize.ts'
import { noPermissions } from './access/permissions.ts'
import type { Principal } from './access/principal.ts'
import { noRules } from './access/rules.ts'
import { Operation } from './base/operation.ts'
import { type Path, rootPath } from './base/paths.ts'
import { StartupError } from './base/startup-error.ts'
import type { Disk } from './disk/disk.ts'
import { localDisk } from './disk/local-disk.ts'
import { ProtectedPaths } from './disk/protected-paths.ts'
import type { Options } from './options/options.ts'
import type { State } from './state/state.ts'

type RootOptions = Pick<Options, 'root' | 'linksInto' | 'database'>

/** Nothing is hidden from the import but what is protected. */
export const importer: Principal = {
  ...{ userId: 0, name: '', permissions: noPermissions, rules: noRules, scope: rootPath, base: rootPath },
}
export const readable = (path: Path) => authorize(importer, 'read', path)

/** Works with a disk of the whole root, which is closed afterwards. */
export async function onRoot<T>(
  { root, linksInto, database }: RootOptions,
  work: (disk: Disk, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const protectedPaths = ProtectedPaths.of({ stateFile: database, files: [], folders: [] })
  const operation = new Operation()
  const { signal } = operation
  try {
    return await work(operation.own(localDisk({ root, linksInto, scope: rootPath, protectedPaths, signal })), signal)
  } finally {
    await operation.end()
    await protectedPaths.close()
  }
}

/** What identifies the root lastingly; '' where nothing does. */
export const rootIdentityOn = (disk: Disk): Promise<string> => disk.identify(readable(rootPath))

/**
 * Compares the root with the one of the last import, or takes it for that one with --root-moved.
 * @throws StartupError when it is another one
 */
export async function checkImportedRoot(
  state: Pick<State, 'imports' | 'run'>,
  options: RootOptions & Pick<Options, 'rootMoved'>,
): Promise<void> {
  const last = (await state.imports()).at(-1)
  if (last === undefined) return
  const { root } = options
  const rootIdentity = await onRoot(options, rootIdentityOn)
  const isSame = last.rootIdentity !== '' && rootIdentity !== '' ? last.rootIdentity === rootIdentity : last.root === root
  if (isSame) return
  if (options.rootMoved === true) return state.run('moveRoot', { root, rootIdentity })
  throw new StartupError(
    `${options.database} was imported for another folder than --root ${root} (${last.root}): serve that one, or add --root-moved once when ${root} holds the same files.`,
  )
}
