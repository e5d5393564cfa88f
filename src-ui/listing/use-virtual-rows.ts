import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Measures } from './measures.ts'
import type { RowLayout } from './row-layout.ts'

type Given = {
  pane: RefObject<HTMLDivElement | null>
  lines: RowLayout
  measures: Measures
  /** The line that Tab leads to: it is always drawn, so that the focus cannot fall off the page by scrolling. */
  tabLine: number | undefined
  /** Pixels that stay at the top above the lines. */
  columnHeaderHeight: number
  /** Pixels from the top to begin with. */
  scroll: number
}

export type VirtualRows = Virtualizer<HTMLDivElement, Element>

/** The lines near the window, of however many there are. */
export function useVirtualRows({ pane, lines, measures, tabLine, columnHeaderHeight, scroll }: Given): VirtualRows {
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: lines.count,
    getScrollElement: () => pane.current,
    estimateSize: (line) => measures.heightOf(lines.at(line)),
    rangeExtractor: (range) => withLine(defaultRangeExtractor(range), tabLine, range),
    overscan: 6,
    scrollMargin: columnHeaderHeight,
    scrollPaddingStart: columnHeaderHeight,
    initialOffset: scroll,
  })
  const laidOut = useRef({ measures, lines })
  useLayoutEffect(() => {
    if (laidOut.current.measures === measures && laidOut.current.lines === lines) return
    laidOut.current = { measures, lines }
    virtual.measure()
  }, [virtual, measures, lines])
  return virtual
}

function withLine(drawn: number[], line: number | undefined, { count }: Range): number[] {
  if (line === undefined || line >= count || drawn.includes(line)) return drawn
  return line < (drawn[0] ?? 0) ? [line, ...drawn] : [...drawn, line]
}
