import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { ItemCount } from '../contract/files.ts'
import type { FileContext } from './walk.ts'

/** How many folders one call counts, how many entries of each, and for how many milliseconds. */
export const countLimits = { names: 100, items: 10_000, longest: 500 }

/**
 * How many entries some folders in a folder have. What is not known after a moment is left out.
 * @throws Failure('invalid') for too many names, Failure('notFound' | 'forbidden'), the signal's reason when it is aborted
 */
export async function itemCounts(
  { principal, disk, signal }: FileContext,
  folder: Path,
  names: readonly string[],
): Promise<ItemCount[]> {
  if (names.length > countLimits.names) throw new Failure('invalid', `names has more than ${countLimits.names} names`)
  const over = AbortSignal.timeout(countLimits.longest)
  const counts: ItemCount[] = []
  const onCounted = (name: string, { items, hasMore }: Omit<ItemCount, 'name'>) => counts.push({ name, items, hasMore })
  const how = { names, most: countLimits.items, onCounted, signal: AbortSignal.any([signal, over]) }
  try {
    await disk.countItems(authorize(principal, 'see', folder), how)
  } catch (error) {
    signal.throwIfAborted()
    if (!over.aborted) throw error
  }
  return [...counts]
}
