import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { SortedEntries } from '../core/entries.ts'
import { useSlice } from '../core/use-workspace.ts'
import { listingSlice } from './listing.ts'

/**
 * Keeps the focus in the listing when its entries change and the focused element is removed, with its entry or because a tile is
 * rendered again in another row. The focus moves to the entry with the selection's focus. From a field it moves to no
 * entry: Enter, which was meant for the field, would open that.
 */
export function useKeptFocus(pane: RefObject<HTMLElement | null>, shown: SortedEntries) {
  const listing = useSlice(listingSlice)
  const focused = useRef<Element>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the entries are others
  useLayoutEffect(() => {
    // React reports no blur of an element that it removes.
    if (!focused.current || document.activeElement !== document.body) return
    if (focused.current.tagName === 'INPUT') return document.getElementById('main')?.focus({ preventScroll: true })
    const key = listing.selection.peek().focus
    const entry = key === undefined ? null : pane.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(key)}"]`)
    entry?.focus({ preventScroll: true })
  }, [shown])
  return {
    onFocusCapture: ({ target }: FocusEvent) => {
      focused.current = target
    },
    onBlurCapture: () => {
      focused.current = undefined
    },
  }
}
