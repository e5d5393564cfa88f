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
import type { ImportedFrom } from './state/state-data.ts'

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

/** What is stored of the root from now on. */
export type MovedRoot = Pick<ImportedFrom, 'root' | 'rootIdentity'>

/**
 * Compares the root with the one of the last import.
 * @returns what is to be stored when --root-moved takes it for that one; undefined for the same, and when nothing was imported
 * @throws StartupError when it is another one
 */
export async function movedRoot(
  last: ImportedFrom | undefined,
  options: RootOptions & Pick<Options, 'rootMoved'>,
): Promise<MovedRoot | undefined> {
  if (last === undefined) return undefined
  const { root } = options
  const rootIdentity = await onRoot(options, rootIdentityOn)
  if (isSameRoot(last, { root, rootIdentity })) return undefined
  if (options.rootMoved === true) return { root, rootIdentity }
  throw new StartupError(
    `${options.database} was imported for another folder than --root ${root} (${last.root}): serve that one, or add --root-moved once when ${root} holds the same files.`,
  )
}

function isSameRoot(last: MovedRoot, now: MovedRoot): boolean {
  const isSamePath = last.root === now.root
  if (last.rootIdentity === '' || now.rootIdentity === '') return isSamePath
  const [before, present] = [partsOf(last.rootIdentity), partsOf(now.rootIdentity)]
  if (before.inode !== present.inode) return false
  // The top folders of two disks often have one number. A disk that does not keep the time may tell it since an update of the system.
  const areBirthsKnown = before.birth !== '0' && present.birth !== '0'
  return areBirthsKnown ? before.birth === present.birth : isSamePath
}

/** `inode`: with the device where that is another than the root's. `birth`: '0' where the disk does not tell it. */
function partsOf(identity: string): { inode: string; birth: string } {
  const end = identity.lastIndexOf(':')
  return { inode: identity.slice(0, end), birth: identity.slice(end + 1) }
}

/** Compares them at the start of the server, and stores a root that has moved. @throws StartupError as movedRoot */
export async function checkImportedRoot(
  state: Pick<State, 'imports' | 'run'>,
  options: RootOptions & Pick<Options, 'rootMoved'>,
): Promise<void> {
  const moved = await movedRoot((await state.imports()).at(-1), options)
  if (moved !== undefined) await state.run('moveRoot', moved)
}
