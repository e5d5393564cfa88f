// A job that the page begins for items, and what came of it item by item.
import type { JobDetails } from '../../src-server/contract/jobs.ts'
import type { Item } from '../core/entries.ts'
import { isSignedOut } from '../core/failure-reason.ts'
import { type Left, tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { failureIn } from '../jobs/job-words.ts'
import { type JobAsked, jobsSlice } from '../jobs/jobs.ts'

/** Milliseconds after which a slow network is shown as a task, until the server has the job: then the panel of the jobs shows it. */
const shownAfter = 1500
/** Milliseconds after which a person does something else: selection and focus stay where they are then. */
const longAfter = 3000

type WantedJob = Omit<Extract<JobAsked, { entries: unknown }>, 'entries'> & {
  items: readonly Item[]
  label: string
  stopping?: AbortSignal
  /** Called when the job goes on without the page. */
  onKept?: () => void
}

export type JobOutcome = Left<Item> & {
  done: readonly Item[]
  /** What got another name than its own. */
  renamed: JobDetails['renamed']
  /** What it is undone by; undefined when it is not known. */
  act: string | undefined
  /** It took so long that the person does something else by now. */
  isLong: boolean
}

/** Waits for the end of the job, however long that takes. @throws HttpFailure when the person is signed out */
export async function runJob(workspace: Workspace, { items, label, stopping, onKept, ...asked }: WantedJob): Promise<JobOutcome> {
  const since = workspace.now()
  const begun = Promise.withResolvers<void>()
  void workspace.use(tasksSlice).track(() => begun.promise, label, shownAfter)
  const kept = () => {
    begun.resolve()
    onKept?.()
  }
  const isLong = () => workspace.now() - since > longAfter
  try {
    const entries = items.map(({ path }) => path)
    const details = await workspace.use(jobsSlice).run({ ...asked, entries }, { stopping, onKept: kept })
    return { ...outcomeOf(items, details), isLong: isLong() }
  } catch (failure) {
    if (isSignedOut(failure)) throw failure
    const failed = items.map((item) => ({ item, failure }))
    return { done: [], failed, stopped: [], renamed: [], act: undefined, isLong: isLong() }
  } finally {
    begun.resolve()
  }
}

/** @param details undefined when nothing is known of the job any more: then nothing is known to be done */
function outcomeOf(items: readonly Item[], details: JobDetails | undefined): Omit<JobOutcome, 'isLong'> {
  if (!details) return { done: [], failed: [], stopped: items, renamed: [], act: undefined }
  const { failures, id, leftOut, renamed, state } = details
  const reasons = new Map(failures.map((failure) => [failure.path, failure]))
  const without = new Set(leftOut)
  const failed = items.flatMap((item) => {
    const reason = reasons.get(item.path)
    return reason ? [{ item, failure: failureIn(reason) }] : []
  })
  const done = items.filter(({ path }) => !reasons.has(path) && !without.has(path))
  // Of a job that has ended by itself they were skipped.
  const stopped = state === 'cancelled' ? items.filter(({ path }) => without.has(path)) : []
  return { done, failed, stopped, renamed, act: id }
}
