import { type Notice, noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { view } from '../ui/view.tsx'
import { TaskNotice } from './task-notice.tsx'
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
