import { useEffect } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { UploadList } from './upload-list.tsx'
import { hasOpenUploads, isPanelOpen, isUploading, panelState, retryFailedUploads, uploads } from './uploads.ts'
import { UploadsHeader } from './uploads-header.tsx'

/** What is being uploaded: in total and file by file. */
export const UploadsPanel = view(function UploadsPanel() {
  useLeaveWarning(isUploading.value)
  if (!panelState.value) return null
  return (
    <section className="transfers" aria-label={t('uploads.title')} data-region>
      <UploadsHeader />
      {isPanelOpen.value && <UploadList />}
      <FailedFoot />
    </section>
  )
})

/** Leaving the page would cut what is being sent: the browser asks first. */
function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => {
      // Uploads of another person, who signed out in another tab, are no reason to stay.
      if (hasOpenUploads()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isNeeded])
}

const FailedFoot = view(function FailedFoot() {
  const { failed } = uploads.value.totals
  if (failed === 0) return null
  return (
    <div className="transfers-foot">
      <span className="grow muted">{t('uploads.failedCount', { count: failed })}</span>
      <Button small kind="quiet" icon="refresh" label={t('uploads.retryFailed')} onClick={retryFailedUploads} />
    </div>
  )
})
