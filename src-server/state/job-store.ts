// What lasts of jobs: what was asked for, how far it is, and a short head of each. Files are the first form of it: `job-files.ts`.
import { type Static, Type } from 'typebox'
import { JobKind, JobState, NameEncoding, WhenTaken } from '../contract/jobs.ts'

const Count = Type.Integer({ minimum: 0 })

/** What is undone, or done again: see `JobBody`. */
export const AskedUndo = Type.Object({ act: Type.String(), redo: Type.Boolean(), rest: Type.Boolean() })
export type AskedUndo = Readonly<Static<typeof AskedUndo>>

/** What was asked for, written once. Paths are those of the served root. Times are milliseconds since the epoch. */
export const JobRecord = Type.Object({
  /** The key of the job: whose it is and the id that the client made. */
  key: Type.String(),
  kind: JobKind,
  userId: Type.Integer(),
  /** The access with which it was begun: see `AccessRevocation.holdPerson`. */
  epoch: Count,
  scope: Type.String(),
  /** From where it was started; '' over a unix socket. */
  address: Type.String(),
  /** Whether its changes are kept, so that they can be undone: it is an act of its own. */
  isAct: Type.Optional(Type.Boolean()),
  entries: Type.Array(Type.String()),
  /** What people see of it, where it is not the first entry; a path of the served root. */
  first: Type.Optional(Type.String()),
  /** Folders that it changes, at least one on each device: where the entries are no paths. */
  places: Type.Optional(Type.Array(Type.String())),
  /** The folder of the targets. */
  to: Type.Optional(Type.String()),
  taken: Type.Optional(WhenTaken),
  /** The same for single entries, by their paths. */
  choices: Type.Optional(Type.Record(Type.String(), WhenTaken)),
  algorithm: Type.Optional(Type.String()),
  /** Of a removal: see `JobBody`. */
  trash: Type.Optional(Type.Boolean()),
  undo: Type.Optional(AskedUndo),
  /** Of an archive that is made, which is the only entry: what goes into it, and the name of its format. */
  sources: Type.Optional(Type.Array(Type.String())),
  format: Type.Optional(Type.String()),
  /** Of archives that are extracted: see `JobBody`. */
  names: Type.Optional(NameEncoding),
  startedAt: Type.Number(),
})
export type JobRecord = Readonly<Static<typeof JobRecord>>

/** What is in memory of each job, whether it runs or not. */
export const JobHead = Type.Object({
  key: Type.String(),
  kind: JobKind,
  userId: Type.Integer(),
  epoch: Count,
  scope: Type.String(),
  state: JobState,
  /** Entries: all, and those of each outcome. */
  entries: Count,
  done: Count,
  failed: Count,
  skipped: Count,
  /** Those that are asked about. */
  asked: Type.Optional(Count),
  /** Those that are done and have changed nothing. */
  unchanged: Type.Optional(Count),
  /** The first entry and the folder of the targets, as paths of the served root. */
  first: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  /** The act that is undone, or done again. */
  act: Type.Optional(Type.String()),
  redo: Type.Optional(Type.Literal(true)),
  /** Of a removal: only into the trash, or for good. */
  trash: Type.Optional(Type.Boolean()),
  /** Stands for the request, so that another one under the same id is noticed. */
  digest: Type.String(),
  startedAt: Type.Number(),
  /** Of the last change of `state`. */
  changedAt: Type.Number(),
})
export type JobHead = Readonly<Static<typeof JobHead>>

const Failed = Type.Object({
  code: Type.String(),
  /** The sentence, with `{{name}}` for each parameter. */
  template: Type.String(),
  about: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
})

/** What failed of a folder, of which the rest is done, with paths of the person; `more`: how many are not named. */
const FailedInside = Type.Object({ entries: Type.Array(Type.Object({ path: Type.String(), why: Failed })), more: Count })

/** The number of an entry in the record. */
const Entry = Count

/** One step of progress. */
export const JobLine = Type.Union([
  /**
   * Written before anything of the entry changes: its version at that moment, and the name that it gets. An entry that has begun and has
   * no outcome is compared with what is there before it is done again.
   */
  Type.Object({
    begun: Entry,
    version: Type.String(),
    isDir: Type.Boolean(),
    /** Of a removal: what identifies a folder or a link, and the id that the entry gets in the trash. */
    identity: Type.Optional(Type.String()),
    item: Type.Optional(Type.String()),
    /** Of a file of the trash, in bytes. */
    size: Type.Optional(Type.Number()),
    /**
     * When it was begun, in milliseconds since the epoch by the system's clock: what is stamped earlier is none of its copies. Of what
     * gets a name, by this version of the program.
     */
    at: Type.Optional(Type.Number()),
    to: Type.Optional(Type.String()),
    /** What has that name is replaced, or merged with. */
    replaces: Type.Optional(Type.Literal(true)),
    /** What identifies the half copy at that name which is gone on with. */
    half: Type.Optional(Type.String()),
  }),
  /** Its move goes to another file system: from that moment on, of the same clock as `at` of `begun`, it makes copies. */
  Type.Object({ across: Entry, at: Type.Number() }),
  /** A question waits since then. `to`: the name that is taken, where the entry does not say it. */
  Type.Object({ asked: Entry, at: Type.Number(), to: Type.Optional(Type.String()) }),
  /** How the question of an entry was answered; with `all` those of all that are still to come too. */
  Type.Object({ answered: Entry, taken: WhenTaken, all: Type.Optional(Type.Literal(true)) }),
  /** `value`: what was found out, of a checksum or a size. `isUnchanged`: nothing could be changed, as it says. */
  Type.Object({ done: Entry, value: Type.Optional(Type.Unknown()), isUnchanged: Type.Optional(Type.Literal(true)) }),
  /** `half`: identifies what of it is at its target, which is gone on with when it is retried. */
  Type.Object({ failed: Entry, why: Failed, half: Type.Optional(Type.String()), inside: Type.Optional(FailedInside) }),
  Type.Object({ skipped: Entry }),
  /** What has failed is to be done again. */
  Type.Object({ retried: Type.Literal(true) }),
  /** It rested between two moments, in milliseconds since the epoch by the system's clock: what was made then is none of its copies. */
  Type.Object({ rested: Type.Number(), until: Type.Number() }),
])
export type JobLine = Readonly<Static<typeof JobLine>>

/** Keeps jobs. Of one key, calls act in their order. Each method may fail with the errno of what failed. */
export interface JobStore {
  /**
   * The heads of all jobs, once, before anything else is called. A job whose head was lost is `interrupted`. The counts of one that was at
   * work are those of its progress.
   */
  open(): Promise<JobHead[]>
  /** Adds a job with its progress so far: it is known with all of that or not at all. Durable when it resolves. */
  add(record: JobRecord, head: JobHead, lines?: readonly JobLine[]): Promise<void>
  /** @returns undefined when there is none, or it cannot be read */
  record(key: string): Promise<JobRecord | undefined>
  /** The progress so far, the oldest first. */
  lines(key: string): Promise<JobLine[]>
  /** @param isDurable whether it survives a power failure when this resolves */
  append(key: string, lines: readonly JobLine[], isDurable: boolean): Promise<void>
  /** Replaces the progress; durable when it resolves. */
  replace(key: string, lines: readonly JobLine[]): Promise<void>
  /** Replaces the head. @param isDurable as for `append` */
  setHead(head: JobHead, isDurable: boolean): Promise<void>
  /** Nothing is appended for some time: what is held open is given back. */
  rest(key: string): Promise<void>
  /** Removes a job with all that is known of it. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}
