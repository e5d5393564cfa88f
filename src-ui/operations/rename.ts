import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { failureReason } from '../core/failure-reason.ts'
import { announce } from '../core/notices.ts'
import { parentOf } from '../core/paths.ts'
import { trackTask } from '../core/tasks.ts'
import { isolate, t } from '../i18n/t.ts'
import { currentPath, refresh, reveal, showNew, sortedEntries } from '../listing/listing.ts'
import { nameProblem, pathIn } from './file-name.ts'

type How = {
  /** Selection and keyboard go along to the new name; not when one has gone on to something else. */
  follow?: boolean
}

/** Gives an entry another name. @returns what was wrong, as a sentence; undefined when it has the name */
export async function rename(entry: Entry, typed: string, { follow = true }: How = {}): Promise<string | undefined> {
  const name = typed.trim()
  if (name === entry.name) return undefined
  const folder = parentOf(entry.path)
  const problem = nameProblem(name, folder, sortedEntries.value)
  if (problem) return t(problem.key, problem.params)
  const path = pathIn(folder, name.toWellFormed())
  try {
    const query = { action: 'rename', destination: encodePath(path) }
    const label = t('prompts.rename.working', { name: isolate(entry.name) })
    await trackTask({ label }, () => call('PATCH /api/resources/*', { path: entry.path, query }))
  } catch (failure) {
    return sentenceOf(failure)
  }
  announce(t('prompts.rename.done', { name: isolate(name) }))
  if (currentPath.value === folder) await show(path, follow)
  return undefined
}

async function show(path: string, follow: boolean): Promise<void> {
  await refresh()
  if (!follow) return
  showNew([path])
  reveal(path, 'quietly')
}

function sentenceOf(failure: unknown): string {
  if (failure instanceof HttpFailure && failure.status === 409) return t('prompts.name.taken')
  return t('prompts.rename.failed', { cause: failureReason(failure) })
}
