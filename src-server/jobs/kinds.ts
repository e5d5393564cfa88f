// What a job does with one entry, by kind: one entry in this table for each.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { LimitedKind } from '../contract/endpoint.ts'
import type { JobKind } from '../contract/jobs.ts'
import type { UserFiles } from '../files/user-files.ts'

/** An entry that is about to be worked on, with the person's own paths. */
export type EntryWork = Readonly<{
  from: Path
  /** The name that it gets; of kinds without a target, the same as `from`. */
  to: Path
  /** What has the name is replaced, or merged with. */
  override: boolean
  /** It was begun before, and broke off; what it was then. */
  before?: Readonly<{ version: string; isDir: boolean }> | undefined
  algorithm: string
}>

type Kind = Readonly<{
  /** Whether entries go into a folder, where their names may be taken. */
  hasTarget: boolean
  /** It counts as this kind of work, and takes no place among the jobs that change files. */
  limit?: LimitedKind
  /** @returns what was found out, if anything */
  run(files: UserFiles, work: EntryWork): Promise<unknown>
}>

/** Whether a removal that broke off would now remove something else. */
async function assertSame(files: UserFiles, { from, before }: EntryWork): Promise<boolean> {
  const entry = await files.look(from)
  if (!entry || !before) return entry !== undefined
  const isSame = entry.isDir === before.isDir && (entry.isDir || entry.version === before.version)
  if (!isSame) throw new Failure('conflict', 'the file has changed')
  return true
}

export const kinds: Readonly<Record<JobKind, Kind>> = {
  copy: {
    hasTarget: true,
    run: (files, { from, to, override, before }) =>
      before ? files.resumeCopy(from, to, { override }) : files.copy(from, to, { override, rename: false }),
  },
  move: {
    hasTarget: true,
    run: (files, { from, to, override, before }) =>
      before ? files.resumeMove(from, to, { override }) : files.move(from, to, { override, rename: false }),
  },
  delete: {
    hasTarget: false,
    run: async (files, work) => {
      // It is gone already when the removal broke off after its last step.
      if (work.before && !(await assertSame(files, work))) return
      await files.remove(work.from)
    },
  },
  checksum: {
    hasTarget: false,
    limit: 'hashing',
    run: async (files, { from, algorithm }) => {
      const found = await files.find(from)
      if (found.entry.isDir) throw new Failure('invalid', 'a folder has no checksum')
      const { checksums } = await files.open(from, { checksum: algorithm, content: false })
      return checksums?.[algorithm]
    },
  },
  size: { hasTarget: false, limit: 'counting', run: (files, { from }) => files.size(from, () => {}) },
}
