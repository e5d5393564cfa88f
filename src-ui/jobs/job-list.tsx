import { Fragment, type ReactNode } from 'react'
import { useSlice } from '../core/use-workspace.ts'
import { formatDuration } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { JobQuestion } from './job-question.tsx'
import { JobRow } from './job-row.tsx'
import { headingOf, isActive, percentText, sumText } from './job-words.ts'
import { isOver, jobsSlice } from './jobs.ts'

type HeaderProps = { isOpen: boolean; onToggle: () => void; onHide: () => void }

/** How many jobs are under way and how far they are, and the buttons of the panel. */
export const JobsHeader = view(function JobsHeader({ isOpen, onToggle, onHide }: HeaderProps) {
  const jobs = useSlice(jobsSlice)
  const { value: all } = jobs.shown
  const { value: percent } = jobs.progress
  return (
    <div className="transfers-header">
      <div className="transfers-title">
        <h2>{headingOf(all)}</h2>
        <PanelToggle isOpen={isOpen} onToggle={onToggle} />
        <IconButton icon="x" small smallIcon label={t(all.some(isActive) ? 'jobs.hide' : 'uploads.close')} onClick={onHide} />
      </div>
      {all.some(isActive) && jobs.isOutOfReach.value && (
        <p className="transfers-sum" role="status">
          {t('error.unreachable')}
        </p>
      )}
      {percent !== undefined && <Sum percent={percent} />}
    </div>
  )
})

/** How far all are together. */
const Sum = view(function Sum({ percent }: { percent: number }) {
  const { value: sum } = useSlice(jobsSlice).sum
  return (
    <>
      <ProgressBar value={percent} label={t('jobs.total')} />
      <div className="transfers-sum">
        <span>{sum ? sumText(sum) : percentText(percent)}</span>
        {sum?.left !== undefined && <span>{t('uploads.timeLeft', { time: formatDuration(sum.left) })}</span>}
      </div>
    </>
  )
})

/** Shows the lists of the panel, or only their headings. */
export function PanelToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <IconButton
      icon={isOpen ? 'chevron-down' : 'chevron-up'}
      small
      smallIcon
      label={t(isOpen ? 'uploads.collapse' : 'uploads.expand')}
      aria-expanded={isOpen}
      onClick={onToggle}
    />
  )
}

/**
 * The jobs of the person, the newest first. What asks something is first.
 * @param undoOf the button that undoes what one has done before it was cancelled
 */
export const JobList = view(function JobList({ undoOf }: { undoOf: (id: string) => ReactNode }) {
  const jobs = useSlice(jobsSlice)
  const { value: all } = jobs.shown
  const inOrder = [...all.filter((job) => !isOver(job)), ...all.filter((job) => isOver(job))]
  return (
    <div className="transfers-list transfers-jobs">
      <div className="transfers-group">
        <span>{t('jobs.server')}</span>
        {all.some(isActive) && <span>{t('jobs.goesOn')}</span>}
      </div>
      <ul>
        {inOrder.map((job) => (
          <Fragment key={job.id}>
            <JobRow job={job} undo={job.state === 'cancelled' && undoOf(job.id)} />
            {job.asked > 0 && !isOver(job) && <JobQuestion job={job} />}
          </Fragment>
        ))}
      </ul>
      {all.some(isOver) && (
        <div className="transfers-foot">
          <Button small kind="quiet" label={t('jobs.clear')} onClick={() => jobs.clear()} />
        </div>
      )}
    </div>
  )
})
