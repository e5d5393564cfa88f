// What the person did, and taking it back.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** What a person did. `rename` stays in its folder, `move` does not; `save` replaces the content of a file. */
export const ActKind = Type.Union([
  Type.Literal('upload'),
  Type.Literal('newFolder'),
  Type.Literal('save'),
  Type.Literal('copy'),
  Type.Literal('rename'),
  Type.Literal('move'),
  Type.Literal('delete'),
  Type.Literal('restore'),
])
export type ActKind = Static<typeof ActKind>

/** `partly`: some of its changes were taken back. */
export const ActState = Type.Union([Type.Literal('done'), Type.Literal('undone'), Type.Literal('partly')])
export type ActState = Static<typeof ActState>

/** Why an act can be neither undone nor done again. */
export const WhyNot = Type.Union([
  /** It was deleted for good, or replaced without a trash. */
  Type.Literal('forGood'),
  /** What it needs is not in the trash any more: it was deleted for good, or taken out by another program. */
  Type.Literal('purged'),
  /** The same, as somebody has put it back. */
  Type.Literal('restored'),
  /** The content of what a link leads to was changed. */
  Type.Literal('throughLink'),
  /** Folders were merged while they went to another file system. */
  Type.Literal('mergedAcross'),
  /** It is not within the person's files any more. */
  Type.Literal('outside'),
  /** It has more than 100,000 changes. */
  Type.Literal('tooMany'),
  /** Some of its changes could not be kept, or were lost by a disk. */
  Type.Literal('lost'),
  /** Its entries went to another file system, and would come back by a job alone. */
  Type.Literal('across'),
  /** Its job is at work, which is stopped first. */
  Type.Literal('running'),
  /** After it was undone something else was done. */
  Type.Literal('newer'),
  /** The person lacks a right for it by now. */
  Type.Literal('forbidden'),
  /** Something would go into the trash, which is off. */
  Type.Literal('noTrash'),
])
export type WhyNot = Static<typeof WhyNot>

/** How an entry differs from what the act left, or why it cannot be changed. */
export const HowChanged = Type.Union([
  Type.Literal('missing'),
  /** The content of a file. */
  Type.Literal('changed'),
  /** Another entry has its name. */
  Type.Literal('replaced'),
  /** The name that it would get is taken. */
  Type.Literal('taken'),
  /** Its file system does not tell. */
  Type.Literal('cannotTell'),
  /** A folder that the act made holds something. */
  Type.Literal('notEmpty'),
  /** No space is left for what it needs. */
  Type.Literal('full'),
  Type.Literal('failed'),
  WhyNot,
])
export type HowChanged = Static<typeof HowChanged>

/** What was done by one person at once. Times are milliseconds since the epoch. */
export const Act = Type.Object({
  id: Type.String(),
  /** The `Holdall-Act` of its requests. */
  key: Type.String(),
  kind: ActKind,
  at: Type.Number(),
  /** Entries that the person chose, and the names of the first few. */
  count: Type.Integer(),
  names: Type.Array(Type.String()),
  /** Of the first, as a path of the person's own; '' when it is not within their files any more. */
  folder: Type.String(),
  state: ActState,
  /** What can be done with it. What broke off can only be continued. */
  mayUndo: Type.Boolean(),
  mayRedo: Type.Boolean(),
  /** It takes long: `POST /api/jobs` of kind `undo` does it, and the calls below do not. */
  byJob: Type.Optional(Type.Boolean()),
  /** It broke off. */
  begun: Type.Optional(Type.Union([Type.Literal('undo'), Type.Literal('redo')])),
  /** Why neither is possible. */
  why: Type.Optional(WhyNot),
})
export type Act = Static<typeof Act>

export const History = Type.Object({ acts: Type.Array(Act) })

/** `rest`: what is not as it was left is left out; else nothing is changed then. */
export const UndoBody = Type.Object({ rest: Type.Optional(Type.Boolean()) })

export const Undone = Type.Object({
  act: Act,
  /** How many changes were taken back, or made again. */
  done: Type.Integer(),
  /** What was left as it is, and why; paths are the person's own. */
  left: Type.Array(Type.Object({ path: Type.String(), how: HowChanged })),
  /** How many more were left than the 1000 that are listed. */
  more: Type.Optional(Type.Integer()),
})
export type Undone = Static<typeof Undone>

const ActParams = Type.Object({ id: Type.String() })

export const historyEndpoints = {
  /** The newest first. */
  'GET /api/history': { access: 'user', actions: ['read'], listing: History, limit: 'listings' },
  // 409 with the same answer when nothing was changed because something is not as it was left; 409 for what only a job undoes, and for
  // what a job still does; 507 when nothing was done because no space is left. A job that rests, and could go on, ends before its act is
  // undone.
  'POST /api/history/:id/undo': {
    access: 'user',
    actions: ['read'],
    params: ActParams,
    body: UndoBody,
    listing: Undone,
    limit: 'changes',
  },
  'POST /api/history/:id/redo': {
    access: 'user',
    actions: ['read'],
    params: ActParams,
    body: UndoBody,
    listing: Undone,
    limit: 'changes',
  },
} as const satisfies Record<string, Endpoint>
