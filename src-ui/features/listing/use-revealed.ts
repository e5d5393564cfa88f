import { type RefObject, useEffect } from 'react'
import type { Lines } from '../../state/lines.ts'
import { order, revealed, type Wish } from '../../state/listing.ts'
import type { VirtualLines } from './use-virtual-lines.ts'

/** Brings an entry into view when that is wished for, and the keyboard to it. To be called by a component that follows signals. */
export function useRevealed(pane: RefObject<HTMLElement | null>, virtual: VirtualLines, lines: Lines): void {
  const wish = revealed.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish, whatever else is drawn anew
  useEffect(() => {
    const index = order.peek().indexOf(wish?.key)
    if (!wish || index === undefined) return
    const line = lines.lineOf(index)
    // With the first entry its head comes into view too. The keyboard goes step by step; what else is far is shown amid its neighbours.
    virtual.scrollToIndex(line === 1 ? 0 : line, { align: wish.focus || isInView(virtual, line) ? 'auto' : 'center' })
    if (wish.focus) focus(pane.current?.querySelector<HTMLElement>(`[data-entry="${index}"]`), wish.focus)
  }, [wish])
}

const isInView = ({ range }: VirtualLines, line: number): boolean =>
  range !== null && range.startIndex <= line && line <= range.endIndex

// A chord with Ctrl does not count as the keyboard for Chromium, which would then hide the ring.
function focus(element: HTMLElement | null | undefined, how: NonNullable<Wish['focus']>): void {
  const options: FocusOptions & { focusVisible?: boolean } = { preventScroll: true }
  if (how === 'byKeyboard') options.focusVisible = true
  element?.focus(options)
}
