import type { CSSProperties } from 'react'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { ColumnHeadersOutline } from './column-headers.tsx'
import { isSlow } from './fetch-listing.ts'
import { listingSlice } from './listing.ts'

/** The widths of the placeholders of names, in per cent. */
const widths = [34, 46, 28, 52, 40, 30, 44, 36, 48, 26, 38, 32]

/** A placeholder while a folder is loading. */
export const Skeleton = view(function Skeleton() {
  const listing = useSlice(listingSlice)
  const isList = listing.viewMode.value === 'list'
  return (
    <div className="pane" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('app.loading')}
      </p>
      {isSlow.value && (
        <p className="skeleton-note" role="status">
          {t('listing.slow')}
        </p>
      )}
      <div className={isList ? 'list' : 'mosaic'} aria-hidden="true">
        {isList && <ColumnHeadersOutline />}
        <div className={isList ? 'skeletons' : 'tiles skeletons'}>
          {widths.map((width) =>
            isList ? <SkeletonRow key={width} width={width} /> : <SkeletonTile key={width} width={width} />,
          )}
        </div>
      </div>
    </div>
  )
})

const valued = (width: number) => ({ '--value': `${width}%` }) as CSSProperties

const SkeletonRow = ({ width }: { width: number }) => (
  <div className="row" style={valued(width)}>
    <span className="row-name">
      <span className="skeleton skeleton-icon" />
      <span className="skeleton skeleton-name" />
    </span>
    <span className="row-size">
      <span className="skeleton" />
    </span>
    <span className="row-date">
      <span className="skeleton" />
    </span>
  </div>
)

const SkeletonTile = ({ width }: { width: number }) => (
  <div className="tile" style={valued(width)}>
    <span className="skeleton skeleton-picture" />
    <span className="skeleton skeleton-name" />
  </div>
)
