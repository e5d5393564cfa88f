import { type RefObject, useEffect, useRef, useState } from 'react'
import { historyKey, makeScrollState, type ScrollState, saveScrollState, scrollStateOf } from '../core/history.ts'
import { currentPath, reveal, revealRequest, sortedEntries } from './listing.ts'
import { type Selection, selection } from './selection.ts'

/** Where one was in this folder at this entry of the history, and how to keep it. */
export function useScrollState(
  pane: RefObject<HTMLElement | null>,
  selected: Selection,
): { spot: ScrollState | undefined; keepScroll: () => void } {
  const [kept] = useState(() => {
    const entry = historyKey()
    return { entry, spot: scrollStateOf(entry), path: currentPath.peek() }
  })
  const { entry, spot, path } = kept
  useEffect(() => {
    if (spot && selection.peek().keys.size === 0) restore(spot)
  }, [spot])
  // Asked of the page when it scrolls alone: at any other time the question would have everything laid out.
  const scroll = useRef(spot?.scroll ?? 0)
  const keep = () => {
    // Once another place is looked at, this one is only still to be seen.
    if (path === currentPath.peek()) saveScrollState(entry, makeScrollState(scroll.current, selection.peek()))
  }
  const keepScroll = () => {
    scroll.current = pane.current?.scrollTop ?? 0
    keep()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the selection is another one
  useEffect(keep, [selected])
  return { spot, keepScroll }
}

function restore({ focus, selected }: ScrollState): void {
  const present = (key: string) => sortedEntries.peek().indexOf(key) !== undefined
  const key = focus !== undefined && present(focus) ? focus : undefined
  selection.value = { keys: new Set(selected.filter(present)), focus: key }
  // The keyboard goes on where it was, unless it is somewhere by now.
  const isNowhere = document.activeElement === document.body || document.activeElement?.id === 'main'
  if (key !== undefined && isNowhere && !revealRequest.peek()) reveal(key, 'quietly')
}
