import { useEffect, useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { type Notice, type NoticeAction, noticeActionTime, noticesSlice, noticeTime } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'

/** A notice. One of a success disappears after some time, an error stays until it is closed. */
export function Toast({ notice }: { notice: Notice }) {
  const notices = useSlice(noticesSlice)
  const { id, kind, text, detail, action, isNeutral } = notice
  const isGood = kind === 'success'
  const handlers = useTimeout(notice)
  return (
    <div
      role={isGood ? undefined : 'alert'}
      className={[
        'toast',
        !isGood && 'toast-error',
        isNeutral && 'toast-neutral',
        !detail && 'toast-line',
        action && 'toast-action',
      ]
        .filter(Boolean)
        .join(' ')}
      {...handlers}
    >
      <Icon name={isNeutral ? 'info-circle' : isGood ? 'circle-check' : 'alert-circle'} />
      <div className="toast-words">
        <strong>{text}</strong>
        {detail && <p>{detail}</p>}
      </div>
      {action && <Action id={id} action={action} />}
      {!isGood && pageConfig.Links?.Report && (
        <a className="button button-quiet button-small" href={pageConfig.Links.Report} target="_blank" rel="noopener noreferrer">
          {t('report.problem')}
        </a>
      )}
      <IconButton icon="x" small smallIcon label={t('action.close')} onClick={() => notices.dismiss(id)} />
    </div>
  )
}

function Action({ id, action }: { id: number; action: NoticeAction }) {
  const notices = useSlice(noticesSlice)
  const act = () => {
    notices.dismiss(id)
    action.run()
  }
  return <Button small label={action.label} onClick={act} />
}

/** Dismisses the notice of a success after its time, but not while it has the pointer or the focus. */
function useTimeout({ id, kind, action, isLasting }: Notice) {
  const notices = useSlice(noticesSlice)
  const [isHeld, setHeld] = useState(false)
  const time = action ? noticeActionTime : noticeTime
  useEffect(() => {
    if (kind !== 'success' || isLasting || isHeld) return
    const timer = setTimeout(() => notices.dismiss(id), time)
    return () => clearTimeout(timer)
  }, [notices, kind, isLasting, id, time, isHeld])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release }
}
