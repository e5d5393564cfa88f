import { CommandMenu } from '../core/command-menu.tsx'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'

/** The buttons for list and mosaic, and in the mosaic the menu for its tiles. In a narrow window one button for the other view stands for the first two. */
export const ViewSwitch = view(function ViewSwitch() {
  return (
    <>
      <div className="segments view-segments" role="group" aria-label={t('listing.view')}>
        <Segment mode="mosaic" />
        <Segment mode="list" />
        <TilesButton />
      </div>
      <OtherView />
    </>
  )
})

const OtherView = view(function OtherView() {
  const listing = useSlice(listingSlice)
  const other = listing.viewMode.value === 'list' ? 'mosaic' : 'list'
  return (
    <IconButton
      className="view-button"
      icon={other === 'list' ? 'list' : 'layout-grid'}
      label={t(`listing.${other}`)}
      onClick={() => listing.setViewMode(other)}
    />
  )
})

/** Opens the menu with the sizes of the tiles. */
const TilesButton = view(function TilesButton() {
  const listing = useSlice(listingSlice)
  if (listing.viewMode.value !== 'mosaic') return null
  const label = t('menu.tiles')
  return (
    <CommandMenu place="view" label={label}>
      <button type="button" className="segment segment-menu" aria-label={label} title={label}>
        <Icon name="chevron-down" small />
      </button>
    </CommandMenu>
  )
})

const Segment = view(function Segment({ mode }: { mode: 'mosaic' | 'list' }) {
  const listing = useSlice(listingSlice)
  const label = t(`listing.${mode}`)
  return (
    <button
      type="button"
      className="segment"
      aria-pressed={listing.viewMode.value === mode}
      aria-label={label}
      title={label}
      onClick={() => listing.setViewMode(mode)}
    >
      <Icon name={mode === 'list' ? 'list' : 'layout-grid'} small />
    </button>
  )
})
