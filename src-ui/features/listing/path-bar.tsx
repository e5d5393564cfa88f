import type { ReactNode } from 'react'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ViewSwitch } from './view-switch.tsx'

type Props = {
  /** Whether there is a listing whose view and order can be chosen. */
  hasListing: boolean
  /** The menu that chooses the order, where no column heads do. */
  sortMenu: ReactNode
}

/** Above the listing: where one is, what is selected, and how it is shown. */
export function PathBar({ hasListing, sortMenu }: Props) {
  return (
    <div className="pathbar">
      <Breadcrumbs />
      {hasListing && <SelectionBar />}
      {hasListing && (
        <div className="pathbar-tools">
          {sortMenu}
          <ViewSwitch />
        </div>
      )}
    </div>
  )
}
