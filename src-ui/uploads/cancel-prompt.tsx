import { useEffect } from 'react'
import { close } from '../core/overlay.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { unfinished } from './upload-jobs.ts'
import { cancelUploads, isUploading, uploads } from './uploads.ts'

/** Asks before all uploads are cancelled; meanwhile they go on. The safe button has the focus. */
export const CancelPrompt = view(function CancelPrompt() {
  const leave = () => close('cancelUploads')
  useEnd(isUploading.value, leave)
  const cancel = () => {
    leave()
    cancelUploads()
  }
  return (
    <Dialog
      title={t('uploads.cancelTitle')}
      description={t('uploads.cancelText', { count: unfinished(uploads.value.totals) })}
      onClose={leave}
      foot={
        <>
          <Button data-first-focus label={t('uploads.goOn')} onClick={leave} />
          <Button kind="danger" label={t('uploads.cancelAll')} onClick={cancel} />
        </>
      }
    />
  )
})

// All of them have ended: there is nothing left to cancel.
function useEnd(isBusy: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isBusy) leave()
  })
}
