import { type ReactNode, useMemo } from 'react'
import type { Job, JobDetails } from '../../src-server/contract/jobs.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { failureLines } from './failure-lines.ts'
import { isPartKnown, partOf } from './how-far.ts'
import {
  failedIn,
  failedName,
  failureText,
  firstName,
  isActive,
  isOfTrash,
  stateOf,
  titleOf,
  unchangedText,
} from './job-words.ts'
import { isOver, type JobAct, jobsSlice } from './jobs.ts'

const icons: Readonly<Record<string, IconName>> = {
  compress: 'folder-plus',
  copy: 'copy',
  move: 'folder-symlink',
  delete: 'trash',
  extract: 'folder-symlink',
  purge: 'trash',
  restore: 'arrow-back-up',
  undo: 'arrow-back-up',
}

/** One job: what it does, how far it is, what failed, and its buttons. */
export const JobRow = view(function JobRow({ job, undo }: { job: Job; undo: ReactNode }) {
  const jobs = useSlice(jobsSlice)
  const details = jobs.details.value.get(job.id)
  const state = stateOf(job)
  const part = partOf(job)
  return (
    <li className={classOf(job)}>
      <Icon name={icons[job.kind] ?? 'copy'} className="transfer-icon" />
      <span className="transfer-name">{titleOf(job, jobs.phraseOf(job))}</span>
      {!isOver(job) && isPartKnown(job) && (
        <ProgressBar
          {...(part !== undefined && { value: Math.floor(100 * part) })}
          label={t('uploads.meter', { name: firstName(job, jobs.phraseOf(job)) })}
          paused={!isActive(job) || job.state === 'pausing'}
        />
      )}
      {state && <span className="transfer-state">{state}</span>}
      {job.state === 'running' && job.progress?.name && !isOfTrash(job) && (
        <span className="transfer-state">
          <FileName name={job.progress.name} isDir={false} />
        </span>
      )}
      {job.unchanged && <span className="transfer-failures">{unchangedText(details)}</span>}
      {job.failed > 0 && <Failures job={job} details={details} />}
      <Actions job={job} undo={undo} />
    </li>
  )
})

function classOf({ state, failed, unchanged = 0 }: Job): string {
  const name = state === 'asking' ? 'asking' : state === 'ended' && failed + unchanged === 0 ? 'done' : state
  return `transfer transfer-${name}`
}

/** Which entries failed, and why. */
const Failures = view(function Failures({ job, details }: { job: Job; details: JobDetails | undefined }) {
  const { trashNames } = useSlice(jobsSlice)
  const count = failedIn(job, details)
  const isTrash = isOfTrash(job)
  const lines = useMemo(() => {
    // An undo has no entries of its own.
    return failureLines(details?.failures ?? [], {
      count,
      nameOf: (failure) => (isTrash ? trashNames.get(failure.path) : failedName(failure)) ?? '',
    })
  }, [details, count, isTrash, trashNames])
  return (
    <div className="transfer-failures">
      <span>{failureText(job, details)}</span>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  )
})

type Action = Extract<JobAct, { action: string }>['action']

/** What a job is stopped with, or goes on with: one button in all states, which keeps the focus. */
function stepOf({ state, failed }: Job, name: { name: string }): { action: Action; icon: IconName; label: string } | undefined {
  if (['running', 'waiting', 'pausing'].includes(state))
    return { action: 'pause', icon: 'player-pause', label: t('uploads.pause') }
  if (state === 'paused') return { action: 'resume', icon: 'player-play', label: t('uploads.resume') }
  if (state === 'interrupted') return { action: 'continue', icon: 'player-play', label: t('jobs.continue') }
  if (state === 'ended' && failed > 0) return { action: 'retry', icon: 'refresh', label: t('uploads.retry', name) }
  return undefined
}

const Actions = view(function Actions({ job, undo }: { job: Job; undo: ReactNode }) {
  const jobs = useSlice(jobsSlice)
  const { state, failed, unchanged = 0 } = job
  const name = { name: firstName(job, jobs.phraseOf(job)) }
  const step = stepOf(job, name)
  const act = (action: Action) => void jobs.act(job.id, { action })
  const button = (icon: IconName, label: string, onClick: () => void) => (
    <IconButton icon={icon} small smallIcon label={label} onClick={onClick} />
  )
  return (
    <span className="transfer-actions">
      {step && (
        <IconButton
          icon={step.icon}
          small
          smallIcon
          label={step.label}
          aria-disabled={state === 'pausing' || undefined}
          onClick={() => state === 'pausing' || act(step.action)}
        />
      )}
      {state === 'ended' && failed + unchanged === 0 && <Icon name="circle-check" className="icon-done" />}
      {!isOver(job) && state !== 'cancelling' && button('x', t('uploads.cancel', name), () => act('cancel'))}
      {undo}
      {isOver(job) && button('x', t('uploads.dismiss', name), () => void jobs.dismiss(job.id))}
    </span>
  )
})
