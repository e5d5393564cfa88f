import type { SortedEntries } from '../core/entries.ts'
import { pathIn } from '../core/paths.ts'
import type { Key, Params } from '../i18n/t.ts'

/** The maximum length of a name in bytes. */
const longest = 255

export type NameProblem = { key: Key; params?: Params }

/**
 * Checks a new name in a folder.
 * @param name already trimmed
 * @param order the entries of the folder, if known
 * @returns undefined when the name is valid and not taken
 */
export function nameProblem(name: string, folder: string, order?: SortedEntries): NameProblem | undefined {
  if (name === '') return { key: 'prompts.name.empty' }
  if (name.includes('/')) return { key: 'prompts.name.slash' }
  if (name === '.' || name === '..') return { key: 'prompts.name.dots' }
  const bytes = new TextEncoder().encode(name).length
  if (bytes > longest) return { key: 'prompts.name.long', params: { bytes } }
  const there = order?.entries[order.indexOf(pathIn(folder, name)) ?? -1]
  if (!there) return undefined
  return { key: there.isDir ? 'prompts.name.takenFolder' : 'prompts.name.taken' }
}
