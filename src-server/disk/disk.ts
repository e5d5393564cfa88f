import type { Readable } from 'node:stream'
import type { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'

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

/** What a folder says of a name, without a look at what it names. */
export type NameKind = 'file' | 'folder' | 'link' | 'special'

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
export type ReadRange = Readonly<{ start?: number; end?: number; signal?: AbortSignal }>

/** An open regular file; its opener must close it. */
export type OpenFile = Readonly<{
  entry: Entry
  /** That of the entry. */
  version: string
  /** As that of `identify`. */
  identity: string
  /** The bytes, in chunks of at most 1 MiB; may be called more than once. Ends in FileShrunk when the file got shorter. */
  read(range?: ReadRange): Readable
  close(): Promise<void>
  /** The descriptor, where the disk has one. */
  fd?: number
  /** Fills a buffer, or a part of it, from a position: with `fd`. @returns how many bytes @throws FileShrunk when there are none */
  readInto?(buffer: Uint8Array, position: number): Promise<number>
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

/** What was created, removed or changed in a watched folder. */
export type ChangedNames = Readonly<{
  /** Each once. */
  names: readonly string[]
  /** Any other names may have changed too, or the folder itself. */
  hasOthers: boolean
}>

/** A folder that is watched until it is closed. */
export interface FolderWatch {
  /** Stands for the folder: the same for all paths and all disks, for as long as one watch of it is open. */
  readonly folder: symbol
  /** Whether every change is reported at once. Otherwise new and removed names are noticed late, and changed content is not. */
  readonly isComplete: boolean
  /** Waits until something has changed. @returns undefined when the folder is gone or the watch is closed */
  next(): Promise<ChangedNames | undefined>
  close(): void
}

export type CommitHow = Readonly<{
  /** false: an existing target is a conflict, checked atomically. true: an existing file is replaced, keeping its mode and owner. */
  replace: boolean
  /** The version that the target must have at the moment when it is replaced. */
  ifVersion?: string | undefined
  /** Mode and times for a new file, as a copy keeps them. */
  like?: Entry | undefined
}>

export type WriteHow = CommitHow

export type BeginHow = Readonly<{
  /** The value that `commit` will get; with true a link is followed. */
  replace: boolean
  /** Whether the written content is kept for `resumeWrite` when the signal is aborted or the process ends. */
  resumable?: boolean
}>

type Writable = Capability<'create' | 'modify' | 'rename'>

/** Content that is being written under a hidden name. It keeps the target's folder open until it is committed, discarded or closed. */
export interface PendingWrite {
  /** Of the hidden file, for `resumeWrite`. */
  readonly name: string
  /** Bytes so far. */
  readonly size: number
  /**
   * Adds a body; its chunks must not change meanwhile. What came before an error counts.
   * @param how.offset the size so far, in bytes; else Failure('range') is thrown
   */
  append(body: AsyncIterable<Uint8Array>, how: { offset: number }): Promise<void>
  /**
   * Ends it: the content gets its name. What is resumable stays under its hidden name when this fails; else it is removed.
   * @param capability for the same path, made afresh: rights may have changed since the beginning
   * @throws Failure('conflict' | 'changed' | 'forbidden' | 'full' | 'notFound')
   */
  commit(capability: Writable, how: CommitHow): Promise<Entry>
  /** Ends it and removes what was written. */
  discard(): Promise<void>
  /** Ends it and leaves what was written under its hidden name. */
  close(): Promise<void>
}

/** Told of what was in a folder when its listing began, and is gone before it was described. Rules are the caller's to apply. */
export type OnGone = (gone: Readonly<{ path: Path; truePath?: Path | undefined }>) => void

/** The old entry of a name, kept under a hidden name beside it. */
export type OldFile = Readonly<{
  /** The hidden one. */
  name: string
  /** Of the asked path: a link at its end was followed. */
  follows: boolean
  /** false: a hard link of the file. true: a copy of its content, on a file system without hard links. */
  isCopy: boolean
  /** As it was. */
  entry: Entry
}>

/**
 * Files below one root. Every method checks its capability first. Protected paths are absent from listings and otherwise
 * `forbidden`, and the folders above them cannot be moved. A path through a link out of the scope, or to a blocked path, is
 * `forbidden`. stat, list, open, isWithin, usage, hostPath, watch and write with `replace` follow a link at the end of the path;
 * everything else acts on the link itself. An aborted signal makes a method reject with the signal's reason at its next step.
 */
export interface Disk {
  /** @throws Failure('notFound') */
  stat(at: Capability<'see'>, signal?: AbortSignal): Promise<Entry>
  /**
   * Stands for the object itself: unchanged when it is renamed or mounted again, another one for a new file of the same name.
   * '' on file systems that do not number their objects lastingly. A link at the end of the path counts as itself.
   * @throws Failure('notFound')
   */
  identify(at: Capability<'see'>, signal?: AbortSignal): Promise<string>
  /** Everything in a folder but protected paths, in no order; rules are the caller's to apply. @throws Failure('notFound' | 'invalid') */
  list(at: Capability<'see'>, signal?: AbortSignal): Promise<Entry[]>
  /**
   * The same, some thousand entries at a time, so that those of a long folder are not all in memory: of the folder that was there at
   * first, whatever has its path later. It may be open until the iteration ends. @throws as `list` does, also later
   */
  listInParts(at: Capability<'see'>, signal?: AbortSignal, onGone?: OnGone): AsyncIterable<Entry[]>
  /**
   * The wanted entries below a folder at any depth, in no order, in batches as they are found. No link is entered. What the rules
   * block is neither given nor entered, and links that may not be followed are left out.
   * @throws Failure('notFound' | 'invalid' when it is no folder)
   */
  find(at: Capability<'see'>, how: FindHow): AsyncIterable<readonly Entry[]>
  /**
   * Counts the entries of some folders in a folder as a listing shows them, where that is cheap: links, folders that cannot be read,
   * what the rules block and file systems that are not local are left out. A hard link to a protected file is counted.
   * @throws Failure('notFound' | 'invalid' when it is no folder), the signal's reason at once when it is aborted
   */
  countItems(at: Capability<'see'>, how: CountHow): Promise<void>
  /** @throws Failure('notFound' | 'forbidden') when it is not a regular file inside the scope */
  open(at: Capability<'download' | 'rename'>, signal?: AbortSignal): Promise<OpenFile>
  /** A small file with its whole content. @throws Failure('notFound' | 'forbidden') as `open` does */
  readWhole(at: Capability<'download' | 'rename'>, how: WholeHow, signal?: AbortSignal): Promise<WholeFile>
  /**
   * Whether `at` is inside `folder` or is the same object, also through links and mounts. A path that does not exist yet is
   * treated as its nearest existing ancestor.
   */
  isWithin(at: Capability<'see'>, folder: Capability<'see'>, signal?: AbortSignal): Promise<boolean>
  /** Bytes of the file system of a path; `free` are those that may still be written. */
  usage(at: Capability<'see'>, signal?: AbortSignal): Promise<{ total: number; free: number }>
  /** The path for programs of the host. @throws Failure('notFound') */
  hostPath(at: Capability<'see' | 'execute'>): Promise<string>
  /**
   * Watches one folder from the moment of the answer on, until the watch is closed or the signal is aborted. Rules are the
   * caller's to apply. @throws Failure('notFound' | 'invalid' when it is no folder | 'busy' when too many are watched)
   */
  watch(at: Capability<'see'>, signal: AbortSignal): Promise<FolderWatch>
  /**
   * Writes to a hidden temporary file beside the target; the target appears whole or not at all. What the body throws is thrown on.
   * The chunks of the body must not change meanwhile. An aborted signal ends it at once, also while no chunk comes.
   * @throws Failure('conflict' | 'full' | 'notFound' when the folder is missing | 'forbidden' for a device, a pipe or a socket |
   *   'changed' when the target has not the version `how.ifVersion`)
   */
  write(at: Writable, body: AsyncIterable<Uint8Array>, how: WriteHow, signal?: AbortSignal): Promise<Entry>
  /**
   * Copies the content of a regular file in one step, where the disk does that: files up to 1 MiB on a local one. The target is
   * written as by `write`; mode and times are those of `how.like`. @returns undefined when it is to be opened and written instead
   * @throws Failure('forbidden') when the source is not a regular file; FileShrunk
   */
  copyFile(from: Capability<'download' | 'rename'>, to: Writable, how: WriteHow, signal?: AbortSignal): Promise<Entry | undefined>
  /** `write` in steps. @throws as write does */
  beginWrite(at: Writable, how: BeginHow, signal?: AbortSignal): Promise<PendingWrite>
  /**
   * Continues a resumable write, also one of an earlier run of the server.
   * @param how.name the name of the write
   * @throws Failure('notFound') when it was removed, Failure('busy') while it is open
   */
  resumeWrite(at: Writable, how: BeginHow & { name: string }, signal?: AbortSignal): Promise<PendingWrite>
  /** One folder; its parent must exist. @throws Failure('conflict' | 'notFound') */
  makeFolder(at: Capability<'create' | 'rename'>, like?: Entry, signal?: AbortSignal): Promise<void>
  /**
   * Makes a link with the same target text as another.
   * @param how.replace whether it takes the place of a file or a link, in one step
   * @throws Failure('conflict')
   */
  copyLink(
    from: Capability<'download' | 'rename'>,
    to: Capability<'create' | 'rename'>,
    signal?: AbortSignal,
    how?: { replace: boolean },
  ): Promise<void>
  /**
   * Keeps a file or a link that is about to be replaced, until it is put back or dropped. It stays under its own name as well.
   * @param how.follows whether it is what a link at the end of the path leads to, as it is for `write`
   * @throws Failure('notFound' | 'conflict' for a folder)
   */
  keepOld(at: Capability<'rename'>, how: { follows: boolean }, signal?: AbortSignal): Promise<OldFile>
  /** Restores the kept entry under its name, replacing the present one. @throws Failure('notFound') when it was removed */
  putBackOld(at: Capability<'rename'>, old: OldFile): Promise<void>
  /** Removes the kept entry. */
  dropOld(at: Capability<'rename'>, old: OldFile): Promise<void>
  /** A file, a link (never its target) or an empty folder. @throws Failure('notFound' | 'conflict' when the folder is not empty) */
  remove(at: Capability<'delete' | 'rename' | 'modify'>, signal?: AbortSignal): Promise<void>
  /**
   * Within one file system.
   * @throws Failure('conflict') when the name is taken and `replace` is false, or a folder is in the way
   * @throws CrossDevice when the two lie on different file systems
   */
  move(
    from: Capability<'rename'>,
    to: Capability<'rename' | 'create' | 'modify'>,
    how: { replace: boolean },
    signal?: AbortSignal,
  ): Promise<void>
  /**
   * For many changes in one tree: a view of this disk that keeps folders open and syncs each of them once. The changes are durable
   * when this resolves. A folder that another request moves meanwhile is still used.
   */
  batch<T>(work: (disk: Disk) => Promise<T>): Promise<T>
}

/** Source and target of a move lie on different file systems: copy, sync, delete. */
export class CrossDevice extends Error {}
