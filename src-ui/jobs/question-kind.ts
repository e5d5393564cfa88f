// What a job asks about: whether one file replaces another, or two folders are merged.
import type { JobDetails, JobKind } from '../../src-server/contract/jobs.ts'
import { call } from '../api/http.ts'
import { nameOf, parentOf } from '../core/paths.ts'

/**
 * `mixed`: a file and a folder, neither of which can replace the other. `makesWay`: a folder, which goes into the trash for what comes back
 * from there.
 */
export type QuestionKind = 'replace' | 'merge' | 'mixed' | 'makesWay'

type Question = JobDetails['questions'][number]

/** @returns as a replacement what cannot be found out: then the server refuses what is impossible */
export async function questionKind({ path, to }: Question, kind: JobKind, signal: AbortSignal): Promise<QuestionKind> {
  // The entries of the trash are known by their ids alone.
  const [there, coming] = await Promise.all([isFolder(to, signal), kind === 'restore' ? undefined : isFolder(path, signal)])
  if (there === undefined) return 'replace'
  if (kind === 'restore') return there ? 'makesWay' : 'replace'
  if (coming !== undefined && coming !== there) return 'mixed'
  return there ? 'merge' : 'replace'
}

/** By its folder, as it may hold far more itself. @returns undefined when that is not known */
async function isFolder(path: string, signal: AbortSignal): Promise<boolean | undefined> {
  const asked = call('GET /api/resources/*', { path: parentOf(path), signal, isBackground: true })
  const { items = [] } = await asked.catch(() => ({ items: [] }))
  return items.find(({ name }) => name === nameOf(path))?.isDir
}
