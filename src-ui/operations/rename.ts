import { reportDone } from '../acts/offer-undo.ts'
import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { newAct } from '../core/own-acts.ts'
import { parentOf, pathIn } from '../core/paths.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { nameProblem } from './file-name.ts'
import { isMoved } from './lost-answer.ts'

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
    await tasks.track(() => send(workspace, { from: entry.path, to: path, item: entry, act }), label)
  } catch (failure) {
    return sentenceOf(failure)
  }
  reportDone(workspace, t('prompts.rename.done', { name: isolate(name) }), act)
  if (fileView.file.peek()?.path === entry.path) fileView.renamed(entry.path, path)
  else if (entryView.currentPath.value === folder) await show(workspace, path, follow)
  return undefined
}

type Sent = { from: string; to: string; item: Entry; act: string }

/** Renames, also when the server has done it and its answer is lost. @throws HttpFailure */
async function send(workspace: Workspace, sent: Sent): Promise<void> {
  const { from, to, act } = sent
  const { signal } = workspace
  try {
    const query = { action: 'rename', destination: encodePath(to) }
    await call('PATCH /api/resources/*', { path: from, query, act, signal })
  } catch (failure) {
    if (!(await isMoved(failure, sent, signal))) throw failure
  }
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
