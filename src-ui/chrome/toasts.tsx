import { announcement, type Notice, notices } from '../core/notices.ts'
import { view } from '../ui/view.tsx'
import { panelState } from '../uploads/uploads.ts'
import { TaskNotice } from './task-notice.tsx'
import { Toast } from './toast.tsx'

/** What happened, at the lower edge, and what is being done. */
export const Toasts = view(function Toasts() {
  return (
    <>
      <div className="toasts" data-transfers={panelState.value}>
        <div className="toast-list" role="status">
          <TaskNotice />
          {notices.value.filter(isGood).map(toast)}
        </div>
        {notices.value.filter((notice) => !isGood(notice)).map(toast)}
      </div>
      <p className="visually-hidden" role="status">
        {announcement.value}
      </p>
    </>
  )
})

const isGood = (notice: Notice) => notice.kind === 'success'
const toast = (notice: Notice) => <Toast key={notice.id} notice={notice} />
