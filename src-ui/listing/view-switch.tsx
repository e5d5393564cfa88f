import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'

/** The buttons for list and mosaic. */
export const ViewSwitch = view(function ViewSwitch() {
  return (
    <div className="segments" role="group" aria-label={t('listing.view')}>
      <Segment mode="mosaic" />
      <Segment mode="list" />
    </div>
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
