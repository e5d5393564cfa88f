import { type FocusEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { SortedEntries } from '../core/entries.ts'
import { nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { ColumnHeaders } from './column-headers.tsx'
import { gridFocusSlice } from './grid-focus.ts'
import { GridRow } from './grid-row.tsx'
import { listingSlice } from './listing.ts'
import { mosaicStyle, useMeasures } from './measures.ts'
import { type Columns, type LayoutRow, layoutRows, type RowLayout } from './row-layout.ts'
import type { Rectangle } from './rubber-band.ts'
import { useBand } from './use-band.ts'
import { usePaneSize } from './use-pane-size.ts'
import { usePointer } from './use-pointer.ts'
import { useRevealRequest } from './use-reveal-request.ts'
import { useScrollAnchor } from './use-scroll-anchor.ts'
import { useScrollState } from './use-scroll-state.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

/** The entries of a folder as a list or a mosaic: a grid with one tab stop. Only the lines near the window are rendered. */
export const Grid = view(function Grid() {
  const listing = useSlice(listingSlice)
  const gridFocus = useSlice(gridFocusSlice)
  const pane = useRef<HTMLDivElement>(null)
  const space = usePaneSize(pane)
  const isList = listing.viewMode.value === 'list'
  const hasColumnHeaders = isList && !space.isPhone
  const measures = useMeasures(isList, space)
  const shown = listing.sortedEntries.value
  const lines = useLines(shown, measures.columns)
  const tabStop = shown.indexOf(listing.selection.value.focus) ?? 0
  const { savedState, keepScroll } = useScrollState(pane, listing.selection.value)
  const virtual = useVirtualRows({
    pane,
    lines,
    measures,
    height: space.height,
    columnHeaderHeight: hasColumnHeaders ? space.columnHeaderHeight : 0,
    scroll: savedState?.scroll ?? 0,
  })
  const { by, asc } = listing.sorting.value
  useScrollAnchor(pane, { shown, lines, virtual, focus: listing.selection.value.focus, order: `${by} ${asc}` })
  useRevealRequest(pane, virtual, lines)
  const { band, beginBand } = useBand({ pane, lines, virtual, measures, isPhone: space.isPhone })
  const keptFocus = useKeptFocus(shown)
  const pointer = usePointer(beginBand)
  useLayoutEffect(() => {
    gridFocus.columns.value = measures.columns
    gridFocus.rowsInView.value = Math.max(1, Math.floor(space.height / measures.lineHeight) - 1)
  }, [gridFocus, measures, space.height])
  useFocusInView(listing.viewMode.value)

  const first = hasColumnHeaders ? 2 : 1
  const tabStopLine = lines.lineOf(tabStop)
  return (
    <div
      className="pane"
      ref={pane}
      data-selecting={listing.selected.value.length > 0 || listing.isMultiple.value || undefined}
      data-multiple={listing.isMultiple.value || undefined}
      onScroll={keepScroll}
      {...pointer}
      {...keptFocus}
    >
      <div
        className={isList ? 'list' : 'mosaic'}
        role="grid"
        aria-label={nameOf(listing.currentPath.value) || t('sidebar.myFiles')}
        aria-multiselectable="true"
        aria-rowcount={lines.count + first - 1}
        aria-colcount={isList ? 4 : Math.max(measures.columns.files, measures.columns.folders)}
        style={mosaicStyle(measures)}
      >
        {hasColumnHeaders && <ColumnHeaders />}
        <div className="layout-rows" role="rowgroup" style={{ blockSize: virtual.totalSize }}>
          {space.width > 0 &&
            virtual
              .drawn(tabStopLine)
              .map((index) => (
                <GridRow
                  key={rowKey(lines.at(index), shown, index)}
                  lines={lines}
                  entries={shown.entries}
                  index={index}
                  number={index + first}
                  start={(virtual.edgesOf(index)?.start ?? 0) - virtual.margin}
                  isList={isList}
                  isNarrow={space.isNarrow}
                  tabStop={index === tabStopLine ? tabStop : -1}
                  span={isList ? 4 : measures.columns.files}
                />
              ))}
          {band && <Band rectangle={band} />}
        </div>
      </div>
    </div>
  )
})

/** Rows of the list are keyed by entry, so that the focus and the rename field stay with it when rows are inserted above. */
function rowKey(row: LayoutRow, { entries }: SortedEntries, index: number): string {
  if (row.kind === 'heading') return row.section
  const first = entries[row.from]
  return row.to - row.from === 1 && first ? `entry ${first.key}` : `row ${index}`
}

function Band({ rectangle: { left, right, top, bottom } }: { rectangle: Rectangle }) {
  const position = { insetBlockStart: top, insetInlineStart: left, blockSize: bottom - top, inlineSize: right - left }
  return <div className="band" style={position} aria-hidden="true" />
}

const useLines = (shown: SortedEntries, columns: Columns): RowLayout =>
  useMemo(() => layoutRows(shown, columns), [shown, columns])

/** After a change of the view, scrolls to the focused entry or the first selected one. */
function useFocusInView(mode: string): void {
  const listing = useSlice(listingSlice)
  const before = useRef(mode)
  useEffect(() => {
    if (before.current === mode) return
    before.current = mode
    const key = listing.selection.peek().focus ?? listing.selected.peek()[0]?.key
    if (key) listing.reveal(key)
  }, [listing, mode])
}

/**
 * Keeps the focus in the page when the entries of the listing change and the focused element is removed, with its entry or because a
 * tile is rendered again in another row. The focus moves to the entry with the selection's focus. From a field it moves to no entry:
 * Enter, which was meant for the field, would open that.
 */
function useKeptFocus(shown: SortedEntries) {
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
