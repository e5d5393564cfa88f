import { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { orAborted } from '../base/or-aborted.ts'
import { type Path, rootPath } from '../base/paths.ts'
import { Batches } from './batches.ts'
import { countItems } from './count-items.ts'
import type {
  BeginHow,
  CountHow,
  Disk,
  Entry,
  FindHow,
  FolderWatch,
  OldFile,
  OnGone,
  OpenFile,
  PendingWrite,
  WholeFile,
  WholeHow,
  WriteHow,
} from './disk.ts'
import type { DiskContext, FolderJournal } from './disk-context.ts'
import { entryAt } from './entry.ts'
import { asFailure } from './errno.ts'
import { findBelow } from './find.ts'
import { KeptFolders } from './kept-folders.ts'
import { list } from './list.ts'
import { listInParts } from './list-in-parts.ts'
import { copyLink, makeFolder } from './make.ts'
import { move } from './move.ts'
import { dropOld, keepOld, putBackOld } from './old-files.ts'
import { openFile } from './open.ts'
import { openBase, openRoot } from './open-root.ts'
import { type HandleStrategy, type PathHandle, systemStrategy } from './path-handle.ts'
import { hostPathOf, identityAt, isWithin, usageAt } from './path-queries.ts'
import type { ProtectedPaths } from './protected-paths.ts'
import { readWhole } from './read-whole.ts'
import { remove } from './remove.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { type DiskSystem, diskSystem } from './system.ts'
import { FolderWatches } from './watch.ts'
import { beginWrite, copyFile, resumeWrite, writeFile } from './write.ts'

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
  /** Ends the waiting for a device while the folder is opened. */
  signal?: AbortSignal
}>

/** Entries that were found and wait for their reader, after which no more folders are read. */
const mostUnread = 500

/** The files below one folder of this machine. */
export class LocalDisk implements Disk {
  readonly #context: DiskContext
  #running = 0
  #isClosed = false

  /**
   * Keeps the scope's folder open until close(): the disk keeps this folder even when it is renamed.
   * @throws Failure('notFound') when there is no such folder, Failure('forbidden') when it is protected or a link leaves the root
   */
  static async open({
    root,
    scope,
    base = rootPath,
    system = diskSystem,
    strategy = systemStrategy,
    watches = new FolderWatches(),
    signal,
    ...rest
  }: LocalDiskOptions): Promise<LocalDisk> {
    // With '/.', so that a root that is a link is followed: the administrator chose it.
    const whole = await asFailure(openRoot(strategy, `${root}/.`, signal))
    const context = { root: whole, rootDevice: whole.stats.dev, system, strategy, watches, ...rest }
    let folder: PathHandle | undefined
    try {
      folder = await asFailure(openBase(context, { scope, base, signal }))
      return new LocalDisk({ ...context, root: folder })
    } finally {
      if (folder !== whole) whole.close()
    }
  }

  private constructor(context: DiskContext) {
    this.#context = context
  }

  /** Accepts no more work, and closes the folder when running work is done. Opened files stay open. */
  close(): void {
    this.#isClosed = true
    this.#closeWhenIdle()
  }

  stat(at: Capability<'see'>, signal?: AbortSignal): Promise<Entry> {
    return this.#ask((context) => entryAt(context, { ...Capability.check(at, 'see'), signal }), signal)
  }

  identify(at: Capability<'see'>, signal?: AbortSignal): Promise<string> {
    return this.#ask((context) => identityAt(context, { ...Capability.check(at, 'see'), signal }), signal)
  }

  list(at: Capability<'see'>, signal?: AbortSignal): Promise<Entry[]> {
    return this.#ask((context) => list(context, { ...Capability.check(at, 'see'), signal }), signal)
  }

  listInParts(at: Capability<'see'>, signal?: AbortSignal, onGone?: OnGone): AsyncGenerator<Entry[], void, undefined> {
    return listInParts((work) => this.#ask(work, signal), { ...Capability.check(at, 'see'), signal }, onGone)
  }

  countItems(at: Capability<'see'>, how: CountHow): Promise<void> {
    const asked = { ...Capability.check(at, 'see'), signal: how.signal }
    return this.#ask((context) => countItems(context, asked, how), how.signal)
  }

  async *find(at: Capability<'see'>, how: FindHow): AsyncGenerator<readonly Entry[]> {
    const reader = new AbortController()
    const signal = AbortSignal.any([how.signal, reader.signal])
    const found = new Batches<Entry>(signal, mostUnread)
    const asked = { ...Capability.check(at, 'see'), signal }
    // Not awaited at the end: a folder of a file system that hangs may still be being read.
    this.#run((context) => findBelow(context, asked, { ...how, take: (entries) => found.add(entries) }), signal).then(
      () => found.end(),
      (error: unknown) => found.fail(error),
    )
    try {
      yield* found
    } finally {
      reader.abort()
    }
  }

  open(at: Capability<'download' | 'rename'>, signal?: AbortSignal): Promise<OpenFile> {
    const asked = { ...Capability.check(at, 'download', 'rename'), signal }
    return this.#ask(
      (context) => openFile(context, asked),
      signal,
      (file) => file.close(),
    )
  }

  readWhole(at: Capability<'download' | 'rename'>, how: WholeHow, signal?: AbortSignal): Promise<WholeFile> {
    const asked = { ...Capability.check(at, 'download', 'rename'), signal }
    return this.#ask(
      (context) => readWhole(context, asked, how),
      signal,
      (read) => read.release?.(),
    )
  }

  isWithin(at: Capability<'see'>, folder: Capability<'see'>, signal?: AbortSignal): Promise<boolean> {
    return this.#ask((context) => {
      const inner = { ...Capability.check(at, 'see'), signal }
      return isWithin(context, inner, { ...Capability.check(folder, 'see'), signal })
    }, signal)
  }

  usage(at: Capability<'see'>, signal?: AbortSignal): Promise<{ total: number; free: number }> {
    return this.#ask((context) => usageAt(context, { ...Capability.check(at, 'see'), signal }), signal)
  }

  hostPath(at: Capability<'see' | 'execute'>): Promise<string> {
    return this.#run((context) => hostPathOf(context, Capability.check(at, 'see', 'execute')))
  }

  watch(at: Capability<'see'>, signal: AbortSignal): Promise<FolderWatch> {
    const asked = { ...Capability.check(at, 'see'), signal }
    return this.#ask((context) => context.watches.open(context, asked, signal), signal)
  }

  write(at: Writable, body: AsyncIterable<Uint8Array>, how: WriteHow, signal?: AbortSignal): Promise<Entry> {
    return this.#run((context) => writeFile(context, writable(at), { body, signal, ...how }), signal)
  }

  copyFile(
    from: Capability<'download' | 'rename'>,
    to: Writable,
    how: WriteHow,
    signal?: AbortSignal,
  ): Promise<Entry | undefined> {
    const source = { ...Capability.check(from, 'download', 'rename'), signal }
    return this.#run((context) => copyFile(context, source, { ...writable(to), signal }, how), signal)
  }

  async beginWrite(at: Writable, how: BeginHow, signal?: AbortSignal): Promise<PendingWrite> {
    return beginWrite((work) => this.#run(work, signal), writable(at), how, signal)
  }

  async resumeWrite(at: Writable, how: BeginHow & { name: string }, signal?: AbortSignal): Promise<PendingWrite> {
    return resumeWrite((work) => this.#run(work, signal), writable(at), { ...how, signal })
  }

  makeFolder(at: Capability<'create' | 'rename'>, like?: Entry, signal?: AbortSignal): Promise<void> {
    return this.#run((context) => makeFolder(context, { ...Capability.check(at, 'create', 'rename'), signal }, like), signal)
  }

  copyLink(
    from: Capability<'download' | 'rename'>,
    to: Capability<'create' | 'rename'>,
    signal?: AbortSignal,
    how = { replace: false },
  ): Promise<void> {
    return this.#run((context) => {
      const source = Capability.check(from, 'download', 'rename')
      const target = Capability.check(to, 'create', 'rename')
      return copyLink(context, { ...source, mayLeave: source.need === 'rename' }, { ...target, ...how })
    }, signal)
  }

  keepOld(at: Capability<'rename'>, { follows }: { follows: boolean }, signal?: AbortSignal): Promise<OldFile> {
    return this.#run((context) => keepOld(context, { ...Capability.check(at, 'rename'), signal }, follows), signal)
  }

  putBackOld(at: Capability<'rename'>, old: OldFile): Promise<void> {
    return this.#run((context) => putBackOld(context, Capability.check(at, 'rename'), old))
  }

  dropOld(at: Capability<'rename'>, old: OldFile): Promise<void> {
    return this.#run((context) => dropOld(context, Capability.check(at, 'rename'), old))
  }

  remove(at: Capability<'delete' | 'rename' | 'modify'>, signal?: AbortSignal): Promise<void> {
    return this.#run((context) => remove(context, { ...Capability.check(at, 'delete', 'rename', 'modify'), signal }), signal)
  }

  move(
    from: Capability<'rename'>,
    to: Capability<'rename' | 'create' | 'modify'>,
    how: { replace: boolean },
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#run((context) => {
      const source = { ...Capability.check(from, 'rename'), signal }
      return move(context, source, { ...Capability.check(to, 'rename', 'create', 'modify'), signal }, how)
    }, signal)
  }

  batch<T>(work: (disk: Disk) => Promise<T>): Promise<T> {
    return this.#run(async (context) => {
      const kept = new KeptFolders((folder) => syncFolderHandle(context, folder))
      try {
        return await work(new LocalDisk({ ...context, kept }))
      } finally {
        await kept.end()
      }
    })
  }

  /**
   * Work that changes nothing is left alone after the abort: a file system that hangs may still be being asked. During a batch it is
   * waited for, because the disk of the batch does not count what runs.
   */
  #ask<T>(
    work: (context: DiskContext) => Promise<T>,
    signal: AbortSignal | undefined,
    discard?: (late: T) => unknown,
  ): Promise<T> {
    const asked = this.#run(work, signal)
    return this.#context.kept ? asked : orAborted(asked, signal, discard)
  }

  async #run<T>(work: (context: DiskContext) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
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

type Writable = Capability<'create' | 'modify' | 'rename'>

function writable(at: Writable) {
  return Capability.check(at, 'create', 'modify', 'rename')
}
