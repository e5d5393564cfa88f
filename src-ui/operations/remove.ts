import { actsSlice } from '../acts/acts.ts'
import { reportDone, reportPartDone } from '../acts/offer-undo.ts'
import { callWithHeaders, HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { type EntryView, entryViewSlice } from '../core/entry-view.ts'
import { isSignedOut, isUnreached, unlessGone } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { actOfLost, isGone } from './lost-answer.ts'
import { reportFailed } from './report.ts'
import { type JobOutcome, runJob } from './run-job.ts'

type How = {
  /** Not into the trash. */
  isForGood?: boolean
  /** When it is aborted, no further item is deleted. */
  stopping?: AbortController
}

type Outcome = {
  /** Those that were not deleted. */
  left: readonly Item[]
  /** Those among them that cannot go to the trash. They are not reported: they can be deleted for good. */
  untrashable: readonly Item[]
  /** Why, of the first of them. */
  whyUntrashable?: Untrashable | undefined
}

/**
 * Deletes items: they go to the trash, unless `isForGood`. Failures are reported and stay selected; the listing is always reloaded.
 * @param then called before that, unless something is left to ask
 */
export async function remove(
  workspace: Workspace,
  items: readonly Item[],
  then: () => void,
  { isForGood = false, stopping = new AbortController() }: How = {},
): Promise<Outcome> {
  const entryView = workspace.use(entryViewSlice)
  const fileView = workspace.use(fileViewSlice)
  const before = entryView.sortedEntries.value
  try {
    let reselect: (left: readonly string[]) => void = () => {}
    const onKept = () => {
      reselect = deselect(entryView, items)
      then()
    }
    const removed = await carryOut(workspace, items, { isForGood, stopping, onKept })
    const { failed: all, gone, isKept, stopped } = removed
    // Once it goes on without the page nobody is asked any more.
    const mayAsk = !stopping.signal.aborted && !isKept
    const refused = mayAsk ? all.filter(({ failure }) => whyUntrashable(failure)) : []
    const untrashable = refused.map(({ item }) => item)
    const failed = all.filter(({ item }) => !untrashable.includes(item))
    if (untrashable.length === 0 && !isKept) then()
    const shown = gone.find(({ path }) => path === fileView.file.peek()?.path)
    if (shown) fileView.removed(shown.path)
    else await entryView.refresh()
    reselect([...failed.map(({ item }) => item.path), ...stopped.map(({ path }) => path)])
    if (failed.length === 0 && !shown && !removed.isLong) entryView.focusNeighbour(before, new Set(gone.map(({ path }) => path)))
    // Whoever stopped it, or lost the connection, cannot see how far it came.
    const isUncertain = stopped.length > 0 || failed.some(({ failure }) => isUnreached(failure))
    tell(workspace, gone, { ...removed, failed, isUncertain })
    const left = [...all.map(({ item }) => item), ...stopped]
    return { left, untrashable, whyUntrashable: whyUntrashable(refused[0]?.failure) }
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
    return { left: items, untrashable: [] }
  }
}

/**
 * Selects what is being taken away no more: a command would act on it again, also after a reload.
 * @returns selects those of them again that are still there, unless something else is selected or shown by then
 */
function deselect(entryView: EntryView, items: readonly Item[]): (left: readonly string[]) => void {
  const path = entryView.currentPath.peek()
  const taken = new Set(items.map((item) => item.path))
  const keys = entryView.selected.peek().map(({ key }) => key)
  const dropped = keys.filter((key) => taken.has(key))
  if (dropped.length > 0) entryView.select(keys.filter((key) => !taken.has(key)))
  return (left) => {
    const wanted = new Set(left)
    const again = dropped.filter((key) => wanted.has(key) && entryView.sortedEntries.peek().indexOf(key) !== undefined)
    const isFree = entryView.currentPath.peek() === path && entryView.selected.peek().length === 0
    if (again.length > 0 && isFree) entryView.select(again)
  }
}

type Wanted = { isForGood: boolean; stopping: AbortController; onKept: () => void }

type Removed = Omit<JobOutcome, 'done' | 'renamed'> & {
  gone: readonly Item[]
  /** How many of them are in the trash. */
  trashed: number
  /** It went on without the page. */
  isKept: boolean
}

/** One file is a call of its own, which waits for no place among the jobs. */
function carryOut(workspace: Workspace, items: readonly Item[], wanted: Wanted): Promise<Removed> {
  const [only] = items
  return only && items.length === 1 && !only.isDir ? removeFile(workspace, only, wanted) : removeByJob(workspace, items, wanted)
}

async function removeFile(workspace: Workspace, item: Item, { isForGood, stopping }: Wanted): Promise<Removed> {
  const act = newAct()
  let trashed = 0
  const removeOne = async () => {
    if (await removeAt(workspace, item.path, { isForGood, act })) trashed = 1
  }
  const label = t('remove.working', { count: 1 })
  const { failed, stopped } = await workspace.use(tasksSlice).each([item], removeOne, { label, stopping })
  const gone = failed.length + stopped.length > 0 ? [] : [item]
  return { gone, trashed, failed, stopped, act, isLong: false, isKept: false }
}

/** What goes on without the page: the prompt closes. */
async function removeByJob(
  workspace: Workspace,
  items: readonly Item[],
  { isForGood, stopping, onKept }: Wanted,
): Promise<Removed> {
  let isKept = false
  const kept = () => {
    isKept = true
    onKept()
  }
  const label = t('remove.working', { count: items.length })
  const job = { kind: 'delete', items, label, trash: !isForGood, stopping: stopping.signal, onKept: kept } as const
  const { done, failed: all, stopped, act, isLong } = await runJob(workspace, job)
  // What somebody else has deleted is gone as well.
  const failed = all.filter(({ failure }) => !(failure instanceof HttpFailure && failure.status === 404))
  const left = new Set([...failed.map(({ item }) => item), ...stopped])
  const gone = items.filter((item) => !left.has(item))
  return { gone, trashed: isForGood ? 0 : done.length, failed, stopped, act, isLong, isKept }
}

type RemovedHow = { isForGood: boolean; act: string }

/** @returns whether it is in the trash now @throws HttpFailure */
async function removeAt(workspace: Workspace, path: string, { isForGood, act }: RemovedHow): Promise<boolean> {
  const { signal } = workspace
  const query = { trash: String(!isForGood) }
  try {
    const { headers } = await callWithHeaders('DELETE /api/resources/*', { path, query, act, signal })
    return headers.has('Holdall-Trash')
  } catch (failure) {
    const done = await actOfLost(workspace, failure, act)
    if (!done && !(await isGone(failure, path, signal))) unlessGone(failure)
    return done !== undefined && done.why !== 'forGood'
  }
}

const untrashables = ['noTrash', 'trashFull', 'trashTooSmall'] as const

/** Why something cannot go to the trash, and can be deleted for good: there is none, no space for it, or it is too large. */
export type Untrashable = (typeof untrashables)[number]

function whyUntrashable(failure: unknown): Untrashable | undefined {
  const code = failure instanceof HttpFailure ? failure.refusal?.code : undefined
  return untrashables.find((one) => one === code)
}

type Told = Pick<Removed, 'trashed' | 'act' | 'failed'> & { isUncertain: boolean }

function tell(workspace: Workspace, gone: readonly Item[], { trashed, act, failed, isUncertain }: Told): void {
  const notices = workspace.use(noticesSlice)
  const count = gone.length
  const triedOf = (all: readonly Item[]) => all.map(({ path }) => `delete ${path}`)
  const refused = failed.map(({ item }) => item)
  notices.dismissFailures({ tried: triedOf([...gone, ...refused]) })
  const text = trashed > 0 ? t('remove.trashed', { count }) : undefined
  const of = { act, tried: triedOf(refused) }
  const fail = () => reportFailed(workspace, t('remove.failed', { count: failed.length }), failed, of)
  if (text === undefined && count > 0) {
    if (isUncertain) notices.succeed(t('remove.done', { count }))
    else notices.announce(t('remove.done', { count }))
  }
  if (failed.length > 0) reportPartDone(workspace, text, act, { fail })
  else if (text !== undefined) reportDone(workspace, text, act)
  else void workspace.use(actsSlice).refreshQuietly()
}
