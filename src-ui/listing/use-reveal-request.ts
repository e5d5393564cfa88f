import { type RefObject, useEffect } from 'react'
import type { RevealRequest } from '../core/entry-view.ts'
import { useSlice } from '../core/use-workspace.ts'
import { listingSlice } from './listing.ts'
import type { RowLayout } from './row-layout.ts'
import type { VirtualRows } from './use-virtual-rows.ts'

/** Scrolls to an entry and focuses it on request. Call it in a component made with `view`, because it reads a signal. */
export function useRevealRequest(pane: RefObject<HTMLElement | null>, virtual: VirtualRows, lines: RowLayout): void {
  const listing = useSlice(listingSlice)
  const request = listing.revealRequest.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request, whatever else is drawn anew
  useEffect(() => {
    const index = listing.sortedEntries.peek().indexOf(request?.key)
    if (!request || index === undefined) return
    const line = lines.lineOf(index)
    // The first entry is shown with its heading. The keyboard scrolls by single rows; any other distant entry is centred.
    scrollTo(virtual, line === 1 ? 0 : line, request.focus || isInView(virtual, line) ? 'nearest' : 'center')
    if (request.focus) focus(pane.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(request.key)}"]`), request.focus)
  }, [request])
}

const isInView = ({ range }: VirtualRows, line: number): boolean =>
  range !== null && range.startIndex <= line && line <= range.endIndex

// Instead of the virtualizer's scrollToIndex, which reads the height of the page and so forces a second layout for each key
// press. The positions of all lines are known here.
function scrollTo(virtual: VirtualRows, line: number, where: 'nearest' | 'center'): void {
  const { scrollElement: pane, measurementsCache: measured, scrollRect } = virtual
  const edges = measured[line]
  if (!pane || !edges || !scrollRect) return
  const wanted = where === 'center' ? centered(edges, scrollRect.height) : nearest(virtual, edges, scrollRect.height)
  if (wanted === undefined) return
  pane.scrollTop = wanted
  // Set here, because the next key press may come before the scroll event.
  virtual.scrollOffset = pane.scrollTop
}

/** The edges of a line in pixels. */
type Edges = { start: number; end: number }

const centered = ({ start, end }: Edges, height: number): number => (start + end - height) / 2

/** The scroll position that brings a line into view; undefined when it is in view. */
function nearest({ scrollOffset, options }: VirtualRows, { start, end }: Edges, height: number): number | undefined {
  const top = scrollOffset ?? 0
  if (end > top + height) return end - height
  return start < top + options.scrollPaddingStart ? start - options.scrollPaddingStart : undefined
}

// Chromium does not count a chord with Ctrl as keyboard use and would hide the focus ring.
function focus(element: HTMLElement | null | undefined, how: NonNullable<RevealRequest['focus']>): void {
  const options: FocusOptions & { focusVisible?: boolean } = { preventScroll: true }
  if (how === 'byKeyboard') options.focusVisible = true
  element?.focus(options)
}
