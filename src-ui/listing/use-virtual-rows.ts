import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Measures } from './measures.ts'
import type { RowLayout } from './row-layout.ts'
import { VirtualRows } from './virtual-rows.ts'

type VirtualRowsInput = {
  pane: RefObject<HTMLDivElement | null>
  lines: RowLayout
  measures: Measures
  /** Pixels of the pane; 0 until it is measured. */
  height: number
  /** Pixels of the sticky column headers above the lines. */
  columnHeaderHeight: number
  /** The initial scroll position in pixels. */
  scroll: number
}

/** Milliseconds without a scroll event after which the scrolling has ended. */
const scrollEnd = 150

/** The lines near the window. Renders again when others are, and when the scrolling has ended. */
export function useVirtualRows({ pane, lines, measures, height, columnHeaderHeight, scroll }: VirtualRowsInput): VirtualRows {
  const [virtual] = useState(() => new VirtualRows(scroll))
  const [, render] = useReducer((times: number) => times + 1, 0)
  const laidOut = useRef<{ lines: RowLayout; measures: Measures }>(undefined)
  if (laidOut.current?.lines !== lines || laidOut.current.measures !== measures) {
    laidOut.current = { lines, measures }
    virtual.layOut(lines, measures)
  }
  virtual.height = height
  virtual.margin = columnHeaderHeight
  virtual.onOthers = render
  virtual.update()

  const isMeasured = height > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial position, once the lines have their heights
  useLayoutEffect(() => {
    if (isMeasured && pane.current) virtual.scrollTo(pane.current, scroll)
  }, [isMeasured])

  useEffect(() => {
    const element = pane.current
    if (!element) return
    let ending: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      virtual.scrollOffset = element.scrollTop
      // Before the next picture, or there would be a gap where the lines are missing.
      if (virtual.update()) flushSync(render)
      clearTimeout(ending)
      ending = setTimeout(render, scrollEnd)
    }
    element.addEventListener('scroll', follow, { passive: true })
    return () => {
      element.removeEventListener('scroll', follow)
      clearTimeout(ending)
    }
  }, [pane, virtual])
  return virtual
}
