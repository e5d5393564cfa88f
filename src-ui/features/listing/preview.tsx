import { type CSSProperties, type ReactNode, useRef } from 'react'
import { layoutRows } from '../../state/lines.ts'
import { viewMode } from '../../state/listing.ts'
import type { PartialListing as Previewed } from '../../state/preview.ts'
import { view } from '../../view.tsx'
import { ColumnHeadersOutline } from './column-heads.tsx'
import { GridRow } from './grid-line.tsx'
import { useMeasures } from './use-measures.ts'
import { usePaneSize } from './use-space.ts'

/** The first entries of a large folder where the grid will draw them, until all of it is here. */
export const PartialGrid = view(function PartialGrid({ preview }: { preview: Previewed }) {
  const pane = useRef<HTMLDivElement>(null)
  const space = usePaneSize(pane)
  const isList = viewMode.value === 'list'
  const measures = useMeasures(isList, space)
  const { entries, folders, count } = preview
  const lines = layoutRows({ entries: { length: count }, folders }, measures.columns)
  const drawn: ReactNode[] = []
  let start = 0
  for (let index = 0; index < lines.count && start < space.height; index++) {
    const line = lines.at(index)
    if (line.kind === 'entries' && line.to > entries.length) break
    const place = { lines, entries, index, number: index + 1, start, tabStop: -1 }
    drawn.push(<GridRow key={index} {...place} isList={isList} isNarrow={space.isNarrow} span={1} />)
    start += measures.heightOf(line)
  }
  return (
    <div className="pane" ref={pane} aria-busy="true" inert>
      <div
        className={isList ? 'list' : 'mosaic'}
        aria-hidden="true"
        style={{ '--tile-picture': `${measures.tile.picture}px`, '--tile-columns': measures.columns.files } as CSSProperties}
      >
        {isList && !space.isPhone && <ColumnHeadersOutline />}
        <div className="lines" style={{ blockSize: lines.count * measures.lineHeight }}>
          {drawn}
        </div>
      </div>
    </div>
  )
})
