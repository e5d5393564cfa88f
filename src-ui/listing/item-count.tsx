import { useLayoutEffect, useState } from 'react'
import type { Entry } from '../core/entries.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { itemCountsSlice, type WantedCount } from './item-counts.ts'

/** Whether the server may count the entries of a folder. */
export const isCountable = ({ isDir, isSymlink, unreachable }: Entry): boolean => isDir && !isSymlink && !unreachable

/** The number of entries of a folder, as soon as it is known. @param before what stands before it */
export const ItemCount = view(function ItemCount({ entry, before = '' }: { entry: Entry; before?: string }) {
  const workspace = useWorkspace()
  const [wanted, setWanted] = useState<WantedCount>()
  const { path, modified } = entry
  // Before the first paint, so that a number that is known already is shown at once.
  useLayoutEffect(() => {
    const count = workspace.use(itemCountsSlice).want({ path, modified })
    setWanted(count)
    return () => count.release()
  }, [workspace, path, modified])
  const counted = wanted?.state.value
  if (!counted) return null
  const { items, hasMore } = counted
  return (
    <span className="item-count">
      {before}
      {hasMore ? t('listing.moreItems', { number: items }) : t('listing.items', { count: items })}
    </span>
  )
})
