import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'
import type { SortBy } from './sorting.ts'

const columns: { by: SortBy; className: string }[] = [
  { by: 'name', className: 'column' },
  { by: 'size', className: 'column column-size' },
  { by: 'modified', className: 'column' },
]

/** The column headers of the list. The arrow keys reach them from the first row, so that the list stays one tab stop. */
export const ColumnHeaders = view(function ColumnHeaders() {
  return (
    <div className="column-headers" role="row" aria-rowindex={1} data-scope="columnHeaders">
      <div className="list-columns" role="presentation">
        {columns.map((column) => (
          <ColumnHeader key={column.by} {...column} />
        ))}
      </div>
    </div>
  )
})

const ColumnHeader = view(function ColumnHeader({ by, className }: { by: SortBy; className: string }) {
  const listing = useSlice(listingSlice)
  const { by: sorted, asc } = listing.sorting.value
  const isSorted = sorted === by
  return (
    <div className={className} role="columnheader" aria-sort={isSorted ? (asc ? 'ascending' : 'descending') : 'none'}>
      <button type="button" className="column-button" tabIndex={-1} data-column-header={by} onClick={() => listing.sortBy(by)}>
        {t(`listing.${by}`)}
        {isSorted && <Icon name={asc ? 'arrow-up' : 'arrow-down'} small />}
      </button>
    </div>
  )
})

/** The column headers while the entries are loading. */
export const ColumnHeadersOutline = view(function ColumnHeadersOutline() {
  return (
    <div className="column-headers">
      <div className="list-columns">
        {columns.map(({ by, className }) => (
          <span key={by} className={className}>
            {t(`listing.${by}`)}
          </span>
        ))}
      </div>
    </div>
  )
})
