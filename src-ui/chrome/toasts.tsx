import { type Notice, noticesSlice } from '../core/notices.ts'
import { isSignInAsked } from '../core/session.ts'
import { tasksSlice } from '../core/tasks.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { Toast } from './toast.tsx'

/** The notices and the current task at the lower edge, and the live region for announcements. */
export const Toasts = view(function Toasts() {
  const notices = useSlice(noticesSlice)
  return (
    <>
      <div className="toasts">
        <div className="toast-list" role="status">
          <TaskNotice />
          {notices.list.value.filter(isGood).map(toast)}
        </div>
        {notices.list.value.filter((notice) => !isGood(notice)).map(toast)}
      </div>
      <p className="visually-hidden" role="status">
        {notices.announcement.value}
      </p>
    </>
  )
})

const isGood = (notice: Notice) => notice.kind === 'success'
const toast = (notice: Notice) => <Toast key={notice.id} notice={notice} />

/** The current task that takes long: its label and progress, with numbers when it has several steps. */
const TaskNotice = view(function TaskNotice() {
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
        <ProgressBar label={label} {...(isCounted && { value: Math.floor((100 * done) / total) })} />
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
