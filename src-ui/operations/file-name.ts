import type { SortedEntries } from '../core/entries.ts'
import { pathIn } from '../core/paths.ts'
import type { Key, Params } from '../i18n/t.ts'

/** The longest name a file system takes, in bytes. */
const longest = 255

export type NameProblem = { key: Key; params?: Params }

/**
 * What is wrong with a name that is to be given in a folder; undefined when nothing is. The name is trimmed already.
 * @param order what stands in the folder, where the page knows
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
