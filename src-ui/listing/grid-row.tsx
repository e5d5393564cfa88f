import { memo, useMemo } from 'react'
import type { Entry } from '../core/entries.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { locale } from '../i18n/locale.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { entryMarks } from './entry-marks.ts'
import { Row } from './row.tsx'
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
  /** The index of the entry that is the tab stop; -1 in other lines. */
  tabStop: number
  /** The number of columns. */
  span: number
}

/** A line of the listing: a section's heading, an entry of the list, or tiles side by side. */
const DrawnRow = view(function GridRow({ lines, entries, index, number, start, isList, isNarrow, tabStop, span }: Props) {
  const line = lines.at(index)
  if (line.kind === 'heading') return <SectionTitle heading={line} line={number} start={start} span={span} />
  if (!isList) return <Tiles {...{ line, entries, number, start, tabStop }} />
  const entry = entries[line.from]
  if (!entry) return null
  return (
    <ListRow
      entry={entry}
      above={sameKind(entries[line.from - 1], entry)}
      below={sameKind(entries[line.from + 1], entry)}
      line={number}
      start={start}
      isTabStop={line.from === tabStop}
      isNarrow={isNarrow}
    />
  )
})

/** Memoized: while scrolling, only new lines are rendered. */
export const GridRow = memo(DrawnRow)

// A heading lies between the last folder and the first file.
const sameKind = (neighbour: Entry | undefined, entry: Entry) => (neighbour?.isDir === entry.isDir ? neighbour : undefined)

type ListRowProps = {
  entry: Entry
  above: Entry | undefined
  below: Entry | undefined
  line: number
  start: number
  isTabStop: boolean
  isNarrow: boolean
}

const ListRow = view(function ListRow({ entry, above, below, ...place }: ListRowProps) {
  const workspace = useWorkspace()
  const marks = useMemo(() => entryMarks(workspace, entry, { above, below }), [workspace, entry, above, below])
  return <Row entry={entry} {...place} {...marks.value} language={locale.value.code} />
})

type TilesProps = Pick<Props, 'entries' | 'number' | 'start' | 'tabStop'> & { line: LayoutRow & { kind: 'entries' } }

function Tiles({ line, entries, number, start, tabStop }: TilesProps) {
  return (
    <div
      className={line.section === 'folders' ? 'tiles folder-tiles' : 'tiles'}
      role="row"
      aria-rowindex={number}
      style={{ insetBlockStart: start }}
    >
      {entries.slice(line.from, line.to).map((entry, offset) => (
        <MosaicTile key={entry.key} entry={entry} column={offset + 1} isTabStop={line.from + offset === tabStop} />
      ))}
    </div>
  )
}

const MosaicTile = view(function MosaicTile(props: { entry: Entry; column: number; isTabStop: boolean }) {
  const workspace = useWorkspace()
  const { entry } = props
  const marks = useMemo(() => entryMarks(workspace, entry), [workspace, entry])
  const { joins: _, ...shown } = marks.value
  return <Tile {...props} {...shown} language={locale.value.code} />
})

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
