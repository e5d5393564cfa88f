import { useEffect } from 'react'
import { t } from '../../i18n/t.ts'
import { announcement, dismiss, type Notice, notices, noticeTime } from '../../state/notices.ts'
import { transfersPanel } from '../../state/uploads.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { view } from '../../view.tsx'

/** What happened, at the lower edge: good news leaves by itself, bad news stays until it is closed. */
export const Toasts = view(function Toasts() {
  return (
    <>
      <div className="toasts" data-transfers={transfersPanel.value}>
        <div className="toast-list" role="status">
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

function Toast({ notice }: { notice: Notice }) {
  const good = isGood(notice)
  useEffect(() => {
    if (!good) return
    const timer = setTimeout(() => dismiss(notice.id), noticeTime)
    return () => clearTimeout(timer)
  }, [good, notice.id])
  return (
    <div
      role={good ? undefined : 'alert'}
      className={['toast', !good && 'toast-error', !notice.detail && 'toast-line'].filter(Boolean).join(' ')}
    >
      <Icon name={good ? 'circle-check' : 'alert-circle'} />
      <div className="toast-words">
        <strong>{notice.text}</strong>
        {notice.detail && <p>{notice.detail}</p>}
      </div>
      <IconButton icon="x" small smallIcon label={t('action.close')} onClick={() => dismiss(notice.id)} />
    </div>
  )
}
