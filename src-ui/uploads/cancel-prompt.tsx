import { useEffect } from 'react'
import type { Opened } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Confirm } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { unfinished } from './upload-jobs.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** Asks before all uploads are cancelled; they go on meanwhile. *Continue uploading* has the focus. */
export const CancelPrompt = view(function CancelPrompt({ onClose }: Opened<'cancelUploads'>) {
  const uploads = useSlice(uploadsSlice)
  useEnd(uploads.isUploading.value, onClose)
  const cancel = () => {
    onClose()
    uploads.cancelAll()
  }
  return (
    <Confirm
      title={t('uploads.cancelTitle')}
      description={t('uploads.cancelText', { count: unfinished(uploads.state.value.totals) })}
      cancel={t('uploads.goOn')}
      confirm={t('uploads.cancelAll')}
      onClose={onClose}
      onConfirm={cancel}
    />
  )
})

// When all uploads have ended there is nothing to cancel.
function useEnd(isBusy: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isBusy) leave()
  })
}
