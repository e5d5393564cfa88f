import { type PointerEvent, type RefObject, useState } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { scrollAtEdges } from './edge-scroll.ts'
import { followPress } from './follow-press.ts'
import { listingSlice } from './listing.ts'
import { type Measures, spreadOf } from './measures.ts'
import type { RowLayout } from './row-layout.ts'
import { type BandLayout, bandSelection, type Rectangle, rectangleOf, touchedBy } from './rubber-band.ts'
import type { VirtualRows } from './virtual-rows.ts'

type BandInput = {
  pane: RefObject<HTMLElement | null>
  lines: RowLayout
  virtual: VirtualRows
  measures: Measures
  isPhone: boolean
}
type PointerPosition = { clientX: number; clientY: number }

/** The rubber band. It begins on empty space, selects the entries that it touches, and scrolls at the edges. */
export function useBand(given: BandInput): { band: Rectangle | undefined; beginBand: (down: PointerEvent) => void } {
  const workspace = useWorkspace()
  const [band, setBand] = useState<Rectangle>()
  return { band, beginBand: (down) => drawBand(workspace, down, given, setBand) }
}

function drawBand(workspace: Workspace, down: PointerEvent, given: BandInput, show: (band: Rectangle | undefined) => void): void {
  const listing = workspace.use(listingSlice)
  const pane = given.pane.current
  if (!pane || !isInside(pane, down)) return
  const from = pointIn(pane, down)
  const before = listing.selection.value
  const add = down.ctrlKey || down.metaKey || down.shiftKey
  let last: PointerPosition = down
  const update = () => {
    const band = rectangleOf(from, pointIn(pane, last))
    const touched = touchedBy(band, layoutOf(pane, given))
    const keys = touched.map((index) => listing.sortedEntries.value.entries[index]?.key).filter((key) => key !== undefined)
    listing.selection.value = bandSelection(before, keys, { add })
    show(band)
  }
  const scrolling = scrollAtEdges({ pane: () => pane, moved: update })
  const end = () => {
    scrolling.stop()
    show(undefined)
  }
  followPress(workspace, down, {
    start() {},
    move(at) {
      last = at
      update()
      scrolling.at(at.clientY)
    },
    drop: end,
    cancel() {
      listing.selection.value = before
      end()
    },
  })
}

function layoutOf(pane: HTMLElement, { lines, virtual, measures, isPhone }: BandInput): BandLayout {
  const { margin } = virtual
  return {
    lines,
    edgesOf(line) {
      const { start, end } = virtual.edgesOf(line) ?? { start: margin, end: margin }
      return { top: start - margin, bottom: end - margin }
    },
    width: rowsElement(pane).getBoundingClientRect().width,
    spreadOf: (section) => spreadOf(section, measures, isPhone),
  }
}

/** The pointer in coordinates of the content, limited to the visible part; x counts from the inline start. */
function pointIn(pane: HTMLElement, { clientX, clientY }: PointerPosition): { x: number; y: number } {
  const seen = pane.getBoundingClientRect()
  const content = rowsElement(pane).getBoundingClientRect()
  const x = Math.max(seen.left, Math.min(seen.right - 1, clientX))
  const y = Math.max(seen.top, Math.min(seen.bottom - 1, clientY))
  return { x: locale.value.dir === 'rtl' ? content.right - x : x - content.left, y: y - content.top }
}

const rowsElement = (pane: HTMLElement): Element => pane.querySelector('.layout-rows') ?? pane

// False on the scrollbar.
function isInside(pane: HTMLElement, { clientX }: PointerPosition): boolean {
  const start = pane.getBoundingClientRect().left + pane.clientLeft
  return clientX >= start && clientX < start + pane.clientWidth
}
