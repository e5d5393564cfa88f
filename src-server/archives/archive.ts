/** A file or a folder that goes into an archive. */
export interface ArchiveEntry {
  /** Relative to the top of the archive, with slashes between the names and none at either end. */
  readonly path: string
  readonly isDir: boolean
  /** Bytes; 0 for a folder. The content must have exactly this length. */
  readonly size: number
  /** Nanoseconds since the epoch. */
  readonly modified: bigint
  /** Permission bits. */
  readonly mode: number
  /** The content of a file that is in memory already. As with `read`, its memory must not be reused: the archive keeps it for a while. */
  readonly content?: Uint8Array
  /** The writer may call it once, when it needs `content` no longer: its memory may be reused from then on. */
  release?(): void
  /** The content of any other file; absent for a folder. */
  read?(): AsyncIterable<Uint8Array>
  /** The writer may call it with a chunk of `read` that it needs no longer: its memory may be reused from then on. */
  giveBack?(chunk: Uint8Array): void
}

/**
 * Packs entries in their order, in memory that does not grow with the size of the files.
 * The stream throws when an entry cannot be packed as announced, for example because its content is shorter or longer than its
 * size, and when the signal is aborted. A stream that has thrown is no valid archive. All contents and the entries are closed then,
 * as after the end.
 * @throws Failure('changed') when a content does not have its size, Failure('invalid') for a path that the format cannot hold
 */
export type ArchiveWriter = (entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal) => AsyncIterable<Uint8Array>
