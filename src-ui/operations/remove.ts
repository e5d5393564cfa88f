import { call } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { isSignedOut, isUnreached, unlessGone } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { reportFailed } from './report.ts'
import { recordFinal } from './undo.ts'

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
  const entryView = workspace.use(entryViewSlice)
  const fileView = workspace.use(fileViewSlice)
  const before = entryView.sortedEntries.value
  const gone: Item[] = []
  const removeOne = async (item: Item) => {
    await call('DELETE /api/resources/*', { path: item.path, signal: workspace.signal }).catch(unlessGone)
    gone.push(item)
  }
  try {
    const label = t('remove.working', { count: items.length })
    const { failed, stopped } = await workspace.use(tasksSlice).each(items, removeOne, { label, stopping })
    // Before the folder is listed again: Ctrl+Z must not undo the change before this one.
    if (gone.length > 0) recordFinal(workspace, 'undo.deleted')
    then()
    const shown = gone.find(({ path }) => path === fileView.file.peek()?.path)
    if (shown) fileView.removed(shown.path)
    else await entryView.refresh()
    if (failed.length > 0) reportFailed(workspace, t('remove.failed', { count: failed.length }), failed)
    else if (!shown) entryView.focusNeighbour(before, new Set(gone.map(({ path }) => path)))
    // Whoever stopped it, or lost the connection, cannot see how far it came.
    const said = t('remove.done', { count: gone.length })
    if (stopped.length > 0 || (gone.length > 0 && failed.some(({ failure }) => isUnreached(failure)))) notices.succeed(said)
    else if (gone.length > 0) notices.announce(said)
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
  }
}
