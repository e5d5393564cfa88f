import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf, parentOf, pathIn } from '../core/paths.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { nameProblem } from './file-name.ts'
import { offerUndo } from './offer-undo.ts'
import { type Step, undoSlice } from './undo.ts'

export type How = {
  /** Whether selection and focus move to the renamed entry; false when the user has moved on. */
  follow?: boolean
}

/** Renames an entry. @returns an error message; undefined on success */
export async function rename(
  workspace: Workspace,
  entry: Entry,
  typed: string,
  { follow = true }: How = {},
): Promise<string | undefined> {
  const tasks = workspace.use(tasksSlice)
  const entryView = workspace.use(entryViewSlice)
  const fileView = workspace.use(fileViewSlice)
  const name = typed.trim()
  if (name === entry.name) return undefined
  const folder = parentOf(entry.path)
  const problem = nameProblem(name, folder, entryView.sortedEntries.value)
  if (problem) return t(problem.key, problem.params)
  const path = pathIn(folder, name.toWellFormed())
  try {
    const query = { action: 'rename', destination: encodePath(path) }
    const label = t('prompts.rename.working', { name: isolate(entry.name) })
    await tasks.track({ label }, () => call('PATCH /api/resources/*', { path: entry.path, query, signal: workspace.signal }))
  } catch (failure) {
    return sentenceOf(failure)
  }
  const step: Step = { kind: 'rename', from: path, to: entry.path }
  workspace.use(undoSlice).record(step)
  offerUndo(workspace, t('prompts.rename.done', { name: isolate(name) }), { step, by: 'person' })
  if (fileView.file.peek()?.path === entry.path) fileView.renamed(entry.path, path)
  else if (entryView.currentPath.value === folder) await show(workspace, path, follow)
  return undefined
}

/**
 * Undoes or redoes a rename. A failure is reported.
 * @returns whether it succeeded
 */
export async function renameTo(
  workspace: Workspace,
  { from, to }: { from: string; to: string },
  by: 'undo' | 'redo',
): Promise<boolean> {
  const notices = workspace.use(noticesSlice)
  const entryView = workspace.use(entryViewSlice)
  try {
    const query = { action: 'rename', destination: encodePath(to) }
    const label = t('prompts.rename.working', { name: isolate(nameOf(from)) })
    const { signal } = workspace
    await workspace.use(tasksSlice).track({ label }, () => call('PATCH /api/resources/*', { path: from, query, signal }))
  } catch (failure) {
    notices.fail(t('prompts.rename.notDone', { name: isolate(nameOf(from)) }), failureReason(failure))
    return false
  }
  const step: Step = { kind: 'rename', from: to, to: from }
  workspace.use(undoSlice).record(step, by)
  const text = t(by === 'undo' ? 'prompts.rename.undone' : 'prompts.rename.done', { name: isolate(nameOf(to)) })
  offerUndo(workspace, text, { step, by })
  if (entryView.currentPath.value === parentOf(to)) await show(workspace, to, true)
  return true
}

async function show(workspace: Workspace, path: string, follow: boolean): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  await entryView.refresh()
  if (!follow) return
  entryView.showNew([path])
  entryView.reveal(path, 'quietly')
}

function sentenceOf(failure: unknown): string {
  if (failure instanceof HttpFailure && failure.status === 409) return t('prompts.name.taken')
  return t('prompts.rename.failed', { cause: failureReason(failure) })
}
