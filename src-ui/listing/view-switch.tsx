import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { setViewMode, viewMode } from './listing.ts'

export const ViewSwitch = view(function ViewSwitch() {
  return (
    <div className="segments" role="group" aria-label={t('listing.view')}>
      <Segment mode="mosaic" />
      <Segment mode="list" />
    </div>
  )
})

const Segment = view(function Segment({ mode }: { mode: 'mosaic' | 'list' }) {
  const label = t(`listing.${mode}`)
  return (
    <button
      type="button"
      className="segment"
      aria-pressed={viewMode.value === mode}
      aria-label={label}
      title={label}
      onClick={() => setViewMode(mode)}
    >
      <Icon name={mode === 'list' ? 'list' : 'layout-grid'} small />
    </button>
  )
})
