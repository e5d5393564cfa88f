import { type CSSProperties, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { t } from '../../i18n/t.ts'
import type { Rectangle } from '../../state/band.ts'
import { nameOf } from '../../state/crumbs.ts'
import type { Order } from '../../state/entries.ts'
import { columns, linesInView } from '../../state/grid.ts'
import { type Columns, type Lines, linesOf } from '../../state/lines.ts'
import { here, order, reveal, selected, viewMode } from '../../state/listing.ts'
import { isMultiple, selection } from '../../state/selection.ts'
import { transfersPanel } from '../../state/uploads.ts'
import { view } from '../../view.tsx'
import { ColumnHeads } from './column-heads.tsx'
import { GridLine } from './grid-line.tsx'
import { useAnnouncedSelection } from './use-announced-selection.ts'
import { useBand } from './use-band.ts'
import { useKeptSpot } from './use-kept-spot.ts'
import { useMeasures } from './use-measures.ts'
import { usePointer } from './use-pointer.ts'
import { useRevealed } from './use-revealed.ts'
import { useSpace } from './use-space.ts'
import { useVirtualLines } from './use-virtual-lines.ts'

/** The column heads with their line, in pixels. */
const headHeight = 33

/** The entries of a folder, as a list or a mosaic: a grid with one tab stop, of which only what is near the window is drawn. */
export const Grid = view(function Grid() {
  const pane = useRef<HTMLDivElement>(null)
  const space = useSpace(pane)
  const isList = viewMode.value === 'list'
  const hasHeads = isList && !space.isPhone
  const measures = useMeasures(isList, space)
  const shown = order.value
  const lines = useLines(shown, measures.columns)
  const tabStop = shown.indexOf(selection.value.focus) ?? 0
  const { spot, keepScroll } = useKeptSpot(pane, selection.value)
  const virtual = useVirtualLines({
    pane,
    lines,
    measures,
    tabLine: lines.lineOf(tabStop),
    headHeight: hasHeads ? headHeight : 0,
    scroll: spot?.scroll ?? 0,
  })
  useRevealed(pane, virtual, lines)
  const { band, beginBand } = useBand({ pane, lines, virtual, measures, isPhone: space.isPhone })
  useAnnouncedSelection(selected.value.length)
  useLayoutEffect(() => {
    columns.value = measures.columns
    linesInView.value = Math.max(1, Math.floor(space.height / measures.lineHeight) - 1)
  }, [measures, space.height])
  useFocusInView(viewMode.value)

  const first = hasHeads ? 2 : 1
  return (
    <div
      className="pane"
      ref={pane}
      data-selecting={selected.value.length > 0 || isMultiple.value || undefined}
      data-multiple={isMultiple.value || undefined}
      data-transfers={transfersPanel.value}
      onScroll={keepScroll}
      {...usePointer(beginBand)}
    >
      <div
        className={isList ? 'list' : 'mosaic'}
        role="grid"
        aria-label={nameOf(here.value) || t('sidebar.myFiles')}
        aria-multiselectable="true"
        aria-rowcount={lines.count + first - 1}
        aria-colcount={isList ? 4 : measures.columns.files}
        style={{ '--tile-picture': `${measures.tile.picture}px`, '--tile-columns': measures.columns.files } as CSSProperties}
      >
        {hasHeads && <ColumnHeads />}
        <div className="lines" role="rowgroup" style={{ blockSize: virtual.getTotalSize() }}>
          {space.width > 0 &&
            virtual
              .getVirtualItems()
              .map(({ index, start }) => (
                <GridLine
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

const useLines = (shown: Order, columns: Columns): Lines => useMemo(() => linesOf(shown, columns), [shown, columns])

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
