// Jobs: work of a person that the server does without a page.
import { type Static, Type } from 'typebox'

/** What a job does with each of its entries. */
export const JobKind = Type.Union([
  Type.Literal('copy'),
  Type.Literal('move'),
  Type.Literal('delete'),
  /** Of files. */
  Type.Literal('checksum'),
  /** Of what a folder holds, as `GET /api/size/`. */
  Type.Literal('size'),
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
