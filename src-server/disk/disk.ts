import { Capability } from '../access/authorize.ts'
import { orAborted } from '../base/or-aborted.ts'
import type * as driver from './driver.ts'
import { type CommitHow, type CountHow, DiskDriver, type Entry, type FindHow, type Granted, type RollbackCopy } from './driver.ts'
import { type HiddenTree, type OpenFile, openedTree, openFileOf, type PendingWrite, pendingWrite } from './opened.ts'

export * from './driver.ts'
export type { HiddenTree, OpenFile, PendingWrite } from './opened.ts'

type Readable = Capability<'download' | 'rename'>
type Writable = Capability<'create' | 'modify' | 'rename'>
type Body = AsyncIterable<Uint8Array>

export type RemoveHow = Omit<driver.RemoveHow, 'uploadsTo'> & Readonly<{ uploadsTo?: Capability<'rename'> | undefined }>

/**
 * Files below one root. Every method checks its capability: a driver takes only what was checked, which a capability is not. What a
 * driver does not do is made of what it does.
 * Protected paths are absent from listings and otherwise `forbidden`, and the folders above them cannot be moved. A path through a
 * link out of the scope, or to a blocked path, is `forbidden`. stat, list, open, isWithin, usage, hostPath, watch and write with
 * `replace` follow a link at the end of the path; everything else acts on the link itself. An aborted signal makes a method reject
 * with the signal's reason at its next step.
 */
export class Disk {
  readonly #open: () => Promise<DiskDriver>
  readonly #signal: AbortSignal | undefined
  #opened: Promise<DiskDriver> | undefined
  #driver: DiskDriver | undefined

  /**
   * @param driver or what opens it at the first call: a request without files, such as signing out, must not fail because the user's
   *   folder is missing
   * @param signal after its abort no more calls are started
   */
  constructor(driver: DiskDriver | (() => Promise<DiskDriver>), signal?: AbortSignal) {
    if (driver instanceof DiskDriver) this.#driver = driver
    this.#open = driver instanceof DiskDriver ? async () => driver : driver
    this.#signal = signal
  }

  /** @throws Failure('notFound') */
  stat(at: Capability<'read'>, signal?: AbortSignal): Promise<Entry> {
    return this.#ask((disk) => disk.stat(granted(at, signal, 'read')), signal)
  }

  /**
   * Stands for the object itself: unchanged when it is renamed or mounted again, another one for a new file of the same name.
   * '' on file systems that do not number their objects lastingly. A link at the end of the path counts as itself.
   * @throws Failure('notFound')
   */
  identify(at: Capability<'read'>, signal?: AbortSignal): Promise<string> {
    return this.#ask((disk) => disk.identify(granted(at, signal, 'read')), signal)
  }

  /** Undefined on a disk without inodes. A link at the end of the path counts as itself. @throws Failure('notFound') */
  inode(at: Capability<'read'>, signal?: AbortSignal): Promise<driver.Inode | undefined> {
    return this.#ask((disk) => disk.inode(granted(at, signal, 'read')), signal)
  }

  /**
   * Everything in a folder but protected paths, in no order; rules are the caller's to apply.
   * @throws Failure('notFound' | 'invalid'); for a removal also Failure('busy') when somebody is writing into the folder, and
   *   Failure('conflict') for a trash and other hidden files that stay
   */
  list(at: Capability<'read'>, signal?: AbortSignal, how: driver.ListHow = {}): Promise<Entry[]> {
    return this.#ask((disk) => disk.list(granted(at, signal, 'read'), how), signal)
  }

  /**
   * The same, some thousand entries at a time, so that those of a long folder are not all in memory: of the folder that was there at
   * first, whatever has its path later. It may be open until the iteration ends. @throws as `list` does, also later
   */
  async *listInParts(
    at: Capability<'read'>,
    signal?: AbortSignal,
    how: driver.ListHow = {},
  ): AsyncGenerator<Entry[], void, undefined> {
    yield* (await this.#ready(signal)).listInParts(granted(at, signal, 'read'), how)
  }

  /**
   * The wanted entries below a folder at any depth, in no order, in batches as they are found. No link is entered. What the rules
   * block is neither given nor entered, and links that may not be followed are left out.
   * @throws Failure('notFound' | 'invalid' when it is no folder)
   */
  async *find(at: Capability<'read'>, how: FindHow): AsyncGenerator<readonly Entry[]> {
    yield* (await this.#ready(how.signal)).find(granted(at, how.signal, 'read'), how)
  }

  /**
   * Counts the entries of some folders in a folder as a listing shows them, where that is cheap: links, folders that cannot be read,
   * what the rules block and file systems that are not local are left out. A hard link to a protected file is counted.
   * @throws Failure('notFound' | 'invalid' when it is no folder), the signal's reason at once when it is aborted
   */
  countItems(at: Capability<'read'>, how: CountHow): Promise<void> {
    return this.#ask((disk) => disk.countItems(granted(at, how.signal, 'read'), how), how.signal)
  }

  /** @throws Failure('notFound' | 'forbidden') when it is not a regular file inside the scope */
  open(at: Readable, signal?: AbortSignal): Promise<OpenFile> {
    return this.#ask(async (disk) => openFileOf(await disk.open(granted(at, signal, 'download', 'rename'))), signal)
  }

  /** A small file with its whole content. @throws Failure('notFound' | 'forbidden') as `open` does */
  readWhole(at: Readable, how: driver.WholeHow, signal?: AbortSignal): Promise<driver.WholeFile> {
    return this.#ask((disk) => disk.readWhole(granted(at, signal, 'download', 'rename'), how), signal)
  }

  /**
   * Whether `at` is inside `folder` or is the same object, also through links and mounts. A path that does not exist yet is
   * treated as its nearest existing ancestor.
   */
  isWithin(at: Capability<'read'>, folder: Capability<'read'>, signal?: AbortSignal): Promise<boolean> {
    return this.#ask((disk) => disk.isWithin(granted(at, signal, 'read'), granted(folder, signal, 'read')), signal)
  }

  /** Of the file system of a path. Zeros where that is not known. */
  usage(at: Capability<'read'>, signal?: AbortSignal): Promise<driver.DiskUsage> {
    return this.#ask((disk) => disk.usage(granted(at, signal, 'read')), signal)
  }

  /** The path for programs of the host. @throws Failure('notFound' | 'forbidden' where no file has one) */
  hostPath(at: Capability<'read' | 'execute'>): Promise<string> {
    return this.#ask((disk) => disk.hostPath(granted(at, undefined, 'read', 'execute')))
  }

  /**
   * Watches one folder from the moment of the answer on, until the watch is closed or the signal is aborted. Rules are the
   * caller's to apply. @throws Failure('notFound' | 'invalid' when it is no folder | 'busy' when too many are watched)
   */
  watch(at: Capability<'read'>, signal: AbortSignal): Promise<driver.FolderWatch> {
    return this.#ask((disk) => disk.watch(granted(at, signal, 'read'), signal), signal)
  }

  /**
   * Writes to a hidden temporary file beside the target; the target appears whole or not at all. What the body throws is thrown on.
   * The chunks of the body must not change meanwhile. An aborted signal ends it at once, also while no chunk comes.
   * @throws Failure('conflict' | 'full' | 'notFound' when the folder is missing | 'forbidden' for a device, a pipe or a socket |
   *   'changed' when the target has not the version `how.ifVersion`)
   */
  write(at: Writable, body: Body, how: CommitHow & Pick<driver.BeginHow, 'name'>, signal?: AbortSignal): Promise<Entry> {
    return this.#ask((disk) => disk.write(writable(at, signal), body, how), signal)
  }

  /**
   * Copies the content of a regular file: small ones in one step, where the disk does that, and others chunk by chunk. The target is
   * written as by `write`; mode and times are those of `how.like`.
   * @throws Failure('forbidden') when the source is not a regular file; FileShrunk
   */
  copyFile(from: Readable, to: Writable, how: CommitHow, signal?: AbortSignal): Promise<Entry> {
    return this.#ask((disk) => disk.copyFile(granted(from, signal, 'download', 'rename'), writable(to, signal), how), signal)
  }

  /** `write` in steps, which looks at the path once. @throws as write does */
  beginWrite(at: Writable, how: driver.BeginHow, signal?: AbortSignal): Promise<PendingWrite> {
    return this.#ask(async (disk) => {
      const asked = writable(at, signal)
      return pendingWrite(await disk.beginWrite(asked, how), { capability: at, asked, check: writableNow })
    }, signal)
  }

  /**
   * Continues a resumable write, also one of an earlier run of the server.
   * @param how.name the name of the write
   * @throws Failure('notFound') when it was removed, Failure('busy') while it is open
   */
  resumeWrite(at: Writable, how: driver.BeginHow & { name: string }, signal?: AbortSignal): Promise<PendingWrite> {
    return this.#ask(async (disk) => {
      const asked = writable(at, signal)
      return pendingWrite(await disk.resumeWrite(asked, how), { capability: at, asked, check: writableNow })
    }, signal)
  }

  /** One folder; its parent must exist. @throws Failure('conflict' | 'notFound') */
  makeFolder(at: Capability<'create' | 'rename'>, like?: Entry, signal?: AbortSignal): Promise<void> {
    return this.#ask((disk) => disk.makeFolder(granted(at, signal, 'create', 'rename'), like), signal)
  }

  /** Gives a folder that was made the attributes of another, as `makeFolder` does. @throws Failure('conflict' | 'notFound') */
  setFolderAttributes(at: Capability<'create'>, like: Entry, signal?: AbortSignal): Promise<void> {
    return this.#ask((disk) => disk.setFolderAttributes(granted(at, signal, 'create'), like), signal)
  }

  /**
   * Makes a link with the same target text as another.
   * @throws Failure('conflict' | 'invalid' on a disk without links)
   */
  copyLink(
    from: Readable,
    to: Capability<'create' | 'rename'>,
    signal?: AbortSignal,
    how: driver.LinkHow = { replace: false },
  ): Promise<void> {
    return this.#ask((disk) => {
      const source = granted(from, signal, 'download', 'rename')
      return disk.copyLink(source, granted(to, signal, 'create', 'rename'), how)
    }, signal)
  }

  /** Makes a link with a target text, which is not looked at. @throws Failure('conflict' | 'invalid' on a disk without links) */
  makeLink(at: Capability<'create'>, text: string, signal?: AbortSignal): Promise<void> {
    return this.#ask((disk) => disk.makeLink(granted(at, signal, 'create'), text), signal)
  }

  /**
   * Makes a hidden folder beside a path, which gets that or another name beside it when all in it is whole.
   * @param at what the paths of its own disk begin with @throws Failure('notFound' | 'unsupported')
   */
  openTree(at: Capability<'create'>, signal?: AbortSignal): Promise<HiddenTree> {
    const diskIn = (inner: DiskDriver) => new Disk(inner)
    const grant = (to: Capability<'create'>) => granted(to, signal, 'create')
    return this.#ask(async (disk) => openedTree(await disk.openTree(grant(at)), grant(at).path, { diskIn, grant }), signal)
  }

  /**
   * Keeps a file or a link that is about to be replaced, until it is put back or dropped. It stays under its own name as well.
   * @param how.follows whether it is what a link at the end of the path leads to, as it is for `write`
   * @throws Failure('notFound' | 'conflict' for a folder)
   */
  keepRollback(at: Capability<'rename'>, how: { follows: boolean }, signal?: AbortSignal): Promise<RollbackCopy> {
    return this.#ask((disk) => disk.keepRollback(granted(at, signal, 'rename'), how), signal)
  }

  /** Restores the kept entry under its name, replacing the present one. @throws Failure('notFound') when it was removed */
  rollBack(at: Capability<'rename'>, old: RollbackCopy): Promise<void> {
    return this.#ask((disk) => disk.rollBack(granted(at, undefined, 'rename'), old))
  }

  /** Removes the kept entry. */
  dropRollback(at: Capability<'rename'>, old: RollbackCopy): Promise<void> {
    return this.#ask((disk) => disk.dropRollback(granted(at, undefined, 'rename'), old))
  }

  /**
   * A file, a link (never its target) or an empty folder.
   * @throws Failure('notFound' | 'conflict' when the folder is not empty, or the folder around was moved meanwhile | 'changed')
   */
  remove(
    at: Capability<'delete' | 'rename' | 'modify'>,
    signal?: AbortSignal,
    { uploadsTo, ...how }: RemoveHow = {},
  ): Promise<void> {
    return this.#ask((disk) => {
      const to = uploadsTo && { uploadsTo: granted(uploadsTo, signal, 'rename') }
      return disk.remove(granted(at, signal, 'delete', 'rename', 'modify'), { ...how, ...to })
    }, signal)
  }

  /**
   * What keeps a folder from being removed, as far as no disk has to be asked. @throws Failure('conflict') for one that is a mount point, or
   * has one below: its removal would empty another file system; Failure('busy') for one into which this process is writing
   */
  assertRemovable(at: Capability<'delete' | 'rename'>, signal?: AbortSignal): Promise<void> {
    return this.#ask((disk) => disk.assertRemovable(granted(at, signal, 'delete', 'rename')), signal)
  }

  /**
   * Puts an entry of any size into a trash by one rename, without a look at what is below; a link as itself.
   * @throws NoTrash where there is none, Failure('notFound'), Failure('forbidden') for a folder above a protected path,
   *   Failure('conflict') for a folder with a mount below, Failure('busy') for one into which somebody is writing
   */
  toTrash(at: Capability<'delete' | 'modify'>, how: driver.TrashHow, signal?: AbortSignal): Promise<driver.TrashedItem> {
    return this.#ask((disk) => disk.toTrash(granted(at, signal, 'delete', 'modify'), how), signal)
  }

  /** Why nothing in a folder goes into the trash of an owner, as far as that is known without trying it. */
  noTrash(folder: Capability<'read'>, owner: string, signal?: AbortSignal): Promise<string | undefined> {
    return this.#ask((disk) => disk.noTrash(granted(folder, signal, 'read'), owner), signal)
  }

  /**
   * Puts an entry back, under a name that is free.
   * @param replacing how a file that has the name is kept, which a file or a link replaces at once
   * @throws Failure('notFound' when it is not in the trash any more | 'conflict'), NoTrash when what has the name cannot be kept
   */
  fromTrash(item: driver.TrashedItem, to: Capability<'create'>, signal?: AbortSignal, replacing?: driver.KeepHow): Promise<void> {
    return this.#ask((disk) => disk.fromTrash(item, granted(to, signal, 'create'), replacing), signal)
  }

  /** Removes an entry of a trash for good. @param at what it was @throws Failure('notFound') */
  purge(at: Capability<'delete' | 'rename'>, item: driver.TrashedItem, signal?: AbortSignal): Promise<void> {
    return this.#ask((disk) => disk.purge(granted(at, signal, 'delete', 'rename'), item), signal)
  }

  /**
   * Ends what a kill has interrupted in a trash.
   * @param at the served root @returns whether the trash was there @throws the first failure, when all the others have ended
   */
  tidyTrash(at: Capability<'delete'>, place: driver.TrashPlace, part: driver.TidyPart, signal?: AbortSignal): Promise<boolean> {
    return this.#ask((disk) => disk.tidyTrash(granted(at, signal, 'delete'), place, part), signal)
  }

  /**
   * The entries of one trash; the rights to each are the caller's to apply.
   * @param at the served root
   * @returns undefined while its disk is not connected
   */
  trashed(
    at: Capability<'read'>,
    place: driver.TrashPlace,
    how: driver.TrashRead = {},
    signal?: AbortSignal,
  ): Promise<driver.TrashFound | undefined> {
    return this.#ask((disk) => disk.trashed(granted(at, signal, 'read'), place, how), signal)
  }

  /** Trashes of other installations in the served root and in other folders of the host. @param at the served root @param own the instance */
  othersTrashes(
    at: Capability<'read'>,
    tops: readonly string[],
    own: string,
    signal?: AbortSignal,
  ): Promise<driver.TrashPlace[]> {
    return this.#ask((disk) => disk.othersTrashes(granted(at, signal, 'read'), tops, own), signal)
  }

  /** Opens a regular file of a trash. @param at what it was @throws Failure('notFound'), Failure('forbidden') for what is none */
  openTrashed(at: Capability<'download'>, item: driver.TrashedItem, signal?: AbortSignal): Promise<OpenFile> {
    return this.#ask(async (disk) => openFileOf(await disk.openTrashed(granted(at, signal, 'download'), item)), signal)
  }

  /**
   * An entry of a trash and all that is below, folders before what they hold; no link is followed.
   * @param at what it was
   * @param onPart what it throws ends the walk
   * @throws Failure('notFound')
   */
  walkTrashed(
    at: Capability<'read'>,
    item: driver.TrashedItem,
    onPart: (part: driver.TrashedPart) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#ask((disk) => disk.walkTrashed(granted(at, signal, 'read'), item, onPart), signal)
  }

  /**
   * Within one file system.
   * @throws Failure('conflict') when the name is taken and `replace` is false, or a folder is in the way
   * @throws CrossDevice when the two lie on different file systems
   */
  move(
    from: Capability<'rename'>,
    to: Capability<'rename' | 'create' | 'modify'>,
    how: driver.MoveHow,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#ask((disk) => disk.move(granted(from, signal, 'rename'), writable(to, signal), how), signal)
  }

  /**
   * For many changes in one tree: a view of this disk that keeps folders open and syncs each of them once. The changes are durable
   * when this resolves. A folder that another request moves meanwhile is still used.
   */
  async batch<T>(work: (disk: Disk) => Promise<T>): Promise<T> {
    // Also after the abort when the disk is open: clean-up runs in a batch, and all other calls of it take the signal themselves.
    const disk = this.#driver ?? (await (this.#opened ?? this.#ready()))
    return disk.batch((inner) => work(inner === disk ? this : new Disk(inner)))
  }

  /** Accepts no more work, and releases what is open when the running work is done. Opened files stay open. */
  async close(): Promise<void> {
    // An error of opening was reported by the call that needed the disk.
    const disk = this.#driver ?? (await this.#opened?.catch(() => undefined))
    disk?.close()
  }

  async #ask<T>(work: (disk: DiskDriver) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return work(await this.#ready(signal))
  }

  #ready(signal?: AbortSignal): DiskDriver | Promise<DiskDriver> {
    signal?.throwIfAborted()
    this.#signal?.throwIfAborted()
    return this.#driver ?? this.#openNow()
  }

  async #openNow(): Promise<DiskDriver> {
    this.#opened ??= this.#open()
    this.#driver = await orAborted(this.#opened, this.#signal)
    return this.#driver
  }
}

function granted<N extends Capability['action']>(
  at: Capability<N>,
  signal: AbortSignal | undefined,
  ...actions: readonly NoInfer<N>[]
): Granted {
  return { ...Capability.check(at, ...actions), signal }
}

function writable(at: Writable, signal: AbortSignal | undefined): Granted {
  return granted(at, signal, 'create', 'modify', 'rename')
}

const writableNow = (at: Writable): Granted => writable(at, undefined)
