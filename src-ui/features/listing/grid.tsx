import { type CSSProperties, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { t } from '../../i18n/t.ts'
import type { Rectangle } from '../../state/band.ts'
import { nameOf } from '../../state/crumbs.ts'
import type { SortedEntries } from '../../state/entries.ts'
import { columns, rowsInView } from '../../state/grid.ts'
import { type Columns, layoutRows, type RowLayout } from '../../state/lines.ts'
import { currentPath, reveal, selected, sortedEntries, viewMode } from '../../state/listing.ts'
import { isMultiple, selection } from '../../state/selection.ts'
import { panelState } from '../../state/uploads.ts'
import { view } from '../../view.tsx'
import { ColumnHeaders } from './column-heads.tsx'
import { GridRow } from './grid-line.tsx'
import { useAnnouncedSelection } from './use-announced-selection.ts'
import { useBand } from './use-band.ts'
import { useScrollState } from './use-kept-spot.ts'
import { useMeasures } from './use-measures.ts'
import { usePointer } from './use-pointer.ts'
import { useRevealRequest } from './use-revealed.ts'
import { usePaneSize } from './use-space.ts'
import { useVirtualRows } from './use-virtual-lines.ts'

/** The column heads with their line, in pixels. */
const headHeight = 33

/** The entries of a folder, as a list or a mosaic: a grid with one tab stop, of which only what is near the window is drawn. */
export const Grid = view(function Grid() {
  const pane = useRef<HTMLDivElement>(null)
  const space = usePaneSize(pane)
  const isList = viewMode.value === 'list'
  const hasHeads = isList && !space.isPhone
  const measures = useMeasures(isList, space)
  const shown = sortedEntries.value
  const lines = useLines(shown, measures.columns)
  const tabStop = shown.indexOf(selection.value.focus) ?? 0
  const { spot, keepScroll } = useScrollState(pane, selection.value)
  const virtual = useVirtualRows({
    pane,
    lines,
    measures,
    tabLine: lines.lineOf(tabStop),
    headHeight: hasHeads ? headHeight : 0,
    scroll: spot?.scroll ?? 0,
  })
  useRevealRequest(pane, virtual, lines)
  const { band, beginBand } = useBand({ pane, lines, virtual, measures, isPhone: space.isPhone })
  useAnnouncedSelection(selected.value.length)
  useLayoutEffect(() => {
    columns.value = measures.columns
    rowsInView.value = Math.max(1, Math.floor(space.height / measures.lineHeight) - 1)
  }, [measures, space.height])
  useFocusInView(viewMode.value)

  const first = hasHeads ? 2 : 1
  return (
    <div
      className="pane"
      ref={pane}
      data-selecting={selected.value.length > 0 || isMultiple.value || undefined}
      data-multiple={isMultiple.value || undefined}
      data-transfers={panelState.value}
      onScroll={keepScroll}
      {...usePointer(beginBand)}
    >
      <div
        className={isList ? 'list' : 'mosaic'}
        role="grid"
        aria-label={nameOf(currentPath.value) || t('sidebar.myFiles')}
        aria-multiselectable="true"
        aria-rowcount={lines.count + first - 1}
        aria-colcount={isList ? 4 : measures.columns.files}
        style={{ '--tile-picture': `${measures.tile.picture}px`, '--tile-columns': measures.columns.files } as CSSProperties}
      >
        {hasHeads && <ColumnHeaders />}
        <div className="lines" role="rowgroup" style={{ blockSize: virtual.getTotalSize() }}>
          {space.width > 0 &&
            virtual
              .getVirtualItems()
              .map(({ index, start }) => (
                <GridRow
                  key={index}
                  lines={lines}
                  entries={shown.entries}
                  index={index}
                  number={index + first}
                  start={start - virtual.options.scrollMargin}
                  isList={isList}
                  isNarrow={space.isNarrow}
                  tabStop={tabStop}
                  span={isList ? 4 : measures.columns.files}
                />
              ))}
          {band && <Band rectangle={band} />}
        </div>
      </div>
    </div>
  )
})

function Band({ rectangle: { left, right, top, bottom } }: { rectangle: Rectangle }) {
  const place = { insetBlockStart: top, insetInlineStart: left, blockSize: bottom - top, inlineSize: right - left }
  return <div className="band" style={place} aria-hidden="true" />
}

const useLines = (shown: SortedEntries, columns: Columns): RowLayout =>
  useMemo(() => layoutRows(shown, columns), [shown, columns])

/** Another view has other places: the entry at the keyboard, or one that is selected, stays in view. */
function useFocusInView(mode: string): void {
  const before = useRef(mode)
  useEffect(() => {
    if (before.current === mode) return
    before.current = mode
    const key = selection.peek().focus ?? selected.peek()[0]?.key
    if (key) reveal(key)
  }, [mode])
}
