import { type ReactNode, useRef } from 'react'
import { useSlice } from '../core/use-workspace.ts'
import { view } from '../ui/view.tsx'
import { ColumnHeadersOutline } from './column-headers.tsx'
import { GridRow } from './grid-row.tsx'
import { listingSlice } from './listing.ts'
import { mosaicStyle, useMeasures } from './measures.ts'
import type { PartialListing as Previewed } from './partial-listing.ts'
import { layoutRows } from './row-layout.ts'
import { usePaneSize } from './use-pane-size.ts'

/** Shows the first entries of a large folder at their final positions until the rest has arrived. */
export const PartialGrid = view(function PartialGrid({ preview }: { preview: Previewed }) {
  const listing = useSlice(listingSlice)
  const pane = useRef<HTMLDivElement>(null)
  const space = usePaneSize(pane)
  const isList = listing.viewMode.value === 'list'
  const measures = useMeasures(isList, space)
  const { entries, folders, count } = preview
  const lines = layoutRows({ entries: { length: count }, folders }, measures.columns)
  const drawn: ReactNode[] = []
  let start = 0
  for (let index = 0; index < lines.count && start < space.height; index++) {
    const line = lines.at(index)
    if (line.kind === 'entries' && line.to > entries.length) break
    const cell = { lines, entries, index, number: index + 1, start, tabStop: -1 }
    drawn.push(<GridRow key={index} {...cell} isList={isList} isNarrow={space.isNarrow} span={1} />)
    start += measures.heightOf(line)
  }
  return (
    <div className="pane" ref={pane} aria-busy="true" inert>
      <div className={isList ? 'list' : 'mosaic'} aria-hidden="true" style={mosaicStyle(measures)}>
        {isList && !space.isPhone && <ColumnHeadersOutline />}
        <div className="layout-rows" style={{ blockSize: lines.count * measures.lineHeight }}>
          {drawn}
        </div>
      </div>
    </div>
  )
})
