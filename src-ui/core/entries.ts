import type { Resource, ResourceItem } from '../../src-server/contract/files.ts'

/** A file or a folder in a listing. */
export type Entry = ResourceItem & {
  /** Its identity through sorting, refreshing and live changes: its path, made unique where the name could not be read. */
  key: string
}

/** An entry that is to be moved, copied or deleted. */
export type Item = Pick<Entry, 'path' | 'name' | 'isDir' | 'size' | 'modified' | 'unreachable'>

/** The entries of a folder in one order: folders first, as the page shows them. */
export type SortedEntries = {
  entries: readonly Entry[]
  /** How many of them are folders. */
  folders: number
  /** The position of an entry; undefined when it is not in the folder. */
  indexOf(key: string | undefined): number | undefined
}

/** The entries of an answer with their keys. The objects of the answer are reused: there may be 100,000. */
export function entriesOf(resource: Pick<Resource, 'items'>): Entry[] {
  const entries = (resource.items ?? []) as Entry[]
  entries.forEach((entry, index) => {
    entry.key = keyOf(entry, index)
  })
  return entries
}

// Two names that are not UTF-8 may be decoded to the same text: their positions make the keys unique. No path has two slashes
// together. A zero character would do as well, but `CSS.escape` replaces it, so that no selector would find the row.
const keyOf = ({ path, unreachable }: ResourceItem, index: number): string =>
  unreachable === 'name' ? `${path}//${index}` : path

export function toSortedEntries(sorted: readonly Entry[]): SortedEntries {
  let positions: Map<string, number> | undefined
  return {
    entries: sorted,
    folders: countFolders(sorted),
    indexOf(key) {
      if (key === undefined) return undefined
      positions ??= new Map(sorted.map((entry, index) => [entry.key, index]))
      return positions.get(key)
    },
  }
}

function countFolders(sorted: readonly Entry[]): number {
  const firstFile = sorted.findIndex((entry) => !entry.isDir)
  return firstFile < 0 ? sorted.length : firstFile
}

/** The entry next to removed ones: the one after the last of them, else the one before. */
export function neighbourOf(before: SortedEntries, gone: ReadonlySet<string>): string | undefined {
  const { entries } = before
  const last = entries.findLastIndex(({ key }) => gone.has(key))
  if (last < 0) return undefined
  const after = entries.slice(last + 1).find(({ key }) => !gone.has(key))
  return (after ?? entries.slice(0, last).findLast(({ key }) => !gone.has(key)))?.key
}
