import { actsSlice } from '../acts/acts.ts'
import { call, HttpFailure } from '../api/http.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isAnswerLost } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { pathIn } from '../core/paths.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { nameProblem } from './file-name.ts'
import { isMade } from './lost-answer.ts'

type Kind = 'newDir' | 'newFile'

/** The paths of what the server may have made, as its answer is lost. */
const lostSlice = slice('lostMakes', () => new Set<string>())

/** Makes a folder in the folder that is shown. @param typed is trimmed @returns an error message; undefined on success */
export const makeFolder = (workspace: Workspace, typed: string): Promise<string | undefined> => make(workspace, 'newDir', typed)

/** Makes an empty file in the folder that is shown. @param typed is trimmed @returns an error message; undefined on success */
export const makeFile = (workspace: Workspace, typed: string): Promise<string | undefined> => make(workspace, 'newFile', typed)

/** Makes a folder in any folder. @param typed is trimmed @returns an error message; undefined on success */
export async function makeFolderIn(workspace: Workspace, folder: string, typed: string): Promise<string | undefined> {
  const name = typed.trim()
  const problem = nameProblem(name, folder)
  if (problem) return t(problem.key, problem.params)
  return send(workspace, 'newDir', pathIn(folder, name.toWellFormed()))
}

async function make(workspace: Workspace, kind: Kind, typed: string): Promise<string | undefined> {
  const name = typed.trim()
  const entryView = workspace.use(entryViewSlice)
  const folder = entryView.currentPath.value
  const path = pathIn(folder, name.toWellFormed())
  // Tried again, as the answer was lost.
  const isThere = workspace.use(lostSlice).delete(path) && (await isMade(path, kind === 'newDir', workspace.signal))
  const problem = isThere ? undefined : nameProblem(name, folder, entryView.sortedEntries.value)
  if (problem) return t(problem.key, problem.params)
  const refused = isThere ? undefined : await send(workspace, kind, path)
  if (refused === undefined) void show(workspace, { kind, folder, path, name })
  return refused
}

async function send(workspace: Workspace, kind: Kind, path: string): Promise<string | undefined> {
  const { signal } = workspace
  const isFolder = kind === 'newDir'
  try {
    if (isFolder) await call('POST /api/resources/*', { path: `${path}/`, act: newAct(), signal })
    else await call('POST /api/resources/*', { path, content: '', act: newAct(), signal })
  } catch (failure) {
    const isLost = isAnswerLost(failure)
    if (!isLost || !(await isMade(path, isFolder, signal))) {
      if (isLost) workspace.use(lostSlice).add(path)
      return sentenceOf(kind, failure)
    }
  }
  void workspace.use(actsSlice).refreshQuietly()
  return undefined
}

async function show(
  workspace: Workspace,
  { kind, folder, path, name }: { kind: Kind; folder: string; path: string; name: string },
): Promise<void> {
  const notices = workspace.use(noticesSlice)
  const entryView = workspace.use(entryViewSlice)
  notices.announce(t(`prompts.${kind}.done`, { name: isolate(name) }))
  if (entryView.currentPath.value !== folder) return
  await entryView.refresh()
  entryView.showNew([path])
  entryView.reveal(path, 'quietly')
}

function sentenceOf(kind: Kind, failure: unknown): string {
  if (failure instanceof HttpFailure && failure.status === 403) return t(`prompts.${kind}.forbidden`)
  if (failure instanceof HttpFailure && failure.status === 409) return t('prompts.name.taken')
  return t(`prompts.${kind}.failed`, { cause: failureReason(failure) })
}
