import { call, HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { undoSlice } from './undo.ts'

type Outcome = { gone: Item[]; failed: { item: Item; failure: unknown }[] }

/**
 * Deletes items permanently. Failures are reported and stay selected; the listing is always reloaded. After `stopping` is
 * aborted no further item is deleted.
 */
export async function remove(
  workspace: Workspace,
  items: readonly Item[],
  then: () => void,
  stopping = new AbortController(),
): Promise<void> {
  const notices = workspace.use(noticesSlice)
  const tasks = workspace.use(tasksSlice)
  const entryView = workspace.use(entryViewSlice)
  const fileView = workspace.use(fileViewSlice)
  const before = entryView.sortedEntries.value
  const label = t('remove.working', { count: items.length })
  try {
    const total = items.length
    const { gone, failed } = await tasks.track({ label, total, stopping }, (step, signal) =>
      removeAll(workspace, items, { step, signal }),
    )
    // Before the folder is listed again: Ctrl+Z must not undo the change before this one.
    if (gone.length > 0) workspace.use(undoSlice).record({ kind: 'final', reason: 'undo.deleted' })
    then()
    const shown = gone.find(({ path }) => path === fileView.file.peek()?.path)
    if (shown) fileView.removed(shown.path)
    else await entryView.refresh()
    if (failed.length > 0) tell(workspace, failed)
    else if (!shown) entryView.focusNeighbour(before, new Set(gone.map(({ path }) => path)))
    if (gone.length > 0) notices.announce(t('remove.done', { count: gone.length }))
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
  }
}

type Progress = { step: () => void; signal: AbortSignal }

async function removeAll(workspace: Workspace, items: readonly Item[], { step, signal }: Progress): Promise<Outcome> {
  const outcome: Outcome = { gone: [], failed: [] }
  for (const item of items) {
    if (signal.aborted) break
    try {
      await call('DELETE /api/resources/*', { path: item.path, signal: workspace.signal })
      outcome.gone.push(item)
    } catch (failure) {
      if (isSignedOut(failure)) throw failure
      // Already deleted by somebody else.
      if (failure instanceof HttpFailure && failure.status === 404) outcome.gone.push(item)
      else outcome.failed.push({ item, failure })
    }
    step()
  }
  return outcome
}

function tell(workspace: Workspace, failed: Outcome['failed']): void {
  const notices = workspace.use(noticesSlice)
  const [first] = failed
  if (!first) return
  const detail = t('transfer.failure', { name: isolate(first.item.name), cause: failureReason(first.failure) })
  notices.fail(t('remove.failed', { count: failed.length }), detail)
}
