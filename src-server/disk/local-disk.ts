import { sep } from 'node:path'
import { Failure } from '../base/failure.ts'
import { orAborted } from '../base/or-aborted.ts'
import { type Path, rootPath } from '../base/paths.ts'
import { countItems } from './count-items.ts'
import { Disk } from './disk.ts'
import type { DiskContext, FolderJournal } from './disk-context.ts'
import {
  type BeginHow,
  type CommitHow,
  type CountHow,
  DiskDriver,
  type DriverFile,
  type Entry,
  type FindHow,
  type Granted,
  type KeepHow,
  type LinkHow,
  type ListHow,
  type MoveHow,
  type RemoveHow,
  type RollbackCopy,
  type TidyPart,
  type TrashedItem,
  type TrashedPart,
  type TrashHow,
  type TrashPlace,
  type TrashRead,
  type WholeFile,
  type WholeHow,
} from './driver.ts'
import { entryAt, present } from './entry.ts'
import { asFailure } from './errno.ts'
import { fileSystemAt, fileSystemOn, isFastDevice } from './file-systems.ts'
import { find } from './find.ts'
import { fromTrash, purge, tidyTrash } from './from-trash.ts'
import { openTree } from './hidden-tree.ts'
import { KeptFolders } from './kept-folders.ts'
import { list, listInParts } from './list.ts'
import { copyLink, makeFolder, makeLink, setFolderAttributes } from './make.ts'
import { move } from './move.ts'
import { noTrash } from './no-trash.ts'
import { openFile, readWhole } from './open.ts'
import { duplicateHandle, type HandleStrategy, type PathHandle, systemStrategy } from './path-handle.ts'
import { assertRemovable, hostPathOf, identityAt, inodeAt, isWithin, usageAt } from './path-queries.ts'
import type { ProtectedPaths } from './protected-paths.ts'
import { openTrashed, othersTrashes, trashed, walkTrashed } from './read-trash.ts'
import { remove } from './remove.ts'
import { isReservedName } from './reserved-names.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { dropRollback, keepRollback, rollBack } from './rollback-copies.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { type DiskSystem, diskSystem } from './system.ts'
import { toTrash } from './to-trash.ts'
import { FolderWatches } from './watch.ts'
import { beginWrite, copyFile, resumeWrite } from './write.ts'

export type LocalDiskOptions = Readonly<{
  /** A folder of the host. */
  root: string
  /** The folder below the root that is the disk's own root. */
  scope: Path
  /** The folder below the scope that is the disk's own root instead. No link leads to it. */
  base?: Path
  protectedPaths: ProtectedPaths
  /** Folders of the host into which links may lead. */
  linksInto: readonly string[]
  journal?: FolderJournal
  /** Shared by the disks of a server. */
  watches?: FolderWatches
  system?: DiskSystem
  strategy?: HandleStrategy
  /** As if the file system said it. */
  inodesLast?: (device: bigint) => boolean
  /** Ends the waiting for a device while the folder is opened. Of a disk that is opened at its first call: ends all of it. */
  signal?: AbortSignal
}>

/** The files below one folder of this machine, which is opened at the first call. */
export function localDisk(options: LocalDiskOptions): Disk {
  return new Disk(() => LocalDriver.open(options), options.signal)
}

/**
 * The same, opened at once.
 * @throws Failure('notFound') when there is no such folder, Failure('forbidden') when it is protected or a link leaves the root
 */
export async function openLocalDisk(options: LocalDiskOptions): Promise<Disk> {
  return new Disk(await LocalDriver.open(options))
}

class LocalDriver extends DiskDriver {
  readonly #context: DiskContext
  #running = 0
  #isClosed = false

  /** Keeps the scope's folder open until close(): the disk keeps this folder even when it is renamed. */
  static async open({
    root,
    scope,
    base = rootPath,
    system = diskSystem,
    strategy = systemStrategy,
    watches = new FolderWatches(),
    signal,
    ...rest
  }: LocalDiskOptions): Promise<LocalDriver> {
    // With '/.', so that a root that is a link is followed: the administrator chose it.
    const whole = await asFailure(openRoot(strategy, `${root}/.`, signal))
    const rootPath = await strategy.hostPathOf(whole)
    const context = {
      root: whole,
      rootPath,
      servedPath: rootPath,
      rootDevice: whole.stats.dev,
      system,
      strategy,
      watches,
      ...rest,
    }
    let folder: PathHandle | undefined
    try {
      folder = await asFailure(openBase(context, { scope, base, signal }))
      return new LocalDriver({ ...context, root: folder, rootPath: await pathBelow(context, folder) })
    } finally {
      if (folder !== whole) whole.close()
    }
  }

  private constructor(context: DiskContext) {
    super()
    this.#context = context
  }

  override close() {
    this.#isClosed = true
    this.#closeWhenIdle()
  }

  override stat(at: Granted) {
    return this.#ask((context) => entryAt(context, at), at)
  }

  override identify(at: Granted) {
    return this.#ask((context) => identityAt(context, at), at)
  }

  override inode(at: Granted) {
    return this.#ask((context) => inodeAt(context, at), at)
  }

  override list(at: Granted, how?: ListHow) {
    return this.#ask((context) => list(context, at, how), at)
  }

  override listInParts(at: Granted, how?: ListHow) {
    return listInParts((work) => this.#ask(work, at), at, how)
  }

  override countItems(at: Granted, how: CountHow) {
    return this.#ask((context) => countItems(context, { ...at, signal: how.signal }, how), at)
  }

  override find(at: Granted, how: FindHow) {
    return find((work) => this.#run(work), at, how)
  }

  override open(at: Granted) {
    const close = (file: DriverFile) => file.close()
    return this.#ask((context) => openFile(context, at), at, close)
  }

  override readWhole(at: Granted, how: WholeHow) {
    const release = (read: WholeFile) => read.release?.()
    return this.#ask((context) => readWhole(context, at, how), at, release)
  }

  override isWithin(at: Granted, folder: Granted) {
    return this.#ask((context) => isWithin(context, at, folder), at)
  }

  override usage(at: Granted) {
    return this.#ask((context) => usageAt(context, at), at)
  }

  override hostPath(at: Granted) {
    return this.#run((context) => hostPathOf(context, at))
  }

  override watch(at: Granted, signal: AbortSignal) {
    return this.#ask((context) => context.watches.open(context, at, signal), at)
  }

  override async copyFile(from: Granted, to: Granted, how: CommitHow) {
    return (await this.#run((context) => copyFile(context, from, to, how))) ?? super.copyFile(from, to, how)
  }

  override beginWrite(at: Granted, how: BeginHow) {
    return beginWrite((work) => this.#run(work), at, how)
  }

  override resumeWrite(at: Granted, how: BeginHow & { name: string }) {
    return resumeWrite((work) => this.#run(work), at, how)
  }

  override makeFolder(at: Granted, like?: Entry) {
    return this.#run((context) => makeFolder(context, at, like))
  }

  override setFolderAttributes(at: Granted, like: Entry) {
    return this.#run((context) => setFolderAttributes(context, at, like))
  }

  override copyLink(from: Granted, to: Granted, how: LinkHow) {
    return this.#run((context) => copyLink(context, { ...from, mayLeave: from.action === 'rename' }, { ...to, ...how }))
  }

  override makeLink(at: Granted, text: string) {
    return this.#run((context) => makeLink(context, at, text))
  }

  override openTree(at: Granted) {
    const driverIn = (inner: DiskContext) => new LocalDriver(inner)
    return this.#run((context) => openTree({ context, driverIn, run: (work) => this.#run(work) }, at))
  }

  override keepRollback(at: Granted, { follows }: { follows: boolean }) {
    return this.#run((context) => keepRollback(context, at, follows))
  }

  override rollBack(at: Granted, old: RollbackCopy) {
    return this.#run((context) => rollBack(context, at, old))
  }

  override dropRollback(at: Granted, old: RollbackCopy) {
    return this.#run((context) => dropRollback(context, at, old))
  }

  override remove(at: Granted, how: RemoveHow) {
    return this.#run((context) => remove(context, at, how))
  }

  override move(from: Granted, to: Granted, how: MoveHow) {
    return this.#run((context) => move(context, from, to, how))
  }

  override assertRemovable(at: Granted) {
    return this.#ask((context) => assertRemovable(context, at), at)
  }

  override toTrash(at: Granted, how: TrashHow) {
    return this.#run((context) => toTrash(context, at, how))
  }

  override noTrash(folder: Granted, owner: string) {
    return this.#ask((context) => noTrash(context, folder, owner), folder)
  }

  override fromTrash(item: TrashedItem, to: Granted, replacing?: KeepHow) {
    return this.#run((context) => fromTrash(context, item, to, replacing))
  }

  override purge({ signal }: Granted, item: TrashedItem) {
    return this.#run((context) => purge(context, item, signal))
  }

  override tidyTrash({ signal }: Granted, place: TrashPlace, part: TidyPart) {
    return this.#run((context) => tidyTrash(context, place, part, signal))
  }

  override trashed(at: Granted, place: TrashPlace, how: TrashRead) {
    return this.#ask((context) => trashed(context, place, how), at)
  }

  override othersTrashes(at: Granted, tops: readonly string[], own: string) {
    return this.#ask((context) => othersTrashes(context, tops, { own, signal: at.signal }), at)
  }

  override openTrashed(at: Granted, item: TrashedItem) {
    return this.#ask(
      (context) => openTrashed(context, at, item),
      at,
      (file) => file.close(),
    )
  }

  override walkTrashed({ signal }: Granted, item: TrashedItem, onPart: (part: TrashedPart) => void) {
    return this.#run((context) => walkTrashed(context, item, { onPart, signal }))
  }

  override batch<T>(work: (driver: DiskDriver) => Promise<T>): Promise<T> {
    return this.#run(async (context) => {
      const kept = new KeptFolders((folder) => syncFolderHandle(context, folder))
      try {
        return await work(new LocalDriver({ ...context, kept }))
      } finally {
        await kept.end()
      }
    })
  }

  /**
   * Work that changes nothing is left alone after the abort: a file system that hangs may still be being asked. During a batch it is
   * waited for, because the disk of the batch does not count what runs.
   */
  #ask<T>(work: (context: DiskContext) => Promise<T>, { signal }: Granted, discard?: (late: T) => unknown): Promise<T> {
    signal?.throwIfAborted()
    const asked = this.#run(work)
    return this.#context.kept ? asked : orAborted(asked, signal, discard)
  }

  async #run<T>(work: (context: DiskContext) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Failure('internal', 'the disk was closed')
    this.#running++
    try {
      return await asFailure(work(this.#context))
    } finally {
      this.#running--
      this.#closeWhenIdle()
    }
  }

  // Not during other work: the number of a closed handle is reused, and a path would then start at another folder.
  #closeWhenIdle() {
    if (this.#isClosed && this.#running === 0) this.#context.root.close()
  }
}

/** The host path of a folder below the root. @throws Failure('notFound') for one that has come into a reserved folder since it was opened */
async function pathBelow({ root, rootPath, strategy }: DiskContext, folder: PathHandle): Promise<string> {
  if (folder === root) return rootPath
  const path = await strategy.hostPathOf(folder)
  if (path.slice(rootPath.length).split(sep).some(isReservedName)) throw new Failure('notFound')
  return path
}

/** The device of each root when it was opened last. */
const rootDevices = new Map<string, bigint>()

/** Opens the served root: on the main thread where its device answered fast within the last second, as every folder below it. */
async function openRoot(strategy: HandleStrategy, address: string, signal?: AbortSignal): Promise<PathHandle> {
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
async function openBase(context: DiskContext, { scope, base, signal }: Base): Promise<PathHandle> {
  const folder = await openScope(context, scope, signal)
  if (base === rootPath) return folder
  const below = { path: base, action: 'read', isBlocked: () => false, signal } as const
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
  const everything = { path: scope, action: 'read', isBlocked: () => false, signal } as const
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
