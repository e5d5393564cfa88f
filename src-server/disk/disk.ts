import type { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'

/**
 * Why an entry is shown but cannot be opened: a link out of the scope, to what the rules block or to a file of ours, a link to
 * nothing, a FIFO or device, a name that is not UTF-8.
 */
export type Unreachable = 'outside' | 'broken' | 'special' | 'name'

/** One thing in a folder. Of a link that stays inside the scope: what it leads to, with `isSymlink` true. */
export type Entry = Readonly<{
  name: string
  path: Path
  isDir: boolean
  isSymlink: boolean
  unreachable?: Unreachable
  /** Bytes; of a folder what the file system says (4096 on ext4). */
  size: number
  /** Nanoseconds since the epoch. */
  modified: bigint
  /** The kind and permission bits of `stat`. */
  mode: number
  /** Names the object, not its name: `<device>:<inode>`. */
  identity: string
  /** An opaque strong validator of a file's content, of characters that an entity tag may hold. */
  version: string
}>

/** An open regular file. Whoever opened it closes it. */
export type OpenFile = Readonly<{
  fd: number
  entry: Entry
  /** Fills a buffer, or a part of it, from a position. @returns how many bytes @throws FileShrunk when there are none */
  readInto(buffer: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}>

/** A file got shorter while it was read: what was promised of it cannot be kept. */
export class FileShrunk extends Failure {
  constructor() {
    super('conflict', 'the file got shorter while it was read')
    this.name = 'FileShrunk'
  }
}

export type CommitHow = Readonly<{
  /** false: an existing target is a conflict, asked and answered in one step. true: an existing file is replaced, keeping its mode and owner. */
  replace: boolean
  /** The version that the target must have at the moment when it is replaced. */
  ifVersion?: string | undefined
  /** Mode and times for a new file, as a copy keeps them. */
  like?: Entry | undefined
}>

export type WriteHow = CommitHow

export type BeginHow = Readonly<{
  /** As it will be said to `commit`: a link is then followed. */
  replace: boolean
  /** Whether what was written stays when the signal is aborted or the process ends, for `resumeWrite`. */
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

/**
 * Bytes below one root. Every method redeems its ticket first. Our own files are nobody's: absent from listings, `forbidden` else,
 * and what they lie in stays where it is. A path that leads through a link out of the bounds is `forbidden`.
 * stat, list, open and write with `replace` follow a link at the end of the path; everything else acts on the link itself.
 */
export interface Disk {
  /** @throws Failure('notFound') */
  stat(at: Capability<'see'>): Promise<Entry>
  /** Everything in a folder but our own files, in no order; rules are the caller's to apply. @throws Failure('notFound' | 'invalid') */
  list(at: Capability<'see'>): Promise<Entry[]>
  /** @throws Failure('notFound' | 'forbidden') when it is not a regular file inside the scope */
  open(at: Capability<'download' | 'rename'>): Promise<OpenFile>
  /**
   * Writes to a hidden temporary file beside the target; the target appears whole or not at all. What the body throws is thrown on.
   * The chunks of the body must not change meanwhile. An aborted signal ends it at once, also while no chunk comes.
   * @throws Failure('conflict' | 'full' | 'notFound' when the folder is missing | 'forbidden' for a device, a pipe or a socket |
   *   'changed' when the target has not the version `how.ifVersion`)
   */
  write(at: Writable, body: AsyncIterable<Uint8Array>, how: WriteHow, signal?: AbortSignal): Promise<Entry>
  /** The same in steps. @throws as write does */
  beginWrite(at: Writable, how: BeginHow, signal?: AbortSignal): Promise<PendingWrite>
  /**
   * Goes on with a resumable write, also one of an earlier run of the server.
   * @param how.name what the write was called
   * @throws Failure('notFound') when it is gone, Failure('busy') while it is open
   */
  resumeWrite(at: Writable, how: BeginHow & { name: string }, signal?: AbortSignal): Promise<PendingWrite>
  /** One folder; its parent must exist. @throws Failure('conflict' | 'notFound') */
  makeFolder(at: Capability<'create' | 'rename'>, like?: Entry, signal?: AbortSignal): Promise<void>
  /** Makes a link with the same target text as another. @throws Failure('conflict') */
  copyLink(from: Capability<'download' | 'rename'>, to: Capability<'create' | 'rename'>, signal?: AbortSignal): Promise<void>
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
}

/** Source and target of a move lie on different file systems: copy, sync, delete. */
export class CrossDevice extends Error {}
