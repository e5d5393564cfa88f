// What is told of how far a run is, beside its work.
import type { Operation } from '../base/operation.ts'
import type { Job as JobReport } from '../contract/jobs.ts'
import type { UserFiles } from '../files/user-files.ts'
import { countEntries } from './count-entries.ts'
import { kinds } from './kinds.ts'
import type { RunRequest } from './names.ts'
import type { JobProgress } from './progress.ts'
import type { RunTally, TreeCount } from './tally.ts'

type CountingParts = Readonly<{
  request: RunRequest
  progress: JobProgress
  tally: RunTally
  /** Aborted at the end of the run. */
  over: AbortSignal
  onChange(): void
  withFiles(work: (files: UserFiles, operation: Operation) => Promise<void>): Promise<void>
}>

/** Counts what the entries hold, where the kind of work is counted. Without it less is said of how far the run is. */
export function countBeside({ request, progress, tally, over, onChange, withFiles }: CountingParts): void {
  const { counted } = kinds[request.kind]
  if (!counted) return
  const found = (entry: number, holds: TreeCount) => {
    if (over.aborted) return
    tally.expect(entry, holds)
    onChange()
  }
  const isKnown = (entry: number) => tally.knows(entry) || progress.hasEnded(entry)
  const work = async (files: UserFiles, operation: Operation) => {
    if (counted === 'entries') return countEntries(files, operation, { entries: request.entries, isKnown, found })
    const all = { files: 0, bytes: 0 }
    const add = (_source: number, holds: TreeCount) => {
      all.files += holds.files
      all.bytes += holds.bytes
    }
    await countEntries(files, operation, { entries: request.sources ?? [], isKnown: () => false, found: add })
    // The archive is the only entry.
    if (!isKnown(0)) found(0, all)
  }
  withFiles(work).catch(() => tally.countNoMore())
}

/** Of what does not go on now. */
export function figuresAtRest(tally: RunTally): JobReport['progress'] {
  const { speed: _speed, left: _left, ...figures } = tally.figures()
  return { ...figures, seconds: 0, name: '' }
}

/** Counts what the work on an entry tells. */
export function follow(operation: Operation, entry: number, tally: RunTally, onChange: () => void): void {
  operation.onProgress((progress) => {
    tally.report(entry, progress)
    onChange()
  })
  operation.onTransferred((bytes, name) => {
    tally.transferred(entry, bytes, name)
    onChange()
  })
}
