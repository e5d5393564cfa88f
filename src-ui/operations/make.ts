import { call, HttpFailure } from '../api/http.ts'
import { failureReason } from '../core/failure-reason.ts'
import { announce } from '../core/notices.ts'
import { isolate, t } from '../i18n/t.ts'
import { currentPath, refresh, reveal, showNew, sortedEntries } from '../listing/listing.ts'
import { nameProblem, pathIn } from './file-name.ts'

type Kind = 'newDir' | 'newFile'

/** Makes a folder in the one that is shown. @returns what was wrong, as a sentence; undefined when it stands. */
export const makeFolder = (name: string): Promise<string | undefined> => make('newDir', name)

/** Makes an empty file in the folder that is shown. @returns what was wrong, as a sentence; undefined when it stands. */
export const makeFile = (name: string): Promise<string | undefined> => make('newFile', name)

/** Makes a folder wherever. @returns what was wrong, as a sentence */
export async function makeFolderIn(folder: string, name: string): Promise<string | undefined> {
  const problem = nameProblem(name, folder)
  if (problem) return t(problem.key, problem.params)
  return send('newDir', pathIn(folder, name.toWellFormed()))
}

async function make(kind: Kind, name: string): Promise<string | undefined> {
  const folder = currentPath.value
  const problem = nameProblem(name, folder, sortedEntries.value)
  if (problem) return t(problem.key, problem.params)
  const path = pathIn(folder, name.toWellFormed())
  const refused = await send(kind, path)
  if (refused === undefined) void show({ kind, folder, path, name })
  return refused
}

async function send(kind: Kind, path: string): Promise<string | undefined> {
  try {
    if (kind === 'newDir') await call('POST /api/resources/*', { path: `${path}/` })
    else await call('POST /api/resources/*', { path, content: '' })
    return undefined
  } catch (failure) {
    return sentenceOf(kind, failure)
  }
}

async function show({ kind, folder, path, name }: { kind: Kind; folder: string; path: string; name: string }): Promise<void> {
  announce(t(`prompts.${kind}.done`, { name: isolate(name) }))
  if (currentPath.value !== folder) return
  await refresh()
  showNew([path])
  reveal(path, 'quietly')
}

function sentenceOf(kind: Kind, failure: unknown): string {
  if (failure instanceof HttpFailure && failure.status === 403) return t(`prompts.${kind}.forbidden`)
  if (failure instanceof HttpFailure && failure.status === 409) return t('prompts.name.taken')
  return t(`prompts.${kind}.failed`, { cause: failureReason(failure) })
}
