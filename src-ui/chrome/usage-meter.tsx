import type { CSSProperties } from 'react'
import { useSlice } from '../core/use-workspace.ts'
import { formatPercent, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { diskUsageSlice } from './disk-usage.ts'

/** Percent from which the disk counts as nearly full. */
const nearlyFull = 95

/** How much of the disk is used; nothing while it is unknown. */
export const UsageMeter = view(function UsageMeter() {
  const { value: usage } = useSlice(diskUsageSlice).usage
  if (!usage) return null
  const percent = Math.floor((100 * usage.used) / usage.total)
  return (
    <div className="usage" data-nearly-full={percent >= nearlyFull || undefined} title={formatPercent(percent / 100)}>
      <div className="usage-line">
        <strong>{t('sidebar.storage')}</strong>
        <span>{t('sidebar.used', { used: formatSize(usage.used), total: formatSize(usage.total) })}</span>
      </div>
      {/* A `meter` cannot be styled alike in all browsers. */}
      <meter className="visually-hidden" aria-label={t('sidebar.storageUsed')} min={0} max={100} value={percent} />
      <span className="progress-bar" aria-hidden="true" style={{ '--value': `${percent}%` } as CSSProperties}>
        <span />
      </span>
    </div>
  )
})
