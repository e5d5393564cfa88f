// Opens the folder that is the root of a disk.
import { Failure } from '../base/failure.ts'
import { type Path, rootPath } from '../base/paths.ts'
import type { DiskContext } from './disk-context.ts'
import { present } from './entry.ts'
import { fileSystemAt, fileSystemOn, isFastDevice } from './file-systems.ts'
import { duplicateHandle, type HandleStrategy, type PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'

/** The device of each root when it was opened last. */
const rootDevices = new Map<string, bigint>()

/** Opens the served root: on the main thread where its device answered fast within the last second, as every folder below it. */
export async function openRoot(strategy: HandleStrategy, address: string, signal?: AbortSignal): Promise<PathHandle> {
  const device = rootDevices.get(address)
  const isFast = strategy.now && device !== undefined && isFastDevice(device)
  const { calls } = device === undefined ? fileSystemAt(address) : fileSystemOn(device)
  const root = isFast ? strategy.now.openPath(address) : await calls.read(() => strategy.openPath(address), signal)
  rootDevices.set(address, root.stats.dev)
  return root
}

type Base = Readonly<{ scope: Path; base: Path; signal?: AbortSignal | undefined }>

/**
 * Opens the base of a principal below its scope. @returns the root of the context itself when that is it
 * @throws Failure('notFound') when a link leads to the base: rules are checked by its path, which would not be the true one
 */
export async function openBase(context: DiskContext, { scope, base, signal }: Base): Promise<PathHandle> {
  const folder = await openScope(context, scope, signal)
  if (base === rootPath) return folder
  const below = { path: base, need: 'see', isBlocked: () => false, signal } as const
  try {
    return await withResolvedPath({ ...context, root: folder }, below, false, async (resolved) => {
      const found = present(resolved)
      if (resolved.truePath !== undefined) throw new Failure('notFound')
      assertServable(context, found)
      return duplicateHandle(context.strategy, found, signal)
    })
  } finally {
    if (folder !== context.root) folder.close()
  }
}

/** @returns the root of the context itself when that is the scope */
async function openScope(context: DiskContext, scope: Path, signal: AbortSignal | undefined): Promise<PathHandle> {
  if (scope === rootPath) {
    await context.protectedPaths.refresh()
    assertServable(context, context.root)
    return context.root
  }
  const everything = { path: scope, need: 'see', isBlocked: () => false, signal } as const
  return withResolvedPath(context, everything, true, async (resolved) => {
    const folder = present(resolved)
    assertServable(context, folder)
    return duplicateHandle(context.strategy, folder, signal)
  })
}

function assertServable({ protectedPaths }: DiskContext, folder: PathHandle) {
  if (folder.kind !== 'folder') throw new Failure('notFound', 'the scope is not a folder')
  if (protectedPaths.isProtected(folder.identity)) throw new Failure('forbidden', "the folder is the server's own")
}
