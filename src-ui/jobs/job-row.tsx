import type { ReactNode } from 'react'
import type { Job, JobDetails } from '../../src-server/contract/jobs.ts'
import { failureReason } from '../core/failure-reason.ts'
import { nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { isPartKnown, partOf } from './how-far.ts'
import { failureIn, failureText, firstName, isActive, isOfTrash, stateOf, titleOf, unchangedText } from './job-words.ts'
import { isOver, type JobAct, jobsSlice } from './jobs.ts'

/** The most failures that are listed. */
const mostListed = 5

const icons: Readonly<Record<string, IconName>> = {
  copy: 'copy',
  move: 'folder-symlink',
  delete: 'trash',
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
  const failures = details?.failures.slice(0, mostListed) ?? []
  // An undo has no entries of its own.
  const nameIn = (path: string) => (isOfTrash(job) ? trashNames.get(path) : nameOf(path)) ?? ''
  const rest = job.failed - failures.length
  return (
    <div className="transfer-failures">
      <span>{failureText(job)}</span>
      {failures.length > 0 && (
        <ul>
          {failures.map((failure) => (
            <li key={failure.path}>{reasonText(failureReason(failureIn(failure)), nameIn(failure.path))}</li>
          ))}
          {rest > 0 && <li>{t('prompts.delete.more', { count: rest })}</li>}
        </ul>
      )}
    </div>
  )
})

const reasonText = (cause: string, name: string): string =>
  name === '' ? cause : t('transfer.failure', { name: isolate(visibleName(name)), cause })

const Actions = view(function Actions({ job, undo }: { job: Job; undo: ReactNode }) {
  const jobs = useSlice(jobsSlice)
  const { state, failed, unchanged = 0 } = job
  const name = { name: firstName(job, jobs.phraseOf(job)) }
  const act = (action: Extract<JobAct, { action: string }>['action']) => void jobs.act(job.id, { action })
  const button = (icon: IconName, label: string, onClick: () => void) => (
    <IconButton icon={icon} small smallIcon label={label} onClick={onClick} />
  )
  return (
    <span className="transfer-actions">
      {(state === 'running' || state === 'waiting') && button('player-pause', t('uploads.pause'), () => act('pause'))}
      {state === 'paused' && button('player-play', t('uploads.resume'), () => act('resume'))}
      {state === 'interrupted' && button('player-play', t('jobs.continue'), () => act('continue'))}
      {state === 'ended' && failed > 0 && button('refresh', t('uploads.retry', name), () => act('retry'))}
      {state === 'ended' && failed + unchanged === 0 && <Icon name="circle-check" className="icon-done" />}
      {!isOver(job) && state !== 'cancelling' && button('x', t('uploads.cancel', name), () => act('cancel'))}
      {undo}
      {isOver(job) && button('x', t('uploads.dismiss', name), () => void jobs.dismiss(job.id))}
    </span>
  )
})
