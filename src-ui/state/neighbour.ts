import type { SortedEntries } from './entries.ts'

/** The entry next to those that are gone: the one after the last of them, else the one before the first. */
export function neighbourOf(before: SortedEntries, gone: ReadonlySet<string>): string | undefined {
  const { entries } = before
  const last = entries.findLastIndex(({ key }) => gone.has(key))
  if (last < 0) return undefined
  const after = entries.slice(last + 1).find(({ key }) => !gone.has(key))
  return (after ?? entries.slice(0, last).findLast(({ key }) => !gone.has(key)))?.key
}
