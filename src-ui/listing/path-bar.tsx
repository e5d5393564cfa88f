import type { ReactNode } from 'react'
import { commandTableSlice } from '../core/command.ts'
import { nameOf } from '../core/paths.ts'
import { run } from '../core/run.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { listingSlice } from './listing.ts'
import { PathField } from './path-field.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ViewSwitch } from './view-switch.tsx'

type Props = {
  /** Whether there is a listing whose view and order can be chosen. */
  hasListing: boolean
  /** The menu that chooses the order where there are no column headers. */
  sortMenu: ReactNode
}

/** The bar above the listing: breadcrumbs or path field, selection, sorting and view. */
export const PathBar = view(function PathBar({ hasListing, sortMenu }: Props) {
  const listing = useSlice(listingSlice)
  return (
    <div className="pathbar">
      {hasListing && (
        <h1 className="visually-hidden">{visibleName(nameOf(listing.currentPath.value)) || t('sidebar.myFiles')}</h1>
      )}
      {listing.isEditingPath.value ? <PathField /> : <Breadcrumbs />}
      {hasListing && <SelectionBar />}
      {hasListing && (
        <div className="pathbar-tools">
          {sortMenu}
          <Information />
          <ViewSwitch />
        </div>
      )}
    </div>
  )
})

/** Opens the details of the selection, or of the folder. */
function Information() {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  const info = commandTable.get('info')
  return (
    <IconButton className="pathbar-info" icon="info-circle" label={t(info.label)} onClick={() => void run(workspace, info)} />
  )
}
