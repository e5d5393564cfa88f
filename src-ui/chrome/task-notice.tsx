import { isSignInAsked } from '../core/session.ts'
import { tasksSlice } from '../core/tasks.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Meter } from '../ui/meter.tsx'
import { view } from '../ui/view.tsx'

/** The current task that takes long: its label and progress, with numbers when it has several steps. */
export const TaskNotice = view(function TaskNotice() {
  const tasks = useSlice(tasksSlice)
  const { value } = tasks.current
  // While the person is asked to sign in, it does not go on.
  if (!value || isSignInAsked.value) return null
  const { label, total, stop } = value
  const done = value.done.value
  const isCounted = total > 1
  return (
    <div className="toast toast-work">
      <div className="toast-words">
        <strong>{label}</strong>
        <Meter label={label} {...(isCounted && { value: Math.floor((100 * done) / total) })} />
      </div>
      {/* Hidden from screen readers, which would read every change. */}
      {isCounted && (
        <span className="toast-count" aria-hidden="true">
          {t('work.count', { done: formatNumber(done), total: formatNumber(total) })}
        </span>
      )}
      {stop && <IconButton icon="x" small smallIcon label={t('action.cancel')} onClick={stop} />}
    </div>
  )
})
