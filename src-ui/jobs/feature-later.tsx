import type { LaterFeature } from '../core/feature.ts'
import { pageSlice } from '../core/page.ts'
import type { Workspace } from '../core/workspace.ts'
import { followEnds } from './follow-ends.ts'
import { jobsSlice } from './jobs.ts'

export const jobsLater = { follow: followJobs } satisfies LaterFeature

function followJobs(workspace: Workspace): void {
  if (!workspace.user.peek()) return
  const jobs = workspace.use(jobsSlice)
  jobs.follow()
  followEnds(workspace, jobs)
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
