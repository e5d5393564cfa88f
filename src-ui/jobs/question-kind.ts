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

/** A file: bytes, and milliseconds since the epoch; NaN when unknown. */
type Side = { size: number; modified: number }

/** What is asked, and of a replacement the two files, as far as they are known. */
export type QuestionFacts = { kind: QuestionKind; coming?: Side | undefined; there?: Side | undefined }

/** @returns as a replacement what cannot be found out: then the server refuses what is impossible */
export async function factsOf(question: Question, ofJob: JobKind, signal: AbortSignal): Promise<QuestionFacts> {
  const { path, to } = question
  // The entries of the trash are known by their ids alone.
  const isRestored = ofJob === 'restore'
  const [there, coming] = await Promise.all([entryAt(to, signal), isRestored ? undefined : entryAt(path, signal)])
  const kind = kindOf(there?.isDir, coming?.isDir, isRestored)
  if (kind !== 'replace' || !there) return { kind }
  return { kind, there: sideOf(there), coming: isRestored ? await trashed(question, signal) : coming && sideOf(coming) }
}

function kindOf(there: boolean | undefined, coming: boolean | undefined, isRestored: boolean): QuestionKind {
  if (there === undefined) return 'replace'
  if (isRestored) return there ? 'makesWay' : 'replace'
  if (coming !== undefined && coming !== there) return 'mixed'
  return there ? 'merge' : 'replace'
}

type ListedEntry = { isDir: boolean; size: number; modified: string }

const sideOf = ({ size, modified }: ListedEntry): Side => ({ size, modified: Date.parse(modified) })

/** By its folder, as it may hold far more itself. @returns undefined when that is not known */
async function entryAt(path: string, signal: AbortSignal): Promise<ListedEntry | undefined> {
  const asked = call('GET /api/resources/*', { path: parentOf(path), signal, isBackground: true })
  const { items = [] } = await asked.catch(() => ({ items: [] }))
  return items.find(({ name }) => name === nameOf(path))
}

async function trashed({ path: id, to }: Question, signal: AbortSignal): Promise<Side | undefined> {
  const asked = call('GET /api/trash', { query: { path: to }, signal, isBackground: true })
  const { items } = await asked.catch(() => ({ items: [] }))
  const item = items.find((one) => one.id === id)
  return item && !item.isDir ? { size: item.size ?? Number.NaN, modified: item.modified ?? Number.NaN } : undefined
}
