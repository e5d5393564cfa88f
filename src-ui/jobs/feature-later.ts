import type { Job } from '../../src-server/contract/jobs.ts'
import type { LaterFeature } from '../core/feature.ts'
import { type Ongoing, ongoingSlice } from '../core/own-acts.ts'
import { pageSlice } from '../core/page.ts'
import type { Workspace } from '../core/workspace.ts'
import { followEnds } from './follow-ends.ts'
import { restingOf, titleOf } from './job-words.ts'
import { type Jobs, jobsSlice } from './jobs.ts'

export const jobsLater = { follow: followJobs } satisfies LaterFeature

function followJobs(workspace: Workspace): void {
  if (!workspace.user.peek()) return
  const jobs = workspace.use(jobsSlice)
  jobs.follow()
  followEnds(workspace, jobs)
  workspace.use(ongoingSlice).add(() =>
    jobs.underWay
      .peek()
      .filter(isAct)
      .map((job) => ongoingOf(jobs, job)),
  )
  const { progress } = workspace.use(pageSlice)
  // The uploads tell theirs, or that there is none: this tells what is left.
  let told: number | undefined
  workspace.effect(() => {
    const shown = progress.value
    const own = jobs.progress.value
    if (shown !== undefined && shown !== told) return
    told = own
    progress.value = own
  })
}

/** What is removed for good is gone: there is nothing to undo. */
const isAct = ({ kind }: Job): boolean => kind !== 'purge'

function ongoingOf(jobs: Jobs, job: Job): Ongoing {
  const { id, kind, startedAt } = job
  const [title, resting] = [titleOf(job, jobs.phraseOf(job)), restingOf(job)]
  return { key: id, title, resting, startedAt, stop: kind === 'undo' ? undefined : () => jobs.stop(id) }
}
