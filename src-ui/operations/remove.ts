import { actsSlice } from '../acts/acts.ts'
import { reportDone } from '../acts/offer-undo.ts'
import { callWithHeaders, HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { isSignedOut, isUnreached, unlessGone } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { reportFailed } from './report.ts'

type How = {
  /** Not into the trash. */
  isForGood?: boolean
  /** When it is aborted, no further item is deleted. */
  stopping?: AbortController
}

type Outcome = {
  /** Those that were not deleted. */
  left: readonly Item[]
  /** Those among them for which there is no trash. They are not reported: they can be deleted for good. */
  untrashable: readonly Item[]
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
  const gone: Item[] = []
  let trashed = 0
  const act = newAct()
  const removeOne = async (item: Item) => {
    if (await removeAt(workspace, item.path, { isForGood, act })) trashed += 1
    gone.push(item)
  }
  try {
    const label = t('remove.working', { count: items.length })
    const { failed: all, stopped } = await workspace.use(tasksSlice).each(items, removeOne, { label, stopping })
    const untrashable = stopping.signal.aborted ? [] : all.filter(({ failure }) => hasNoTrash(failure)).map(({ item }) => item)
    const failed = all.filter(({ item }) => !untrashable.includes(item))
    if (untrashable.length === 0) then()
    const shown = gone.find(({ path }) => path === fileView.file.peek()?.path)
    if (shown) fileView.removed(shown.path)
    else await entryView.refresh()
    if (failed.length > 0) reportFailed(workspace, t('remove.failed', { count: failed.length }), failed)
    else if (!shown) entryView.focusNeighbour(before, new Set(gone.map(({ path }) => path)))
    // Whoever stopped it, or lost the connection, cannot see how far it came.
    const isUncertain = stopped.length > 0 || failed.some(({ failure }) => isUnreached(failure))
    tell(workspace, gone.length, { trashed, act, isUncertain })
    return { left: [...all.map(({ item }) => item), ...stopped], untrashable }
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
    return { left: items, untrashable: [] }
  }
}

/** @returns whether it is in the trash now @throws HttpFailure */
async function removeAt({ signal }: Workspace, path: string, how: { isForGood: boolean; act: string }): Promise<boolean> {
  const query = { trash: String(!how.isForGood) }
  const asked = callWithHeaders('DELETE /api/resources/*', { path, query, act: how.act, signal })
  return (await asked.catch(unlessGone))?.headers.has('Holdall-Trash') ?? false
}

const hasNoTrash = (failure: unknown) => failure instanceof HttpFailure && failure.refusal?.code === 'noTrash'

type Told = {
  /** How many of them are in the trash. */
  trashed: number
  act: string
  isUncertain: boolean
}

function tell(workspace: Workspace, count: number, { trashed, act, isUncertain }: Told): void {
  const notices = workspace.use(noticesSlice)
  if (trashed > 0) reportDone(workspace, t('remove.trashed', { count }), act)
  else {
    if (count > 0 && isUncertain) notices.succeed(t('remove.done', { count }))
    else if (count > 0) notices.announce(t('remove.done', { count }))
    void workspace.use(actsSlice).refreshQuietly()
  }
}
