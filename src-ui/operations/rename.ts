import { reportDone } from '../acts/offer-undo.ts'
import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isAnswerLost } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { newAct } from '../core/own-acts.ts'
import { nameOf, parentOf, pathIn } from '../core/paths.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { nameProblem } from './file-name.ts'

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
  const act = newAct()
  try {
    const label = t('prompts.rename.working', { name: isolate(entry.name) })
    await tasks.track(() => send(workspace, { from: entry.path, to: path, entry, act }), label)
  } catch (failure) {
    return sentenceOf(failure)
  }
  reportDone(workspace, t('prompts.rename.done', { name: isolate(name) }), act)
  if (fileView.file.peek()?.path === entry.path) fileView.renamed(entry.path, path)
  else if (entryView.currentPath.value === folder) await show(workspace, path, follow)
  return undefined
}

type Sent = { from: string; to: string; entry: Entry; act: string }

/** Renames, also when the server has done it and its answer is lost. @throws HttpFailure */
async function send(workspace: Workspace, sent: Sent): Promise<void> {
  const { from, to, act } = sent
  const { signal } = workspace
  try {
    const query = { action: 'rename', destination: encodePath(to) }
    await call('PATCH /api/resources/*', { path: from, query, act, signal })
  } catch (failure) {
    if (!(await isDone(failure, sent, signal))) throw failure
  }
}

/** Whether the folder has the very entry under its new name, and nothing under the old one. */
async function isDone(failure: unknown, { from, to, entry }: Sent, signal: AbortSignal): Promise<boolean> {
  // The answer when the browser sends a rename again by itself.
  const isMissing = failure instanceof HttpFailure && failure.status === 404
  if (!isMissing && !isAnswerLost(failure)) return false
  const asked = { path: parentOf(to), query: { content: 'false' }, signal }
  const { items = [] } = await call('GET /api/resources/*', asked).catch(() => ({ items: [] }))
  const renamed = items.find(({ name }) => name === nameOf(to))
  const isGone = !items.some(({ name }) => name === nameOf(from))
  const { isDir, size, modified } = entry
  return isGone && renamed?.isDir === isDir && renamed.modified === modified && (isDir || renamed.size === size)
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
