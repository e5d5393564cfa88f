// What an archive holds, entry by entry, as all readers give it.
import type { ArchiveNames } from './archive-names.ts'

/** An entry of an archive. Its path has been checked: no part of it is '..', and none is empty. */
export type UnpackedEntry = Readonly<{
  /** The names from the top of the archive down; at least one. */
  parts: readonly string[]
  /** The name as it stands in the archive, for refusals. */
  name: string
  kind: 'file' | 'folder' | 'link' | 'hardLink'
  /** Bytes of a file, as the archive says it. */
  size: number
  /** Nanoseconds since the epoch. */
  modified: bigint
  /** Permission bits, where the archive has some. */
  mode?: number
  /** The content of a file, once, exactly as long as its size. @throws Failure('invalid') when it is not as the archive says */
  content?(): AsyncIterable<Uint8Array>
  /** The target text of a link. */
  linkText?: string
  /** The names from the top down of the file that a hard link is another name of. */
  target?: readonly string[]
}>

/** How an archive is read. */
export type UnpackHow = Readonly<{
  isWhole: boolean
  names: ArchiveNames
  /** Of which memory is taken before they are given; more are refused. */
  mostEntries?: number
  /** Told of what is read and given nowhere, before it is read: entries, and bytes beyond the sizes of those that are given. */
  onLeftOut?(left: Readonly<{ entries: number; bytes: number }>): void
}>

/** Reads an archive. */
export interface Unpacker {
  /** A later file of a name takes the place of an earlier one: programs add to the end what has changed. */
  readonly repeats?: true
  /**
   * All entries in the order of the archive. What the archive says of them is checked before they are given; with `isWhole` also what it
   * says at their contents.
   * @throws Failure('invalid' | 'unsupported') at the first that is not right
   */
  entries(how: UnpackHow): AsyncIterable<UnpackedEntry>
}
