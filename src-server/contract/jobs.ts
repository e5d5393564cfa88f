// Jobs: work of a person that the server does without a page.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import type { Refusal } from './refusals.ts'

/** What a job does with each of its entries. */
export const JobKind = Type.Union([
  Type.Literal('copy'),
  Type.Literal('move'),
  Type.Literal('delete'),
  /** Of files. */
  Type.Literal('checksum'),
  /** Of what a folder holds, as `GET /api/size/`. */
  Type.Literal('size'),
  /** Of entries of the trash, by their ids, as `POST /api/trash/restore` and `DELETE /api/trash`. */
  Type.Literal('restore'),
  Type.Literal('purge'),
  /** Of an act of the history, as `POST /api/history/:id/undo`; the only value found out is its answer. */
  Type.Literal('undo'),
  /** Makes an archive, which is the only entry. */
  Type.Literal('compress'),
  /** Of archives: into a new folder each, unless all is in one entry already. A taken name always gets a number. */
  Type.Literal('extract'),
])
export type JobKind = Static<typeof JobKind>

/** What is done where the target name is taken: the next free name, replacing and merging, leaving the entry out, or a question. */
export const WhenTaken = Type.Union([Type.Literal('ask'), Type.Literal('number'), Type.Literal('replace'), Type.Literal('skip')])
export type WhenTaken = Static<typeof WhenTaken>

/**
 * `asking`: only entries with a question are left. `interrupted`: the server has ended meanwhile; it goes on when it is told so.
 * `cancelling`: what runs has not ended yet. `ended`: nothing is left to do, which does not say that nothing has failed.
 */
export const JobState = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('running'),
  Type.Literal('pausing'),
  Type.Literal('paused'),
  Type.Literal('asking'),
  Type.Literal('interrupted'),
  Type.Literal('cancelling'),
  Type.Literal('cancelled'),
  Type.Literal('ended'),
])
export type JobState = Static<typeof JobState>

/** What the names in an archive may be that are not UTF-8. */
export const NameEncoding = Type.Union([
  Type.Literal('cp437'),
  Type.Literal('shift_jis'),
  Type.Literal('gbk'),
  Type.Literal('windows-1251'),
])
export type NameEncoding = Static<typeof NameEncoding>
export const nameEncodings: readonly NameEncoding[] = NameEncoding.anyOf.map((one) => one.const)

/** How many entries what asks for a job may name, and its bytes. */
export const mostEntries = 10_000
const largestJob = 4 * 2 ** 20

/** What asks for a job. Paths are the person's own, not encoded. */
export const JobBody = Type.Object({
  /** Made by the client: the same request given twice is one job. */
  id: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  entries: Type.Optional(Type.Unsafe<string[]>({ type: 'array' })),
  /**
   * Of a purge, in place of entries: all of this installation that the person may delete for good, as the trash is when the job is made.
   * What comes into it later stays.
   */
  all: Type.Optional(Type.Boolean()),
  /** The folder into which entries are copied, moved or extracted. */
  to: Type.Optional(Type.String()),
  /** What is done where a name is taken; `ask` by default. */
  taken: Type.Optional(Type.String()),
  /** The same for single entries, by their paths. */
  choices: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object' })),
  /**
   * Of a removal: only into the trash (`true`), or for good (`false`). Without it, as `DELETE /api/resources`: into the trash where there
   * is one, else for good.
   */
  trash: Type.Optional(Type.Boolean()),
  /** Of an undo, which has no entries: the act, whether it is done again, and as `UndoBody`. */
  act: Type.Optional(Type.String()),
  redo: Type.Optional(Type.Boolean()),
  rest: Type.Optional(Type.Boolean()),
  /** Of a checksum. */
  algorithm: Type.Optional(Type.String()),
  /**
   * Of an archive that is made of the entries in the folder `to`: its name, with the ending of its format, and the format, as the
   * `algo` of downloads. A taken name always gets a number.
   */
  name: Type.Optional(Type.String()),
  format: Type.Optional(Type.String()),
  /**
   * Of archives that are extracted: what the names are that are not said to be UTF-8, one of `nameEncodings`. Without it an archive with
   * names that are not UTF-8 is refused, and the refusal has some of them as each of these (`params`, by lines), and which is likely.
   */
  names: Type.Optional(Type.String()),
})

/** A job, as lists and pages know it. Times are milliseconds since the epoch. */
export const Job = Type.Object({
  id: Type.String(),
  kind: JobKind,
  state: JobState,
  /** The path of the first entry, and the folder of the targets. Of an archive that is made, its own path as it was asked for. */
  first: Type.String(),
  to: Type.Optional(Type.String()),
  /** Of an undo; `redo`: it is done again. */
  act: Type.Optional(Type.String()),
  redo: Type.Optional(Type.Literal(true)),
  /** Of a removal, as it was asked for: see `JobBody`. */
  trash: Type.Optional(Type.Boolean()),
  /** How many were named, how many of these have each outcome, and how many are asked about. */
  entries: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  asked: Type.Integer(),
  /** Of those that are done, if any: nothing was changed, as its value says why. Only of an undo. */
  unchanged: Type.Optional(Type.Integer()),
  startedAt: Type.Number(),
  /** Of the last change of its state. */
  changedAt: Type.Number(),
  /** While it runs and, until the server ends, while it rests. */
  progress: Type.Optional(
    Type.Object({
      /** Entries at any depth that are done, and how many there are as far as it is known: more by and by while `isCounting`. */
      files: Type.Integer(),
      ofFiles: Type.Integer(),
      isCounting: Type.Optional(Type.Literal(true)),
      /** Of files that are done, and of all: once that is known. */
      bytes: Type.Integer(),
      ofBytes: Type.Optional(Type.Integer()),
      /** Bytes a second in the last seconds, and seconds that are left: as far as they can be told. */
      speed: Type.Optional(Type.Integer()),
      left: Type.Optional(Type.Integer()),
      /** Bytes of files that were stopped before they were whole: they are copied again. */
      again: Type.Optional(Type.Integer()),
      /** For which it has been running; 0 while it rests. */
      seconds: Type.Number(),
      /** Of an entry that is being worked on, also one in a folder; '' before the first. */
      name: Type.String(),
    }),
  ),
})
export type Job = Static<typeof Job>

const Reason = Type.Object({
  path: Type.String(),
  /** The entry that was named, where this one is in it and the rest of it is done. */
  of: Type.Optional(Type.String()),
  code: Type.String(),
  message: Type.String(),
  /** For which the page has its own words. */
  refusal: Type.Optional(Type.Unsafe<Refusal>({ type: 'object' })),
})

/** What is to be said of single entries, besides that they are done. Those of the trash have their ids in place of paths. */
export const JobDetails = Type.Object({
  ...Job.properties,
  /** The target name of an entry is taken. */
  questions: Type.Array(Type.Object({ question: Type.String(), path: Type.String(), to: Type.String() })),
  failures: Type.Array(Reason),
  /** How many entries in folders have failed besides. */
  moreFailures: Type.Optional(Type.Integer()),
  /** Entries that were left out because their name was taken and, of a job that was cancelled, those that it did not come to. */
  leftOut: Type.Array(Type.String()),
  /** Entries that got another name than their own; of the trash all, with where they are. */
  renamed: Type.Array(Type.Object({ path: Type.String(), to: Type.String() })),
  /** What was found out: a checksum as a text, or what a folder holds. */
  values: Type.Array(Type.Object({ path: Type.String(), value: Type.Unknown() })),
})
export type JobDetails = Static<typeof JobDetails>

/** `continue` is `resume` of an interrupted job, `retry` does again what has failed. */
export const JobChange = Type.Object({
  action: Type.Optional(Type.String()),
  /** With `answer`: the question, and what is done; with `all` for all further taken names too. */
  question: Type.Optional(Type.String()),
  taken: Type.Optional(Type.String()),
  all: Type.Optional(Type.Boolean()),
})

const JobParams = Type.Object({ id: Type.String() })

export const jobEndpoints = {
  // 200 with the details of a job that has ended already, else 202.
  'POST /api/jobs': {
    access: 'user',
    actions: ['read'],
    body: JobBody,
    largestBody: largestJob,
    listing: JobDetails,
    limit: 'jobs',
  },
  'GET /api/jobs': { access: 'user', actions: ['read'], listing: Type.Object({ jobs: Type.Array(Job) }) },
  'GET /api/jobs/:id': { access: 'user', actions: ['read'], params: JobParams, listing: JobDetails, limit: 'listings' },
  'PATCH /api/jobs/:id': { access: 'user', actions: ['read'], params: JobParams, body: JobChange, listing: Job, limit: 'jobs' },
  'DELETE /api/jobs/:id': { access: 'user', actions: ['read'], params: JobParams, limit: 'jobs' },
} as const satisfies Record<string, Endpoint>
