import { useEffect } from 'react'
import { open } from '../core/overlay.ts'
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
      <Foot />
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

/** What can be done with all of them: those that failed tried again, the rest cancelled. */
const Foot = view(function Foot() {
  const { failed } = uploads.value.totals
  const isBusy = isUploading.value
  if (failed === 0 && !isBusy) return null
  return (
    <div className="transfers-foot">
      <span className="grow muted">{failed > 0 && t('uploads.failedCount', { count: failed })}</span>
      {failed > 0 && <Button small kind="quiet" icon="refresh" label={t('uploads.retryFailed')} onClick={retryFailedUploads} />}
      {isBusy && <Button small kind="quiet" label={t('uploads.cancelAll')} onClick={() => open({ kind: 'cancelUploads' })} />}
    </div>
  )
})
