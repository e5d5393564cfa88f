import { call, HttpFailure } from '../api/http.ts'
import { isolate, t } from '../i18n/t.ts'
import { nameProblem, pathIn } from '../state/file-name.ts'
import { here, order, refresh, reveal, showNew } from '../state/listing.ts'
import { announce } from '../state/notices.ts'

/** Makes a folder in the one that is shown. @returns what was wrong, as a sentence; undefined when it stands. */
export async function makeFolder(name: string): Promise<string | undefined> {
  const folder = here.value
  const problem = nameProblem(name, folder, order.value)
  if (problem) return t(problem.key, problem.params)
  const path = pathIn(folder, name.toWellFormed())
  try {
    await call('POST /api/resources/*', { path: `${path}/` })
  } catch (failure) {
    return sentenceOf(failure)
  }
  void show(path, name)
  return undefined
}

async function show(path: string, name: string): Promise<void> {
  announce(t('prompts.newDir.done', { name: isolate(name) }))
  await refresh()
  showNew([path])
  reveal(path, 'quietly')
}

function sentenceOf(failure: unknown): string {
  if (!(failure instanceof HttpFailure)) return t('prompts.newDir.failed', { cause: String(failure) })
  if (failure.status === 403) return t('prompts.newDir.forbidden')
  if (failure.status === 409) return t('prompts.name.taken')
  return t('prompts.newDir.failed', { cause: failure.message })
}
