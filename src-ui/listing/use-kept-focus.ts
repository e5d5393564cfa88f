import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import type { SortedEntries } from '../core/entries.ts'
import { useSlice } from '../core/use-workspace.ts'
import { listingSlice } from './listing.ts'

/**
 * Keeps the focus in the page when the entries of the listing change and the focused element is removed, with its entry or because a
 * tile is rendered again in another row. The focus moves to the entry with the selection's focus. From a field it moves to no entry:
 * Enter, which was meant for the field, would open that.
 */
export function useKeptFocus(shown: SortedEntries) {
  const listing = useSlice(listingSlice)
  const focused = useRef<Element>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the entries are others
  useLayoutEffect(() => {
    // React reports no blur of an element that it removes.
    if (!focused.current || document.activeElement !== document.body) return
    const key = listing.selection.peek().focus
    const next = focused.current.matches('input') ? '#main' : `[data-entry="${CSS.escape(key ?? '')}"]`
    document.querySelector<HTMLElement>(next)?.focus({ preventScroll: true })
  }, [shown])
  return {
    onFocusCapture: (event: FocusEvent) => {
      focused.current = event.target
    },
    onBlurCapture: () => {
      focused.current = null
    },
  }
}
