// Folders and files as the server describes them, for tests.
import type { Resource, ResourceItem } from '../../src-server/contract/files.ts'
import { entriesOf, type SortedEntries, toSortedEntries } from '../../src-ui/core/entries.ts'

type Fields = Partial<Omit<ResourceItem, 'name' | 'isDir'>>

export const file = (name: string, given: Fields = {}): ResourceItem =>
  item(name, false, { type: 'others', mode: 0o640, ...given })
export const folder = (name: string, given: Fields = {}): ResourceItem => item(name, true, given)

export function resourceOf(items: ResourceItem[]): Resource {
  const numDirs = items.filter((entry) => entry.isDir).length
  return { ...folder(''), items, numDirs, numFiles: items.length - numDirs }
}

/** The order of files with these names. */
export const orderOfNames = (...names: string[]): SortedEntries =>
  toSortedEntries(entriesOf(resourceOf(names.map((name) => file(name)))))

function item(name: string, isDir: boolean, given: Fields): ResourceItem {
  const extension = /\.[^.]*$/.exec(name)?.[0] ?? ''
  const common = { path: `/${name}`, name, size: 0, extension, mode: 0o750, isDir, isSymlink: false, type: '' } as const
  return { ...common, modified: '2026-01-01T00:00:00Z', ...given }
}
