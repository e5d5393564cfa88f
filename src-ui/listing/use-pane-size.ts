import { type RefObject, useLayoutEffect, useState } from 'react'
import { rem } from '../ui/rem.ts'

/** The size of the pane and of the parts of the list. */
export type PaneSize = {
  /** Pixels inside the pane. */
  width: number
  height: number
  /** Pixels of a sixteenth of the browser's size of type: 1 unless the reader has chosen another. */
  unit: number
  /** Pixels of a row of the list. */
  rowHeight: number
  /** Pixels of the column headers with their border. */
  columnHeaderHeight: number
  isPhone: boolean
  /** Dates are shown without the time. */
  isNarrow: boolean
}

const phone = '(max-width: 46em)'
const narrow = '(max-width: 63.9375em)'

/** Measures the pane and follows its changes. */
export function usePaneSize(pane: RefObject<HTMLElement | null>): PaneSize {
  const [space, setSpace] = useState<PaneSize>({
    width: 0,
    height: 0,
    unit: 1,
    rowHeight: 40,
    columnHeaderHeight: 33,
    isPhone: false,
    isNarrow: false,
  })
  useLayoutEffect(() => {
    const element = pane.current
    if (!element) return
    const measure = () => setSpace((before) => keepSame(before, spaceOf(element)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [pane])
  return space
}

// The parts above the pane grow with the type, so that a new size of type changes the height of the pane.
function spaceOf(element: HTMLElement): PaneSize {
  const unit = rem() / 16
  /** A length of the style sheets, which is in rem. */
  const sizeOf = (token: string) => Number.parseFloat(getComputedStyle(element).getPropertyValue(token)) * 16 * unit
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    unit,
    rowHeight: sizeOf('--size-row') || 40,
    columnHeaderHeight: sizeOf('--size-column-headers') || 33,
    isPhone: matchMedia(phone).matches,
    isNarrow: matchMedia(narrow).matches,
  }
}

const keepSame = (before: PaneSize, now: PaneSize): PaneSize =>
  Object.entries(now).every(([name, value]) => before[name as keyof PaneSize] === value) ? before : now
