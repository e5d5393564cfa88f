import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { UploadList } from './upload-list.tsx'
import { uploadsSlice } from './uploads.ts'
import { UploadsHeader } from './uploads-header.tsx'

/** What is being uploaded: in total and file by file. */
export const UploadsPanel = view(function UploadsPanel() {
  const uploads = useSlice(uploadsSlice)
  if (!uploads.panelState.value) return null
  return (
    <section className="transfers" aria-label={t('uploads.title')} data-region>
      <UploadsHeader />
      {uploads.isPanelOpen.value && <UploadList />}
      <FailedFoot />
    </section>
  )
})

const FailedFoot = view(function FailedFoot() {
  const uploads = useSlice(uploadsSlice)
  const { failed } = uploads.state.value.totals
  if (failed === 0) return null
  return (
    <div className="transfers-foot">
      <span className="grow muted">{t('uploads.failedCount', { count: failed })}</span>
      <Button small kind="quiet" icon="refresh" label={t('uploads.retryFailed')} onClick={() => uploads.retryFailed()} />
    </div>
  )
})
