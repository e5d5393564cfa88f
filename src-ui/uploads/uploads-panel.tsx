import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { UploadList } from './upload-list.tsx'
import { UploadsHeader } from './uploads-header.tsx'
import { uploadsSlice } from './uploads-slice.ts'

/** The transfers panel: the total progress and the list of uploads. */
export const UploadsPanel = view(function UploadsPanel() {
  const uploads = useSlice(uploadsSlice)
  if (!uploads.isPanelShown.value) return null
  return (
    <section className="transfers" aria-label={t('uploads.title')} data-region>
      <UploadsHeader />
      {uploads.isPanelOpen.value && <UploadList />}
      <Foot />
    </section>
  )
})

/** The buttons for all uploads: retry the failed ones, cancel the rest. */
const Foot = view(function Foot() {
  const uploads = useSlice(uploadsSlice)
  const overlays = useSlice(overlaysSlice)
  const { failed } = uploads.state.value.totals
  const isBusy = uploads.isUploading.value
  if (failed === 0 && !isBusy) return null
  return (
    <div className="transfers-foot">
      <span className="grow muted">{failed > 0 && t('uploads.failedCount', { count: failed })}</span>
      {failed > 0 && (
        <Button small kind="quiet" icon="refresh" label={t('uploads.retryFailed')} onClick={() => uploads.retryFailed()} />
      )}
      {isBusy && (
        <Button small kind="quiet" label={t('uploads.cancelAll')} onClick={() => overlays.open({ kind: 'cancelUploads' })} />
      )}
    </div>
  )
})
