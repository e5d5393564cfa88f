import { formatDuration, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import type { RequestModel } from './request-model.ts'

/** How far all files are. */
export const SendingSum = view(function SendingSum({ model: { files } }: { model: RequestModel }) {
  const { size, loaded, open, isAway } = files.totals.value
  if (open === 0) return null
  const left = isAway ? undefined : files.timeLeft()
  return (
    <div className="sent-sum">
      <ProgressBar value={Math.floor((size > 0 ? loaded / size : 0) * 100)} label={t('uploads.total')} paused={isAway} />
      <span>
        <span>{t('uploads.sum', { loaded: formatSize(loaded), total: formatSize(size) })}</span>
        {left !== undefined && <span>{t('uploads.timeLeft', { time: formatDuration(left) })}</span>}
      </span>
    </div>
  )
})
