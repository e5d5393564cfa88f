import { type RefObject, useEffect } from 'react'
import type { RevealRequest } from '../core/entry-view.ts'
import { isBusyElsewhere } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { listingSlice } from './listing.ts'
import type { RowLayout } from './row-layout.ts'
import { coveredIn, type Edges, type VirtualRows } from './virtual-rows.ts'

/** Scrolls to an entry and focuses it on request, a quiet one unless the person is busy elsewhere. Call it in a component made with `view`, because it reads a signal. */
export function useRevealRequest(pane: RefObject<HTMLElement | null>, virtual: VirtualRows, lines: RowLayout): void {
  const workspace = useWorkspace()
  const listing = workspace.use(listingSlice)
  const request = listing.revealRequest.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request, whatever else is drawn anew
  useEffect(() => {
    const index = listing.sortedEntries.peek().indexOf(request?.key)
    if (!request || index === undefined) return
    const line = lines.lineOf(index)
    // The first entry is shown with its heading. The keyboard scrolls by single rows; any other distant entry is centred.
    scrollTo(pane.current, virtual, line === 1 ? 0 : line, request.focus || isInView(virtual, line) ? 'nearest' : 'center')
    if (request.focus === 'quietly' && isBusyElsewhere(workspace, pane.current)) return
    if (request.focus) focus(pane.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(request.key)}"]`), request.focus)
  }, [request])
}

const isInView = ({ range }: VirtualRows, line: number): boolean =>
  range !== undefined && range.first <= line && line <= range.last

function scrollTo(pane: HTMLElement | null, virtual: VirtualRows, line: number, where: 'nearest' | 'center'): void {
  const edges = virtual.edgesOf(line)
  if (!pane || !edges) return
  const wanted = where === 'center' ? centered(edges, virtual.height) : virtual.nearest(edges, coveredIn(pane))
  if (wanted !== undefined) virtual.scrollTo(pane, wanted)
}

const centered = ({ start, end }: Edges, height: number): number => (start + end - height) / 2

// Chromium does not count a chord with Ctrl as keyboard use and would hide the focus ring.
function focus(element: HTMLElement | null | undefined, how: NonNullable<RevealRequest['focus']>): void {
  const options: FocusOptions & { focusVisible?: boolean } = { preventScroll: true }
  if (how === 'byKeyboard') options.focusVisible = true
  element?.focus(options)
}
