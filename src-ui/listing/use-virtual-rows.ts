import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Measures } from './measures.ts'
import type { RowLayout } from './row-layout.ts'

type VirtualRowsInput = {
  pane: RefObject<HTMLDivElement | null>
  lines: RowLayout
  measures: Measures
  /** The line with the tab stop. It is always rendered, so that scrolling cannot remove the focused element. */
  tabLine: number | undefined
  /** Pixels of the sticky column headers above the lines. */
  columnHeaderHeight: number
  /** The initial scroll position in pixels. */
  scroll: number
}

export type VirtualRows = Virtualizer<HTMLDivElement, Element>

/** The virtualizer, which renders only the lines near the window. */
export function useVirtualRows({ pane, lines, measures, tabLine, columnHeaderHeight, scroll }: VirtualRowsInput): VirtualRows {
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
