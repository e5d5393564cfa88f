import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ListingState } from '../core/entry-view.ts'
import { historyKey, makeScrollState, type ScrollState, scrollStatesSlice } from '../core/history.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { listingSlice } from './listing.ts'
import type { Selection } from './selection.ts'

/** The saved scroll state of this history entry, and the function that saves it. */
export function useScrollState(
  pane: RefObject<HTMLElement | null>,
  selected: Selection,
): { savedState: ScrollState | undefined; keepScroll: () => void } {
  const workspace = useWorkspace()
  const scrollStates = workspace.use(scrollStatesSlice)
  const listing = workspace.use(listingSlice)
  const [kept] = useState(() => {
    const entry = historyKey()
    return { entry, savedState: scrollStates.get(entry), path: listing.currentPath.peek() }
  })
  const { entry, savedState, path } = kept
  useRestored(workspace, savedState)
  // Read only on scroll events: at other times reading it would force a layout.
  const scroll = useRef(savedState?.scroll ?? 0)
  const keep = () => {
    // While another folder is loading, this one is still rendered but its history entry is no longer current.
    if (path === listing.currentPath.peek()) scrollStates.save(entry, makeScrollState(scroll.current, listing.selection.peek()))
  }
  const keepScroll = () => {
    scroll.current = pane.current?.scrollTop ?? 0
    keep()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the selection is another one
  useEffect(keep, [selected])
  return { savedState, keepScroll }
}

/** Restores focus and selection. Kept rows may lack the selected entries: then it is tried again with the rows that are loaded. */
function useRestored(workspace: Workspace, savedState: ScrollState | undefined): void {
  const listing = workspace.use(listingSlice)
  const { entries } = listing.state.value as ListingState & { kind: 'folder' }
  const attempts = useRef(savedState ? 2 : 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each listing that is loaded
  useEffect(() => {
    if (!savedState || attempts.current === 0) return
    attempts.current -= 1
    if (listing.selection.peek().keys.size === 0) restore(workspace, savedState)
    if (listing.selection.peek().focus !== undefined || savedState.focus === undefined) attempts.current = 0
  }, [workspace, listing, savedState, entries])
}

function restore(workspace: Workspace, { focus, selected }: ScrollState): void {
  const listing = workspace.use(listingSlice)
  const present = (key: string) => listing.sortedEntries.peek().indexOf(key) !== undefined
  const key = focus !== undefined && present(focus) ? focus : undefined
  listing.selection.value = { keys: new Set(selected.filter(present)), focus: key }
  // Restores the focus unless another element has it.
  const isNowhere = document.activeElement === document.body || document.activeElement?.id === 'main'
  if (key !== undefined && isNowhere && !listing.revealRequest.peek()) listing.reveal(key, 'quietly')
}
