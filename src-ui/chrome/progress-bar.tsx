import type { CSSProperties } from 'react'
import { entryViewSlice } from '../core/entry-view.ts'
import { pageSlice } from '../core/page.ts'
import { tasksSlice } from '../core/tasks.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'

/** The bar at the top of the page: the progress of the work in a panel, or that something is being loaded. */
export const ProgressBar = view(function ProgressBar() {
  const tasks = useSlice(tasksSlice)
  const entryView = useSlice(entryViewSlice)
  const percent = useSlice(pageSlice).progress.value
  if (percent === undefined && !entryView.loading.value && !tasks.current.value) return null
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
