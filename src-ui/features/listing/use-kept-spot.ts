import { useEffect, useState } from 'react'
import { entryName, keepSpot, makeSpot, type Spot, spotOf } from '../../state/history.ts'
import { order, reveal, revealed } from '../../state/listing.ts'
import { selection } from '../../state/selection.ts'

/** Where one was in this folder at this entry of the history, and how to keep it. */
export function useKeptSpot(): { spot: Spot | undefined; keep: (scroll: number) => void } {
  const [kept] = useState(() => {
    const entry = entryName()
    return { entry, spot: spotOf(entry) }
  })
  const { entry, spot } = kept
  useEffect(() => {
    if (spot && selection.peek().keys.size === 0) restore(spot)
  }, [spot])
  return { spot, keep: (scroll) => keepSpot(entry, makeSpot(scroll, selection.peek())) }
}

function restore({ focus, selected }: Spot): void {
  const present = (key: string) => order.peek().indexOf(key) !== undefined
  const key = focus !== undefined && present(focus) ? focus : undefined
  selection.value = { keys: new Set(selected.filter(present)), focus: key }
  // The keyboard goes on where it was, unless it is somewhere by now.
  const isNowhere = document.activeElement === document.body || document.activeElement?.id === 'main'
  if (key !== undefined && isNowhere && !revealed.peek()) reveal(key, { focus: true })
}
