// What a disk does, below its one check of capabilities (disk.ts): the files of this machine, and the memory of the tests.
import type { Grant } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { OnFullDisk } from '../base/room.ts'
import type { AppendHow, DiskUsage, FolderWatch, Inode, NameKind } from './disk-facts.ts'
import type { DriverTree } from './driver-tree.ts'
import { countByListing, findByListing, isWithinByPath, readableOf, watchByListing, wholeOf } from './generic-calls.ts'
import {
  type KeepHow,
  NoTrash,
  type TidyPart,
  type TrashedItem,
  type TrashedPart,
  type TrashFound,
  type TrashHow,
  type TrashPlace,
  type TrashRead,
} from './trash-item.ts'

export type * from './disk-facts.ts'
export * from './trash-item.ts'

/**
 * Why an entry is shown but cannot be opened: a link out of the scope, to a blocked or a protected path, a broken link, a FIFO or
 * device, a name that is not UTF-8, or the system cannot describe it (a mount without its server, a time beyond the range of dates).
 */
export type Unreachable = 'outside' | 'broken' | 'special' | 'name' | 'unanswered'

/** An entry of a folder. For a link that stays inside the scope the fields are those of its target, with `isSymlink` true. */
export type Entry = Readonly<{
  name: string
  path: Path
  /** The path without links (of a link, that of the link itself) when `path` goes through a link: rules are checked for both. */
  truePath?: Path
  isDir: boolean
  isSymlink: boolean
  unreachable?: Unreachable
  /** Bytes; of a folder what the file system says (4096 on ext4). */
  size: number
  /** Nanoseconds since the epoch. */
  modified: bigint
  /** The kind and permission bits of `stat`. */
  mode: number
  /** Changes with the content; opaque, with characters that an ETag may contain. '' when the content is unknown. */
  version: string
}>

export type FindHow = Readonly<{
  /** Whether an entry is wanted, by its name and its kind. Called for every name, so it must be fast. */
  isWanted(name: string, kind: NameKind): boolean
  /** Called for each folder below that cannot be read, which is left out. */
  onUnread?(): void
  signal: AbortSignal
}>

export type CountHow = Readonly<{
  /** Of folders in the folder that is asked about. */
  names: readonly string[]
  /** Entries of a folder beyond which it is not counted on. */
  most: number
  /** Called for each folder that was counted. `hasMore`: it has more entries than `items`. */
  onCounted(name: string, counted: Readonly<{ items: number; hasMore: boolean }>): void
  signal: AbortSignal
}>

/** Positions of bytes; `end` is inclusive. By default all bytes; never more than the file had when it was opened. */
export type ReadRange = Readonly<{ start?: number; end?: number; signal?: AbortSignal | undefined }>

/** An open regular file; its opener must close it. */
export type DriverFile = Readonly<{
  entry: Entry
  /** As that of `identify`. */
  identity: string
  /** Fills a buffer, or a part of it, from a position. @returns how many bytes @throws FileShrunk when there are none */
  readInto(buffer: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
  /** The descriptor, where the disk has one. */
  fd?: number
}>

/** `longest`: bytes up to which a content is read. */
export type WholeHow = Readonly<{ longest: number }>

/**
 * `content` is missing when the file is longer than asked, or when its length changed while it was read. After `release`, which need
 * not be called, its memory is used for others.
 */
export type WholeFile = Readonly<{ entry: Entry; content?: Uint8Array | undefined; release?(): void }>

/** A file got shorter while it was read, so that fewer bytes exist than its size said. */
export class FileShrunk extends Failure {
  constructor() {
    super('conflict', 'the file got shorter while it was read')
    this.name = 'FileShrunk'
  }
}

/** Of what takes the name of a file or a link. */
export type Replacing = Readonly<{
  /** Puts what is replaced into a trash; where there is none it is replaced all the same. */
  keepReplaced?: KeepHow | undefined
}>

export type CommitHow = Readonly<
  {
    /** false: an existing target is a conflict, checked atomically. true: an existing file is replaced, keeping its mode and owner. */
    replace: boolean
    /** The version that the target must have at the moment when it is replaced. */
    ifVersion?: string | undefined
    /** Mode and times for a new file, as a copy keeps them. */
    like?: Entry | undefined
    /** Told the version that the file will have, once its content is durable and before it gets its name. */
    onSealed?(version: string): Promise<void>
    /** Of a copy: told how many bytes more were read, while that takes several steps. */
    onBytes?(bytes: number): void
  } & Replacing &
    OnFullDisk
>

export type BeginHow = OnFullDisk &
  Readonly<{
    /** The value that `commit` will get; with true a link is followed. */
    replace: boolean
    /**
     * Called with what has the name, as `stat` says it, before anything is written. What it throws refuses the write. It is not called
     * when the folder is missing.
     */
    check?(present: Entry | undefined): void
    /** Whether the written content is kept for `resumeWrite` when the signal is aborted or the process ends. */
    resumable?: boolean
    /** The hidden name of an unfinished upload, or of an archive; a random one by default. */
    name?: string
    /** Of content that is opened again: whether that name was made durable with what is known of it. */
    isNameDurable?: boolean
    /** What has the name counts at the commit alone, which may be days later. */
    forLater?: boolean
  }>

/** Told of what was in a folder when its listing began, and is gone before it was described. Rules are the caller's to apply. */
export type OnGone = (gone: Readonly<{ path: Path; truePath?: Path | undefined }>) => void

export type ListHow = Readonly<{
  /** Of a listing in parts: called for what has gone since the first part. */
  onGone?: OnGone | undefined
  /** All that is listed is to be removed: what is in the folder and not listed must not keep it from that. */
  forRemoval?: boolean | undefined
  /** Of that: the content of an unfinished upload keeps it, too. */
  sparesUploads?: boolean | undefined
}>

/** The old entry of a name, kept under a hidden name beside it. */
export type RollbackCopy = Readonly<{
  /** The hidden one. */
  name: string
  /** Of the asked path: a link at its end was followed. */
  follows: boolean
  /** false: a hard link of the file. true: a copy of its content, on a file system without hard links. */
  isCopy: boolean
  entry: Entry
}>

/** `replace`: whether it takes the place of a file or a link, in one step. */
export type LinkHow = Readonly<{ replace: boolean }> & Replacing

/** What a file must be like at its removal: its version, `changed` of its inode. `folderOnly`: anything else is a conflict. */
export type RemoveHow = Readonly<{
  ifVersion?: string
  ifChanged?: bigint | undefined
  folderOnly?: boolean
  /** Of a folder that is moved: where the content of unfinished uploads in it goes, which is removed with it by default. */
  uploadsTo?: Granted | undefined
  /** A folder with the content of an unfinished upload is not empty: it goes because nothing is in it, and nobody has asked for more. */
  sparesUploads?: boolean
  /** Of a file: its other names in the folder go too that are hidden and nobody uses, as a kill leaves them amid a copy. */
  withHidden?: boolean
}>

export type MoveHow = Readonly<{
  replace: boolean
  /** Ends a move that broke off while the file had both names: a target that is its only other name is not taken. */
  finishes?: boolean | undefined
  /**
   * Called while this process changes nothing at or below either end, just before the entry is moved. What it throws refuses the move.
   * @param truly the paths of both ends without links on the way, as they were opened: what was asked may lead elsewhere by now
   */
  check?(truly: Readonly<{ from: Path; to: Path }>): Promise<unknown>
}> &
  Replacing

/** Source and target of a move lie on different file systems: copy, sync, delete. */
export class CrossDevice extends Error {}

/** A path that was authorized, and the signal that ends the work at its next step. */
export type Granted = Grant & Readonly<{ signal?: AbortSignal | undefined }>

/** Content that is being written under a hidden name. It keeps the target's folder open until it is committed, discarded or closed. */
export interface DriverWrite {
  /** Of the hidden file, for `resumeWrite`. */
  readonly name: string
  /** Bytes so far. */
  readonly size: number
  /** Whether the content has another name too: a commit was broken off. Nothing is written to it then. */
  readonly isNamed: boolean
  /**
   * Adds a body; its chunks must not change meanwhile. What came before an error counts.
   * @param how.offset the size so far, in bytes; else Failure('range') is thrown
   * @param how.onSynced told up to where the content is durable, in bytes, while more is written
   */
  append(body: AsyncIterable<Uint8Array>, how: AppendHow): Promise<void>
  /** Makes durable what was written, and the hidden name. */
  sync(): Promise<void>
  /** Removes what lies behind so many bytes. */
  truncate(bytes: number): Promise<void>
  /**
   * Ends it: the content gets its name. What is resumable stays under its hidden name when this fails; else it is removed.
   * @param at the same path, authorized anew
   * @throws Failure('conflict' | 'changed' | 'forbidden' | 'full' | 'notFound')
   */
  commit(at: Granted, how: CommitHow): Promise<Entry>
  /** Ends it and removes what was written. */
  discard(): Promise<void>
  /** Ends it and leaves what was written under its hidden name. */
  close(): Promise<void>
}

/** Old files that stay open until they are put back or dropped, of disks that cannot keep them otherwise. */
const keptOpen = new WeakMap<RollbackCopy, DriverFile>()

/**
 * One kind of disk. Each method does what that of the same name of `Disk` says. Every driver has those that are abstract. The others
 * are made of these, and replaced where a disk does more, or does it better.
 */
export abstract class DiskDriver {
  abstract stat(at: Granted): Promise<Entry>
  abstract list(at: Granted, how?: ListHow): Promise<Entry[]>
  abstract open(at: Granted): Promise<DriverFile>
  abstract beginWrite(at: Granted, how: BeginHow): Promise<DriverWrite>
  abstract makeFolder(at: Granted, like?: Entry): Promise<void>
  abstract remove(at: Granted, how: RemoveHow): Promise<void>
  /** A disk that cannot rename throws CrossDevice: what is to be moved is then copied and removed. */
  abstract move(from: Granted, to: Granted, how: MoveHow): Promise<void>

  /** No object has a lasting number. */
  async identify(at: Granted): Promise<string> {
    await this.stat(at)
    return ''
  }

  /** It has none. */
  async inode(at: Granted): Promise<Inode | undefined> {
    await this.stat(at)
    return undefined
  }

  async *listInParts(at: Granted, how?: ListHow): AsyncGenerator<Entry[], void, undefined> {
    yield await this.list(at, how)
  }

  find(at: Granted, how: FindHow): AsyncGenerator<readonly Entry[]> {
    return findByListing(this, at, how)
  }

  countItems(at: Granted, how: CountHow): Promise<void> {
    return countByListing(this, at, how)
  }

  readWhole(at: Granted, how: WholeHow): Promise<WholeFile> {
    return this.#reading(at, (file) => wholeOf(file, how))
  }

  /** By the paths, which is enough where there are no links and mounts. */
  isWithin(at: Granted, folder: Granted): Promise<boolean> {
    return isWithinByPath(this, at, folder)
  }

  async usage(at: Granted): Promise<DiskUsage> {
    await this.stat(at)
    return { total: 0, free: 0 }
  }

  async hostPath(_at: Granted): Promise<string> {
    throw new Failure('forbidden', 'no program of this machine reaches these files')
  }

  watch(at: Granted, signal: AbortSignal): Promise<FolderWatch> {
    return watchByListing(this, at, signal)
  }

  async write(at: Granted, body: AsyncIterable<Uint8Array>, how: CommitHow & Pick<BeginHow, 'name'>): Promise<Entry> {
    const write = await this.beginWrite(at, how)
    try {
      await write.append(body, { offset: 0 })
      return await write.commit(at, how)
    } finally {
      await write.discard()
    }
  }

  copyFile(from: Granted, to: Granted, how: CommitHow): Promise<Entry> {
    // The signal ends the write, and with it the reading.
    return this.#reading(from, (file) => this.write(to, readableOf(file, { onRead: how.onBytes }), how))
  }

  async resumeWrite(_at: Granted, _how: BeginHow & { name: string }): Promise<DriverWrite> {
    throw new Failure('notFound')
  }

  async setFolderAttributes(_at: Granted, _like: Entry): Promise<void> {}

  async copyLink(_from: Granted, _to: Granted, _how: LinkHow): Promise<void> {
    throw new Failure('invalid', 'there are no links on this disk')
  }

  async makeLink(_at: Granted, _text: string): Promise<void> {
    throw new Failure('invalid', 'there are no links on this disk')
  }

  /** @param _at a name that it may get */
  async openTree(_at: Granted): Promise<DriverTree> {
    throw new Failure('unsupported', 'this disk has no hidden folders')
  }

  /** An open file stays the same when its name is given to another. */
  async keepRollback(at: Granted, how: { follows: boolean }): Promise<RollbackCopy> {
    if ((await this.stat(at)).isDir) throw new Failure('conflict')
    const file = await this.open(at)
    const old = { ...how, name: '', isCopy: true, entry: file.entry }
    keptOpen.set(old, file)
    return old
  }

  async rollBack(at: Granted, old: RollbackCopy): Promise<void> {
    const file = keptOpen.get(old)
    if (!file) throw new Failure('notFound')
    await this.write(at, readableOf(file), { replace: true, like: old.entry })
    await this.dropRollback(at, old)
  }

  async dropRollback(_at: Granted, old: RollbackCopy): Promise<void> {
    await keptOpen.get(old)?.close()
    keptOpen.delete(old)
  }

  /** There are none. */
  async assertRemovable(_at: Granted): Promise<void> {}

  async toTrash(at: Granted, _how: TrashHow): Promise<TrashedItem> {
    await this.stat(at)
    throw new NoTrash('this disk keeps none')
  }

  async noTrash(_folder: Granted, _owner: string): Promise<string | undefined> {
    return 'this disk keeps none'
  }

  async fromTrash(_item: TrashedItem, _to: Granted, _replacing?: KeepHow): Promise<void> {
    throw new Failure('notFound')
  }

  async purge(_at: Granted, _item: TrashedItem): Promise<void> {
    throw new Failure('notFound')
  }

  async tidyTrash(_at: Granted, _place: TrashPlace, _part: TidyPart): Promise<boolean> {
    return true
  }

  async trashed(_at: Granted, _place: TrashPlace, _how: TrashRead): Promise<TrashFound | undefined> {
    return { names: new Set(), items: [] }
  }

  async othersTrashes(_at: Granted, _tops: readonly string[], _own: string): Promise<TrashPlace[]> {
    return []
  }

  async openTrashed(_at: Granted, _item: TrashedItem): Promise<DriverFile> {
    throw new Failure('notFound')
  }

  async walkTrashed(_at: Granted, _item: TrashedItem, _onPart: (part: TrashedPart) => void): Promise<void> {
    throw new Failure('notFound')
  }

  batch<T>(work: (driver: DiskDriver) => Promise<T>): Promise<T> {
    return work(this)
  }

  close(): void {}

  async #reading<T>(at: Granted, work: (file: DriverFile) => Promise<T>): Promise<T> {
    const file = await this.open(at)
    try {
      return await work(file)
    } finally {
      await file.close()
    }
  }
}
