import { type CSSProperties, type ReactNode, useRef } from 'react'
import { linesOf } from '../../state/lines.ts'
import { viewMode } from '../../state/listing.ts'
import type { Preview as Previewed } from '../../state/preview.ts'
import { view } from '../../view.tsx'
import { ColumnHeadsOutline } from './column-heads.tsx'
import { GridLine } from './grid-line.tsx'
import { useMeasures } from './use-measures.ts'
import { useSpace } from './use-space.ts'

/** The first entries of a large folder where the grid will draw them, until all of it is here. */
export const Preview = view(function Preview({ preview }: { preview: Previewed }) {
  const pane = useRef<HTMLDivElement>(null)
  const space = useSpace(pane)
  const isList = viewMode.value === 'list'
  const measures = useMeasures(isList, space)
  const { entries, folders, count } = preview
  const lines = linesOf({ entries: { length: count }, folders }, measures.columns)
  const drawn: ReactNode[] = []
  let start = 0
  for (let index = 0; index < lines.count && start < space.height; index++) {
    const line = lines.at(index)
    if (line.kind === 'entries' && line.to > entries.length) break
    const place = { lines, entries, index, number: index + 1, start, tabStop: -1 }
    drawn.push(<GridLine key={index} {...place} isList={isList} isNarrow={space.isNarrow} span={1} />)
    start += measures.heightOf(line)
  }
  return (
    <div className="pane" ref={pane} aria-busy="true" inert>
      <div
        className={isList ? 'list' : 'mosaic'}
        aria-hidden="true"
        style={{ '--tile-picture': `${measures.tile.picture}px`, '--tile-columns': measures.columns.files } as CSSProperties}
      >
        {isList && !space.isPhone && <ColumnHeadsOutline />}
        <div className="lines" style={{ blockSize: lines.count * measures.lineHeight }}>
          {drawn}
        </div>
      </div>
    </div>
  )
})
