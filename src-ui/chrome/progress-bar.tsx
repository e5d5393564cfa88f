import type { CSSProperties } from 'react'
import { currentTask } from '../core/tasks.ts'
import { t } from '../i18n/t.ts'
import { loading } from '../listing/listing.ts'
import { view } from '../ui/view.tsx'
import { overallProgress } from '../uploads/uploads.ts'

/** The line at the top of the page: how far the uploads are, or that something is being fetched. */
export const ProgressBar = view(function ProgressBar() {
  const percent = overallProgress.value
  if (percent === undefined && !loading.value && !currentTask.value) return null
  const style = percent === undefined ? undefined : ({ '--value': `${percent}%` } as CSSProperties)
  return (
    <div
      className={percent === undefined ? 'progress progress-waiting' : 'progress'}
      role="progressbar"
      aria-label={t(percent === undefined ? 'app.loading' : 'app.progress')}
      aria-valuenow={percent}
      style={style}
    >
      <span />
    </div>
  )
})
