import type { Opened } from '../core/overlay.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'

/** Asks before a form is left with unsaved changes. *Cancel* has the focus. */
export const LeaveFormPrompt = view(function LeaveFormPrompt({ leave, onClose }: Opened<'leaveForm'>) {
  const discard = () => {
    onClose()
    leave()
  }
  return (
    <Dialog
      title={t('settings.leave.title')}
      description={t('settings.leave.text')}
      onClose={onClose}
      foot={
        <>
          <Button className="button-danger-quiet" kind="quiet" label={t('editor.leave.discard')} onClick={discard} />
          <span className="grow" />
          <Button data-first-focus kind="primary" label={t('action.cancel')} onClick={onClose} />
        </>
      }
    />
  )
})
