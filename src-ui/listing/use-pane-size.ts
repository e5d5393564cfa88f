import { type RefObject, useLayoutEffect, useState } from 'react'

/** The size of the pane and of the parts of the list. */
export type PaneSize = {
  /** Pixels inside the pane. */
  width: number
  height: number
  /** Pixels of a row of the list. */
  rowHeight: number
  /** Pixels of the column headers with their border. */
  columnHeaderHeight: number
  isPhone: boolean
  /** Dates are shown without the time. */
  isNarrow: boolean
}

const phone = '(max-width: 736px)'
const narrow = '(max-width: 1023px)'

/** Measures the pane and follows its changes. */
export function usePaneSize(pane: RefObject<HTMLElement | null>): PaneSize {
  const [space, setSpace] = useState<PaneSize>({
    width: 0,
    height: 0,
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

function spaceOf(element: HTMLElement): PaneSize {
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    rowHeight: sizeOf(element, '--size-row') || 40,
    columnHeaderHeight: sizeOf(element, '--size-column-headers') || 33,
    isPhone: matchMedia(phone).matches,
    isNarrow: matchMedia(narrow).matches,
  }
}

const sizeOf = (element: HTMLElement, token: string) => Number.parseFloat(getComputedStyle(element).getPropertyValue(token))

const keepSame = (before: PaneSize, now: PaneSize): PaneSize =>
  Object.entries(now).every(([name, value]) => before[name as keyof PaneSize] === value) ? before : now
