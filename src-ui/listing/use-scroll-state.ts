import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ListingState } from '../core/entry-view.ts'
import { historyKey, makeScrollState, type ScrollState, scrollStatesSlice } from '../core/history.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { listingSlice } from './listing.ts'
import type { Selection } from './selection.ts'

/** Where one was in this folder at this entry of the history, and how to keep it. */
export function useScrollState(
  pane: RefObject<HTMLElement | null>,
  selected: Selection,
): { spot: ScrollState | undefined; keepScroll: () => void } {
  const workspace = useWorkspace()
  const scrollStates = workspace.use(scrollStatesSlice)
  const listing = workspace.use(listingSlice)
  const [kept] = useState(() => {
    const entry = historyKey()
    return { entry, spot: scrollStates.get(entry), path: listing.currentPath.peek() }
  })
  const { entry, spot, path } = kept
  useRestored(workspace, spot)
  // Asked of the page when it scrolls alone: at any other time the question would have everything laid out.
  const scroll = useRef(spot?.scroll ?? 0)
  const keep = () => {
    // Once another place is looked at, this one is only still to be seen.
    if (path === listing.currentPath.peek()) scrollStates.save(entry, makeScrollState(scroll.current, listing.selection.peek()))
  }
  const keepScroll = () => {
    scroll.current = pane.current?.scrollTop ?? 0
    keep()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the selection is another one
  useEffect(keep, [selected])
  return { spot, keepScroll }
}

/** Restores focus and selection. The rows of an earlier visit may lack what is to be selected: then the next rows are looked at too. */
function useRestored(workspace: Workspace, spot: ScrollState | undefined): void {
  const listing = workspace.use(listingSlice)
  const { entries } = listing.state.value as ListingState & { kind: 'folder' }
  const attempts = useRef(spot ? 2 : 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each listing that arrives
  useEffect(() => {
    if (!spot || attempts.current === 0) return
    attempts.current -= 1
    if (listing.selection.peek().keys.size === 0) restore(workspace, spot)
    if (listing.selection.peek().focus !== undefined || spot.focus === undefined) attempts.current = 0
  }, [workspace, listing, spot, entries])
}

function restore(workspace: Workspace, { focus, selected }: ScrollState): void {
  const listing = workspace.use(listingSlice)
  const present = (key: string) => listing.sortedEntries.peek().indexOf(key) !== undefined
  const key = focus !== undefined && present(focus) ? focus : undefined
  listing.selection.value = { keys: new Set(selected.filter(present)), focus: key }
  // The keyboard goes on where it was, unless it is somewhere by now.
  const isNowhere = document.activeElement === document.body || document.activeElement?.id === 'main'
  if (key !== undefined && isNowhere && !listing.revealRequest.peek()) listing.reveal(key, 'quietly')
}
