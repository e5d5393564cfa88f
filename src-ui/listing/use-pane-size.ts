import { type RefObject, useLayoutEffect, useState } from 'react'

/** What the layout depends on. */
export type PaneSize = {
  /** Of the pane's inside, in pixels. */
  width: number
  height: number
  /** Of one row of the list. */
  rowHeight: number
  /** Of the column headers with their border. */
  columnHeaderHeight: number
  isPhone: boolean
  /** There is room for the day of a date and not for its time. */
  isNarrow: boolean
}

const phone = '(max-width: 736px)'
const narrow = '(max-width: 1023px)'

/** The room that the listing has, followed as it changes. */
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
