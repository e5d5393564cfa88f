import type { ReadonlySignal } from '@preact/signals-core'
import type { Entry, SortedEntries } from './entries.ts'
import { requiredSlice } from './workspace.ts'

/** Where a file stands among those beside it that the preview goes through. */
export type Neighbours = {
  previous: Entry | undefined
  next: Entry | undefined
  /** Counted from 1, and how many there are; undefined until the folder is known. */
  position: { at: number; of: number } | undefined
}

/** The file that is shown instead of a folder. Operations report to it what has become of the file. The listing provides it. */
export interface FileView {
  /** Undefined while a folder or an error is shown. */
  readonly file: ReadonlySignal<Entry | undefined>
  /** The entries of its folder, in the order of the listing; none until they are known. */
  readonly siblings: ReadonlySignal<SortedEntries>
  readonly neighbours: ReadonlySignal<Neighbours>
  /** Whether it was opened from the listing, not by its address. */
  wasOpened(): boolean
  /** Opens another file in its place. */
  show(path: string): void
  /** Opens its folder, where the file is selected. */
  close(): void
  /** It was deleted or moved away: opens the next file, else the previous one, else the folder. */
  removed(path: string): void
  /** It has another path now. */
  renamed(from: string, to: string): void
}

/** Whether a file opens in the editor; a text of more than 10 MiB does not. */
export const isText = ({ type }: Pick<Entry, 'type'>): boolean => type === 'text' || type === 'textImmutable'

export const fileViewSlice = requiredSlice<FileView>('fileView')

/** The types that the preview goes through (specification, section 4). */
const previewed: readonly string[] = ['image', 'video', 'audio', 'blob']

/** The neighbours of a file among the entries of its folder. Folders, texts and PDF documents are left out. */
export function neighboursOf({ entries, indexOf }: SortedEntries, path: string): Neighbours {
  const index = indexOf(path)
  if (index === undefined) return { previous: undefined, next: undefined, position: undefined }
  const isPreviewed = ({ isDir, type, unreachable }: Entry) => !isDir && !unreachable && previewed.includes(type)
  const before = entries.slice(0, index).filter(isPreviewed)
  const after = entries.slice(index + 1).filter(isPreviewed)
  return {
    previous: before.at(-1),
    next: after[0],
    position: { at: before.length + 1, of: before.length + 1 + after.length },
  }
}

/** The next file of a type in the folder, for a queue. */
export function nextOfType({ entries, indexOf }: SortedEntries, path: string, type: string): Entry | undefined {
  const index = indexOf(path)
  if (index === undefined) return undefined
  return entries.slice(index + 1).find((entry) => !entry.isDir && !entry.unreachable && entry.type === type)
}
