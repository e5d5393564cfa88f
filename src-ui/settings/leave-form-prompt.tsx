import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'

/** Asks before a form is left with unsaved changes. *Cancel* has the focus. */
export const LeaveFormPrompt = view(function LeaveFormPrompt({ leave }: { leave: () => void }) {
  const overlays = useSlice(overlaysSlice)
  const stay = () => overlays.close('leaveForm')
  const discard = () => {
    stay()
    leave()
  }
  return (
    <Dialog
      title={t('settings.leave.title')}
      description={t('settings.leave.text')}
      onClose={stay}
      foot={
        <>
          <Button className="button-danger-quiet" kind="quiet" label={t('editor.leave.discard')} onClick={discard} />
          <span className="grow" />
          <Button data-first-focus kind="primary" label={t('action.cancel')} onClick={stay} />
        </>
      }
    />
  )
})
