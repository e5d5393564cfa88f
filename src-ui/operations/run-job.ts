// A job that the page begins for items, and what came of it item by item.
import type { JobDetails } from '../../src-server/contract/jobs.ts'
import type { HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { isSignedOut } from '../core/failure-reason.ts'
import { type Left, tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { failedName, failureIn, isOfTrash } from '../jobs/job-words.ts'
import { type JobAsked, type JobOfEntries, jobsSlice } from '../jobs/jobs.ts'

/** Milliseconds after which a slow network is shown as a task, until the server has the job: then the panel of the jobs shows it. */
const shownAfter = 1500
/** Milliseconds after which a person does something else: selection and focus stay where they are then. */
const longAfter = 3000

/** Whether it has taken so long that the person does something else by now. @param since by `Workspace.now` */
export const isLongSince = (workspace: Workspace, since: number): boolean => workspace.now() - since > longAfter

type How = {
  label: string
  stopping?: AbortSignal
  /** Called when the job goes on without the page. */
  onKept?: () => void
}

type WantedJob = Omit<JobOfEntries, 'entries'> & How & { items: readonly Item[] }

export type JobOutcome = Left<Item> & {
  done: readonly Item[]
  /** What got another name than its own. */
  renamed: JobDetails['renamed']
  /** What it is undone by; undefined when it is not known. */
  act: string | undefined
  /** It took so long that the person does something else by now. */
  isLong: boolean
}

/** Entries of one job, and bytes of their paths: the server takes 10,000 and 4 MiB, in which a path may stand twice. */
const [mostEntries, mostBytes] = [10_000, 1 << 20]

/**
 * Waits for the end of the job, however long that takes. More items than one job takes are given to several, one after the other.
 * @throws HttpFailure when the person is signed out
 */
export async function runJob(workspace: Workspace, { items, ...asked }: WantedJob): Promise<JobOutcome> {
  const [first = [], ...others] = partsOf(items)
  let outcome = await runPart(workspace, { ...asked, items: first })
  for (const part of others) {
    const isOver = asked.stopping?.aborted || outcome.stopped.length > 0
    const next = isOver ? { ...nothingDone, stopped: part } : await runPart(workspace, { ...asked, items: part })
    outcome = {
      done: [...outcome.done, ...next.done],
      failed: [...outcome.failed, ...next.failed],
      stopped: [...outcome.stopped, ...next.stopped],
      renamed: [...outcome.renamed, ...next.renamed],
      // Each is an act of its own: no button undoes them all.
      act: undefined,
      isLong: outcome.isLong || next.isLong,
    }
  }
  return outcome
}

function partsOf(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const size = new TextEncoder().encode(item.path).length
    const last = parts.at(-1)
    if (!last || last.length >= mostEntries || bytes + size > mostBytes) {
      parts.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return parts
}

const nothingDone: JobOutcome = { done: [], failed: [], stopped: [], renamed: [], act: undefined, isLong: false }

/** Waits for the end of one job, as `JobsSlice.run`; until the server has it, it may be shown as a task. @throws HttpFailure */
export async function runShown(
  workspace: Workspace,
  job: JobAsked,
  { label, stopping, onKept }: How,
): Promise<JobDetails | undefined> {
  const begun = Promise.withResolvers<void>()
  void workspace.use(tasksSlice).track(() => begun.promise, label, shownAfter)
  const kept = () => {
    begun.resolve()
    onKept?.()
  }
  try {
    return await workspace.use(jobsSlice).run(job, { stopping, onKept: kept })
  } finally {
    begun.resolve()
  }
}

/**
 * Deletes for good all of the trash that the person may, as the server finds it.
 * @param names those of what the page knows, by id, for the list of what fails
 * @returns what came of it, by the ids there @throws HttpFailure when it cannot begin
 */
export async function purgeAll(
  workspace: Workspace,
  names: ReadonlyMap<string, string>,
  how: How,
): Promise<{ gone: number; failed: readonly { id: string; failure: HttpFailure }[] }> {
  for (const [id, name] of names) workspace.use(jobsSlice).trashNames.set(id, name)
  const { done: gone, failures } = (await runShown(workspace, { kind: 'purge', all: true }, how)) ?? { done: 0, failures: [] }
  return { gone, failed: failures.map((failure) => ({ id: failure.path, failure: failureIn(failure) })) }
}

async function runPart(workspace: Workspace, { items, label, stopping, onKept, ...asked }: WantedJob): Promise<JobOutcome> {
  const since = workspace.now()
  const isLong = () => isLongSince(workspace, since)
  try {
    const entries = items.map(({ path }) => path)
    if (isOfTrash(asked)) for (const { path, name } of items) workspace.use(jobsSlice).trashNames.set(path, name)
    const choices = asked.choices && choicesOf(entries, asked.choices)
    const job = { ...asked, entries, ...(choices && { choices }) }
    const details = await runShown(workspace, job, { label, ...(stopping && { stopping }), ...(onKept && { onKept }) })
    return { ...outcomeOf(items, details), isLong: isLong() }
  } catch (failure) {
    if (isSignedOut(failure)) throw failure
    return { ...nothingDone, failed: items.map((item) => ({ item, failure })), isLong: isLong() }
  }
}

function choicesOf(entries: readonly string[], all: NonNullable<WantedJob['choices']>): NonNullable<WantedJob['choices']> {
  return Object.fromEntries(
    entries.flatMap((path) => {
      const choice = all[path]
      return choice === undefined ? [] : [[path, choice]]
    }),
  )
}

/** @param details undefined when nothing is known of the job any more: then nothing is known to be done */
function outcomeOf(items: readonly Item[], details: JobDetails | undefined): Omit<JobOutcome, 'isLong'> {
  if (!details) return { done: [], failed: [], stopped: items, renamed: [], act: undefined }
  const { failures, id, leftOut, renamed, state } = details
  // The first of a folder is told.
  const reasons = new Map(failures.toReversed().map((failure) => [failure.of ?? failure.path, failure]))
  const without = new Set(leftOut)
  const failed = items.flatMap((item) => {
    const reason = reasons.get(item.path)
    return reason ? [{ item, failure: failureIn(reason), ...(reason.of !== undefined && { name: failedName(reason) }) }] : []
  })
  const done = items.filter(({ path }) => !reasons.has(path) && !without.has(path))
  // Of a job that has ended by itself they were skipped.
  const stopped = state === 'cancelled' ? items.filter(({ path }) => without.has(path)) : []
  return { done, failed, stopped, renamed, act: id }
}
