import { useEffect, useRef } from 'react'
import { ActList, ActsHeader } from '../acts/act-list.tsx'
import { actsSlice } from '../acts/acts.ts'
import { UndoJob } from '../acts/undo-job.tsx'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { JobList, JobsHeader, PanelToggle } from '../jobs/job-list.tsx'
import { jobsSlice } from '../jobs/jobs.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { keepFocus } from './panel-focus.ts'
import { unfinishedSlice } from './unfinished.ts'
import { UnfinishedList } from './unfinished-list.tsx'
import { UploadList } from './upload-list.tsx'
import { isPanelInUse, type Uploads } from './uploads.ts'
import { UploadsHeader } from './uploads-header.tsx'
import { uploadsSlice } from './uploads-slice.ts'

/** The transfers panel: the jobs of the server, the uploads with their total progress, and the last acts when they are wanted. */
export const UploadsPanel = view(function UploadsPanel() {
  const uploads = useSlice(uploadsSlice)
  const jobs = useSlice(jobsSlice)
  const { value: areUploads } = uploads.isPanelShown
  useJobEnds(jobs.underWay.value.length, uploads)
  const areJobs = jobs.isShown.value || (areUploads && jobs.mayShow.value)
  const acts = useSlice(actsSlice)
  const { value: areActs } = acts.isShown
  const unfinished = useSlice(unfinishedSlice)
  const { value: areUnfinished } = unfinished.isShown
  const areTransfers = areUploads || areJobs || areUnfinished
  if (!areTransfers && !areActs) return null
  const { value: isOpen } = uploads.isPanelOpen
  const toggle = () => {
    uploads.isPanelOpen.value = !isOpen
  }
  const hide = () => {
    jobs.hide()
    uploads.hidePanel()
    unfinished.hide()
    acts.isShown.value = false
  }
  return (
    <section className="transfers" aria-label={t('uploads.title')} data-region ref={keepFocus}>
      {areJobs && <JobsHeader isOpen={isOpen} onToggle={toggle} onHide={hide} />}
      {areJobs && isOpen && <JobList undoOf={(id) => <UndoJob id={id} />} />}
      {areUploads && <UploadsHeader isPart={areJobs} />}
      {areUploads && isOpen && <UploadList />}
      {areUnfinished && !areUploads && !areJobs && <UnfinishedHeader isOpen={isOpen} onToggle={toggle} onHide={hide} />}
      {areUnfinished && isOpen && <UnfinishedList isPart={areUploads || areJobs} />}
      {areUploads && <Foot />}
      {areActs && <ActsHeader isOpen={isOpen} onToggle={areTransfers ? undefined : toggle} />}
      {areActs && isOpen && <ActList />}
    </section>
  )
})

/** Where nothing is being sent: what was begun before. */
function UnfinishedHeader({ isOpen, onToggle, onHide }: { isOpen: boolean; onToggle: () => void; onHide: () => void }) {
  return (
    <div className="transfers-header">
      <div className="transfers-title">
        <h2>{t('uploads.unfinished')}</h2>
        <PanelToggle isOpen={isOpen} onToggle={onToggle} />
        <IconButton icon="x" small smallIcon label={t('uploads.close')} onClick={onHide} />
      </div>
    </div>
  )
}

/** The panel opens for the first job, and collapses after the last, as it does for uploads, unless something is to be done about one. */
function useJobEnds(count: number, uploads: Uploads): void {
  const before = useRef(0)
  const { shown } = useSlice(jobsSlice)
  const { isShown: areActs } = useSlice(actsSlice)
  useEffect(() => {
    const had = before.current
    before.current = count
    if (had === 0 && count > 0) uploads.isPanelOpen.value = true
    const isPlain = shown.peek().every(({ failed, state }) => failed === 0 && state !== 'cancelled')
    const isQuiet = isPlain && !areActs.peek() && !uploads.isUploading.peek() && !isPanelInUse()
    if (had > 0 && count === 0 && isQuiet) uploads.isPanelOpen.value = false
  }, [count, uploads, shown, areActs])
}

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
