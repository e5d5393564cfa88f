import { askToSignIn, locked } from '../core/session.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatPercent, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Meter } from '../ui/meter.tsx'
import { view } from '../ui/view.tsx'
import { percentOf, type Totals, unfinished } from './upload-jobs.ts'
import type { UploadsState } from './uploads.ts'
import { uploadsSlice } from './uploads.ts'

/** The number and the progress of all uploads, and the buttons of the panel. */
export const UploadsHeader = view(function UploadsHeader() {
  const workspace = useWorkspace()
  const uploads = workspace.use(uploadsSlice)
  const { totals, isOpen: isBusy } = uploads.state.value
  const toggle = () => {
    uploads.isPanelOpen.value = !uploads.isPanelOpen.value
  }
  return (
    <div className="transfers-header">
      <div className="transfers-title">
        <h2>{titleOf(workspace, uploads.state.value)}</h2>
        <IconButton
          icon={uploads.isPanelOpen.value ? 'chevron-down' : 'chevron-up'}
          small
          smallIcon
          label={t(uploads.isPanelOpen.value ? 'uploads.collapse' : 'uploads.expand')}
          aria-expanded={uploads.isPanelOpen.value}
          onClick={toggle}
        />
        <IconButton
          icon="x"
          small
          smallIcon
          label={t(isBusy ? 'uploads.hide' : 'uploads.close')}
          onClick={() => uploads.hidePanel()}
        />
      </div>
      {isBusy && <Sum totals={totals} />}
      {isBusy && locked.value && <SignIn />}
    </div>
  )
})

const Sum = view(function Sum({ totals }: { totals: Totals }) {
  const percent = percentOf(totals)
  return (
    <>
      <Meter value={percent} label={t('uploads.total')} />
      <div className="transfers-sum">
        <span>{t('uploads.sum', { loaded: formatSize(totals.loaded), total: formatSize(totals.size) })}</span>
        <span>{formatPercent(percent / 100)}</span>
      </div>
    </>
  )
})

const SignIn = () => <Button small label={t('login.submit')} onClick={askToSignIn} />

function titleOf(workspace: Workspace, { totals, isOpen }: UploadsState): string {
  const { done, failed, skipped } = totals
  if (isOpen && (!workspace.user.value || locked.value)) return t('uploads.held')
  const finished = done + failed + skipped
  // While a drop is still being read, all uploads known so far may be done.
  const total = finished + unfinished(totals)
  if (isOpen) return t('uploads.heading', { number: Math.min(finished + 1, total), total })
  return t(failed > 0 ? 'uploads.finishedWith' : 'uploads.finished')
}
