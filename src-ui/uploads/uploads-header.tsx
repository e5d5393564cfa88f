import { askToSignIn, locked } from '../core/session.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatDuration, formatPercent, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { headingOf } from './ongoing-uploads.ts'
import { percentOf } from './upload-jobs.ts'
import { isResting } from './upload-speeds.ts'
import type { UploadsState } from './uploads.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** The number and the progress of all uploads, and the buttons of the panel. @param isPart whether others stand above, with the buttons */
export const UploadsHeader = view(function UploadsHeader({ isPart }: { isPart: boolean }) {
  const workspace = useWorkspace()
  const uploads = workspace.use(uploadsSlice)
  const { isOpen: isBusy } = uploads.state.value
  const toggle = () => {
    uploads.isPanelOpen.value = !uploads.isPanelOpen.value
  }
  return (
    <div className="transfers-header">
      <div className="transfers-title">
        <h2>{titleOf(workspace, uploads.state.value, uploads.isPaused.value)}</h2>
        {isBusy && <Pause />}
        {!isPart && (
          <IconButton
            icon={uploads.isPanelOpen.value ? 'chevron-down' : 'chevron-up'}
            small
            smallIcon
            label={t(uploads.isPanelOpen.value ? 'uploads.collapse' : 'uploads.expand')}
            aria-expanded={uploads.isPanelOpen.value}
            onClick={toggle}
          />
        )}
        {!isPart && (
          <IconButton
            icon="x"
            small
            smallIcon
            label={t(isBusy ? 'uploads.hide' : 'uploads.close')}
            onClick={() => uploads.hidePanel()}
          />
        )}
      </div>
      {isBusy && <Sum state={uploads.state.value} isPaused={uploads.isPaused.value} />}
      {isBusy && locked.value && <SignIn />}
    </div>
  )
})

/** Whether further uploads begin. What is being sent is finished, because it would have to begin anew. */
const Pause = view(function Pause() {
  const uploads = useSlice(uploadsSlice)
  const { value: isPaused } = uploads.isPaused
  return (
    <IconButton
      icon={isPaused ? 'player-play' : 'player-pause'}
      small
      smallIcon
      label={t(isPaused ? 'uploads.resume' : 'uploads.pause')}
      onClick={() => {
        uploads.isPaused.value = !isPaused
      }}
    />
  )
})

const Sum = view(function Sum({ state, isPaused }: { state: UploadsState; isPaused: boolean }) {
  const { totals, speed, timeLeft } = state
  const percent = percentOf(totals)
  const speedText = speed === undefined ? undefined : t('uploads.speed', { size: formatSize(Math.round(speed)) })
  const left = timeLeft === undefined || isPaused ? undefined : t('uploads.timeLeft', { time: formatDuration(timeLeft) })
  return (
    <>
      <ProgressBar value={percent} label={t('uploads.total')} paused={isResting(totals)} />
      <div className="transfers-sum">
        <span>{t('uploads.sum', { loaded: formatSize(totals.loaded), total: formatSize(totals.size) })}</span>
        <span>{[speedText ?? formatPercent(percent / 100), left].filter(Boolean).join(' · ')}</span>
      </div>
    </>
  )
})

const SignIn = () => <Button small label={t('login.submit')} onClick={askToSignIn} />

function titleOf(workspace: Workspace, { totals, isOpen, isAway }: UploadsState, isPaused: boolean): string {
  if (isOpen && (!workspace.user.value || locked.value)) return t('uploads.held')
  if (isOpen && isPaused) return totals.sending > 0 ? t('uploads.pausing', { count: totals.sending }) : t('uploads.paused')
  if (isOpen && isAway && totals.sending === 0) return t('uploads.away')
  if (isOpen) return headingOf(totals)
  return t(totals.failed > 0 ? 'uploads.finishedWith' : 'uploads.finished')
}
