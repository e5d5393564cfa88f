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
import { offerUndo, reportFailed } from './report.ts'
import { type DoneBy, recordFinal, type Step, type Trashed, undoSlice } from './undo.ts'

type How = {
  /** Not into the trash. */
  isForGood?: boolean
  /** When it is aborted, no further item is deleted. */
  stopping?: AbortController
  by?: DoneBy
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
  { isForGood = false, stopping = new AbortController(), by = 'person' }: How = {},
): Promise<Outcome> {
  const entryView = workspace.use(entryViewSlice)
  const fileView = workspace.use(fileViewSlice)
  const before = entryView.sortedEntries.value
  const gone: (Item | Trashed)[] = []
  const act = newAct()
  const removeOne = async (item: Item) => {
    const trashId = await removeAt(workspace, item.path, { isForGood, act })
    gone.push(trashId === undefined ? item : { ...item, trashId })
  }
  try {
    const label = t('remove.working', { count: items.length })
    const { failed: all, stopped } = await workspace.use(tasksSlice).each(items, removeOne, { label, stopping })
    const untrashable = stopping.signal.aborted ? [] : all.filter(({ failure }) => hasNoTrash(failure)).map(({ item }) => item)
    const failed = all.filter(({ item }) => !untrashable.includes(item))
    // Before the folder is listed again: Ctrl+Z must not undo the change before this one.
    const step = gone.length > 0 ? record(workspace, gone, by) : undefined
    if (untrashable.length === 0) then()
    const shown = gone.find(({ path }) => path === fileView.file.peek()?.path)
    if (shown) fileView.removed(shown.path)
    else await entryView.refresh()
    if (failed.length > 0) reportFailed(workspace, t('remove.failed', { count: failed.length }), failed)
    else if (!shown) entryView.focusNeighbour(before, new Set(gone.map(({ path }) => path)))
    // Whoever stopped it, or lost the connection, cannot see how far it came.
    const isUncertain = stopped.length > 0 || failed.some(({ failure }) => isUnreached(failure))
    tell(workspace, gone.length, { step, by, isUncertain })
    return { left: [...all.map(({ item }) => item), ...stopped], untrashable }
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
    return { left: items, untrashable: [] }
  }
}

/** @returns the item in the trash; undefined when it is in none @throws HttpFailure */
async function removeAt({ signal }: Workspace, path: string, how: { isForGood: boolean; act: string }) {
  const query = { trash: String(!how.isForGood) }
  const asked = callWithHeaders('DELETE /api/resources/*', { path, query, act: how.act, signal })
  return (await asked.catch(unlessGone))?.headers.get('Holdall-Trash') ?? undefined
}

const hasNoTrash = (failure: unknown) => failure instanceof HttpFailure && failure.refusal?.code === 'noTrash'

/** @returns what undoes it; undefined when nothing can */
function record(workspace: Workspace, gone: readonly (Item | Trashed)[], by: DoneBy): Step | undefined {
  const items = gone.filter((item) => 'trashId' in item)
  if (items.length === 0 || !workspace.may('create')) {
    recordFinal(workspace, 'undo.deleted')
    return undefined
  }
  const step: Step = { kind: 'delete', items }
  workspace.use(undoSlice).record(step, by)
  return step
}

type Told = { step: Step | undefined; by: DoneBy; isUncertain: boolean }

function tell(workspace: Workspace, count: number, { step, by, isUncertain }: Told): void {
  const notices = workspace.use(noticesSlice)
  if (step) offerUndo(workspace, t('remove.trashed', { count }), { step, by })
  else if (count > 0 && isUncertain) notices.succeed(t('remove.done', { count }))
  else if (count > 0) notices.announce(t('remove.done', { count }))
}
