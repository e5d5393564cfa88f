import { memo } from 'react'
import { dragSlice } from '../core/drag.ts'
import type { Entry } from '../core/entries.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { locale } from '../i18n/locale.ts'
import { t } from '../i18n/t.ts'
import { clipboardSlice } from '../operations/clipboard.ts'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'
import { type DragMarks, Row } from './row.tsx'
import type { LayoutRow, RowLayout } from './row-layout.ts'
import { Tile } from './tile.tsx'

type Props = {
  lines: RowLayout
  entries: readonly Entry[]
  index: number
  /** Counted from 1, headings and column headers included. */
  number: number
  /** Pixels from the top. */
  start: number
  isList: boolean
  isNarrow: boolean
  /** The index of the entry that is the tab stop. */
  tabStop: number
  /** The number of columns. */
  span: number
}

/** A line of the listing: a section's heading, an entry of the list, or tiles side by side. */
const DrawnRow = view(function GridRow({ lines, entries, index, number, start, isList, isNarrow, tabStop, span }: Props) {
  const workspace = useWorkspace()
  const listing = workspace.use(listingSlice)
  const clipboard = workspace.use(clipboardSlice)
  const line = lines.at(index)
  if (line.kind === 'heading') return <SectionTitle heading={line} line={number} start={start} span={span} />
  const { keys } = listing.selection.value
  const isSelected = (entry: Entry | undefined) => entry !== undefined && keys.has(entry.key)
  if (!isList) return <Tiles {...{ line, entries, number, start, tabStop }} />
  const entry = entries[line.from]
  if (!entry) return null
  return (
    <Row
      entry={entry}
      line={number}
      start={start}
      isSelected={isSelected(entry)}
      joins={joined(isSelected(sameKind(entries[line.from - 1], entry)), isSelected(sameKind(entries[line.from + 1], entry)))}
      isTabStop={line.from === tabStop}
      isNew={listing.highlighted.value.has(entry.key)}
      isNarrow={isNarrow}
      isCut={clipboard.cutKeys.value.has(entry.key)}
      isRenaming={isRenamed(workspace, entry)}
      language={locale.value.code}
      {...marksOf(workspace, entry)}
    />
  )
})

/** Memoized: while scrolling, only new lines are rendered. */
export const GridRow = memo(DrawnRow)

type TilesProps = Pick<Props, 'entries' | 'number' | 'start' | 'tabStop'> & { line: LayoutRow & { kind: 'entries' } }

const Tiles = view(function Tiles({ line, entries, number, start, tabStop }: TilesProps) {
  const workspace = useWorkspace()
  const listing = workspace.use(listingSlice)
  const clipboard = workspace.use(clipboardSlice)
  const { keys } = listing.selection.value
  return (
    <div
      className={line.section === 'folders' ? 'tiles folder-tiles' : 'tiles'}
      role="row"
      aria-rowindex={number}
      style={{ insetBlockStart: start }}
    >
      {entries.slice(line.from, line.to).map((entry, offset) => (
        <Tile
          key={entry.key}
          entry={entry}
          column={offset + 1}
          isSelected={keys.has(entry.key)}
          isTabStop={line.from + offset === tabStop}
          isNew={listing.highlighted.value.has(entry.key)}
          isCut={clipboard.cutKeys.value.has(entry.key)}
          isRenaming={isRenamed(workspace, entry)}
          language={locale.value.code}
          {...marksOf(workspace, entry)}
        />
      ))}
    </div>
  )
})

const marksOf = (workspace: Workspace, entry: Entry): DragMarks => ({
  drop: entry.isDir ? workspace.use(dragSlice).markOf(entry.path) : undefined,
  isDragged: workspace.use(dragSlice).current.value?.items.includes(entry) ?? false,
})

function isRenamed(workspace: Workspace, { key }: Entry): boolean {
  const overlays = workspace.use(overlaysSlice)
  const { value } = overlays.current
  return value.kind === 'rename' && value.inPlace && value.entry.key === key
}

// A heading lies between the last folder and the first file.
const sameKind = (neighbour: Entry | undefined, entry: Entry) => (neighbour?.isDir === entry.isDir ? neighbour : undefined)

function joined(above: boolean, below: boolean): 'above' | 'below' | 'both' | undefined {
  if (above && below) return 'both'
  return above ? 'above' : below ? 'below' : undefined
}

type SectionTitleProps = { heading: LayoutRow & { kind: 'heading' }; line: number; start: number; span: number }

/** The heading of the folders or of the files, with their number. */
function SectionTitle({ heading, line, start, span }: SectionTitleProps) {
  return (
    <div className="section-title" role="row" aria-rowindex={line} style={{ insetBlockStart: start }}>
      <span role="gridcell" aria-colspan={span}>
        {t(`listing.${heading.section}`)}
        <span className="count">{formatNumber(heading.count)}</span>
      </span>
    </div>
  )
}
