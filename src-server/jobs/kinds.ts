// What a job does with one entry, by kind: one entry in this table for each.
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { nameOf, type Path } from '../base/paths.ts'
import type { LimitedKind } from '../contract/endpoint.ts'
import type { Undone } from '../contract/history.ts'
import type { JobKind, NameEncoding } from '../contract/jobs.ts'
import type { WorkTimes } from '../files/replaced.ts'
import type { WasRemoved } from '../files/resume-removal.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { AskedUndo, JobRecord } from '../state/job-store.ts'

/** An entry that is about to be worked on, with the person's own paths. */
export type EntryWork = Readonly<{
  from: Path
  /** The name that it gets; of kinds without a target, the same as `from`. */
  to: Path
  /** What has the name is replaced, or merged with. */
  override: boolean
  /** It was begun before, and broke off; what it was then. */
  before?: (WasRemoved & WorkTimes & Readonly<{ across?: number | undefined }>) | undefined
  algorithm: string
  /** Of a removal: see `JobBody`, and the id that the entry gets in the trash. */
  trash?: boolean | undefined
  item?: string | undefined
  undo?: AskedUndo | undefined
  /** Of the trash: folders of the served root on the devices of which the entries may be. */
  places?: readonly string[] | undefined
  /** To be called before a move makes copies: see `Transfer`. */
  onAcross?(): Promise<void>
  /** Of what makes an archive. */
  sources?: readonly Path[] | undefined
  format?: string | undefined
  /** Of archives that are extracted. */
  names?: NameEncoding | undefined
}>

/** What is about to get a name: its version or what identifies it, and the name where that is chosen as late as that. */
export type Named = Readonly<{ to?: Path; version?: string; identity?: string }>

type Means = Readonly<{
  operation: Operation
  undo: UndoAct
  /** That of the targets, of kinds that have one. */
  folder: Path
  /** Durable when it resolves. */
  noteGiven(given: Named): Promise<void>
}>

/** See `OwnHistory.undo`. @param hasBegun the same job may have done it already, and broke off */
export type UndoAct = (
  files: UserFiles,
  asked: AskedUndo & Readonly<{ hasBegun: boolean }>,
  operation: Operation,
) => Promise<unknown>

type Kind = Readonly<{
  /** Whether entries go into a folder, where their names may be taken. */
  hasTarget: boolean
  /** It counts as this kind of work, and takes no place among the jobs that change files. */
  limit?: LimitedKind
  /** Of what is counted beside the work how many bytes it has. */
  counted?: 'entries' | 'sources'
  /** Its work chooses the names. */
  namesItself?: true
  /** What has the name at the end is whole, or nothing of it has a name. */
  isWhole?: true
  /** Whether it has changed nothing, by what was found out. */
  isUnchanged?(value: unknown): boolean
  /** Ends what broke off and does not go on: what it has done is noted, so that it can be undone. @returns whether it is done */
  end?(files: UserFiles, work: EntryWork & Readonly<{ before: NonNullable<EntryWork['before']> }>): Promise<boolean>
  /** @returns what was found out, if anything */
  run(files: UserFiles, work: EntryWork, means: Means): Promise<unknown>
}>

export const kinds: Readonly<Record<JobKind, Kind>> = {
  copy: {
    hasTarget: true,
    counted: 'entries',
    run: (files, { from, to, override, before }) =>
      before
        ? files.resuming.copy(from, to, { override, ...timesOf(before) })
        : files.copy(from, to, { override, rename: false }),
    end: (files, { from, to, override, before }) => files.resuming.endCopy(from, to, { override, ...timesOf(before) }),
  },
  move: {
    hasTarget: true,
    counted: 'entries',
    run: (files, { from, to, override, before, onAcross }) =>
      before
        ? files.resuming.move(from, to, { override, was: before, across: before.across, onAcross, ...timesOf(before) })
        : files.move(from, to, { override, rename: false, onAcross, goesOn: true }),
    end: (files, { from, to, override, before }) =>
      files.resuming.endMove(from, to, { override, was: before, across: before.across, ...timesOf(before) }),
  },
  delete: {
    hasTarget: false,
    run: async (files, { from, trash, item, before }) => {
      const to = trash === undefined ? 'any' : trash ? 'trash' : 'nowhere'
      await (before ? files.resuming.remove(from, { to, was: before }) : files.remove(from, { to, item }))
    },
    end: (files, { from, before }) => files.resuming.endRemoval(from, before),
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
  restore: {
    hasTarget: true,
    isWhole: true,
    run: async (files, { from, to, override, before, places }) => {
      const id = nameOf(from)
      // It may have been put back by the run that broke off.
      const isBack = before && !(await files.trash.isThere(id, places)) && (await files.resuming.restore(id, to, before))
      if (!isBack) await files.trash.restoreAs(id, to, override)
    },
    end: async (files, { from, to, before, places }) => {
      const id = nameOf(from)
      return files.resuming.endRestore(id, to, before, await files.trash.isThere(id, places))
    },
  },
  purge: {
    hasTarget: false,
    run: async (files, { from, before, places }) => {
      const id = nameOf(from)
      if (!before || (await files.trash.isThere(id, places))) await files.trash.purge(id)
    },
  },
  undo: {
    hasTarget: false,
    isUnchanged: (value) => {
      const { done, left } = value as Undone
      return done === 0 && left.length > 0
    },
    run: async (files, { undo: asked, before }, { operation, undo }) =>
      asked && undo(files, { ...asked, hasBegun: before !== undefined }, operation),
  },
  compress: {
    hasTarget: true,
    counted: 'sources',
    isWhole: true,
    run: (files, { to, sources = [], format, before }, { noteGiven }) => {
      const onSealed = (version: string) => noteGiven({ version })
      return files.compress(to, { sources, format, sealedBefore: before?.version, onSealed })
    },
    end: (files, { to, sources = [], before }) => files.endCompress(to, { sources, sealedBefore: before.version }),
  },
  extract: {
    hasTarget: true,
    namesItself: true,
    isWhole: true,
    run: (files, { from, to, before, names }, { folder, noteGiven }) => {
      const { identity } = before ?? {}
      return files.extract(from, folder, {
        names,
        ...(identity !== undefined && { before: { to, identity } }),
        onGiving: noteGiven,
      })
    },
    end: async (files, { from, to, before: { identity } }) => identity !== undefined && files.endExtract(from, { to, identity }),
  },
  size: { hasTarget: false, limit: 'counting', run: (files, { from }) => files.size(from, () => {}) },
}

const timesOf = ({ at, rests }: WorkTimes): WorkTimes => ({ at, rests })

/** Whose devices a job takes places of: none of work with limits of its own. */
export function pathsAt({ kind, entries, to, places = entries }: JobRecord): string[] {
  return kinds[kind].limit ? [] : [...places, ...(to === undefined ? [] : [to])]
}

/** How a job waits for a place of its person. */
export function turnOf(kind: JobKind): { isOneByOne: boolean; isLimitedElsewhere: boolean } {
  return { isOneByOne: kind === 'undo', isLimitedElsewhere: kinds[kind].limit !== undefined }
}

/** Whether a job removes for good. */
export function makesSpace(record: JobRecord | undefined): boolean {
  return record?.kind === 'purge' || (record?.kind === 'delete' && record.trash === false)
}
