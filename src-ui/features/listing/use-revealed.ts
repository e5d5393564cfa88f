import { type RefObject, useEffect } from 'react'
import type { Lines } from '../../state/lines.ts'
import { order, revealed } from '../../state/listing.ts'
import type { VirtualLines } from './use-virtual-lines.ts'

/** Brings an entry into view when that is wished for, and the keyboard to it. To be called by a component that follows signals. */
export function useRevealed(pane: RefObject<HTMLElement | null>, virtual: VirtualLines, lines: Lines): void {
  const wish = revealed.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish, whatever else is drawn anew
  useEffect(() => {
    const index = order.peek().indexOf(wish?.key)
    if (!wish || index === undefined) return
    const line = lines.lineOf(index)
    // With the first entry its head comes into view too.
    virtual.scrollToIndex(line === 1 ? 0 : line, { align: 'auto' })
    if (wish.focus) pane.current?.querySelector<HTMLElement>(`[data-entry="${index}"]`)?.focus({ preventScroll: true })
  }, [wish])
}
