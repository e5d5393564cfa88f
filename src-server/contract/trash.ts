// Entries that were deleted or replaced, and can be put back.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { ResourceType } from './files.ts'
import { WhenTaken } from './jobs.ts'
import { PreviewQuery, PreviewSize } from './previews.ts'

/** How many entries one request may name, and how many one answer lists. */
export const mostTrashItems = 10_000
export const mostListedTrash = 1000

const Flag = Type.Optional(Type.String())

export const TrashQuery = Type.Object({
  /** What they are sorted by: `date` (by default), `name` or `size`. */
  by: Type.Optional(Type.Union([Type.Literal('date'), Type.Literal('name'), Type.Literal('size')])),
  /** `asc`, or `desc` (by default). */
  order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  /** Words, and texts in quotes: each must occur in the path that they had, in any case and with or without accents. */
  filter: Type.Optional(Type.String({ maxLength: 1024 })),
  /** The path of one entry, not encoded: only its replaced versions and what was deleted there. */
  path: Type.Optional(Type.String({ maxLength: 32_768 })),
  /** How many to leave out, and how many to answer at the most (200 by default), in digits. */
  from: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$' })),
})

/** An entry of the trash. Times are milliseconds since the epoch. */
export const TrashItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** That it had, as a path of the person's own. */
  path: Type.String(),
  isDir: Type.Boolean(),
  /** Bytes; of a folder null until they are counted, and for whom the rules may hide something in it. */
  size: Type.Union([Type.Integer(), Type.Null()]),
  type: ResourceType,
  /** Of a file: when its content was changed last, where that is known. */
  modified: Type.Optional(Type.Number()),
  deletedAt: Type.Number(),
  /** When it goes for good; null of what is of another installation, of which nothing goes by itself. */
  dueAt: Type.Union([Type.Number(), Type.Null()]),
  /** Who deleted or replaced it: the name of that time. */
  by: Type.String(),
  /** Whether it was deleted, or another content took its place. */
  why: Type.Union([Type.Literal('delete'), Type.Literal('replace')]),
  /** Whether this person may delete it for good. */
  mayPurge: Type.Boolean(),
  /** Of another installation that uses, or has used, the same folders: only administrators see it. */
  isOthers: Type.Optional(Type.Literal(true)),
})
export type TrashItem = Static<typeof TrashItem>

export const TrashList = Type.Object({
  items: Type.Array(TrashItem),
  /** How many match, and their bytes as far as they are counted. */
  total: Type.Integer(),
  bytes: Type.Integer(),
  /** Those of them that this person may delete for good, without what is of other installations. */
  own: Type.Object({ items: Type.Integer(), bytes: Type.Integer() }),
  /** For how many days something is kept. */
  days: Type.Integer(),
  /** Whether what is deleted goes into the trash now. */
  isOn: Type.Boolean(),
  /** To administrators, while none of them has taken note that a delete does not free space any more: then the setting is turned off. */
  isNews: Type.Optional(Type.Literal(true)),
})
export type TrashList = Static<typeof TrashList>

/** Why one entry was left as it was. */
const TrashFailure = Type.Object({ id: Type.String(), code: Type.String(), message: Type.String() })

export const RestoreBody = Type.Object({
  items: Type.Optional(Type.Unsafe<string[]>({ type: 'array' })),
  /** What is done where the name is taken by now; `ask` by default: the entry stays, and the answer says so. */
  taken: Type.Optional(WhenTaken),
})
export const Restored = Type.Object({
  restored: Type.Array(Type.Object({ id: Type.String(), path: Type.String() })),
  /** Entries whose name is taken. */
  taken: Type.Array(Type.Object({ id: Type.String(), path: Type.String() })),
  failures: Type.Array(TrashFailure),
})
export type Restored = Static<typeof Restored>

/** Entries by their ids, or all of this installation that this person may delete for good. */
export const PurgeBody = Type.Object({
  items: Type.Optional(Type.Unsafe<string[]>({ type: 'array' })),
  all: Type.Optional(Type.Boolean()),
})
export const Purged = Type.Object({ purged: Type.Integer(), failures: Type.Array(TrashFailure) })
export type Purged = Static<typeof Purged>

const ItemParams = Type.Object({ id: Type.String() })

export const trashEndpoints = {
  'GET /api/trash': { access: 'user', actions: ['download', 'create'], query: TrashQuery, reply: TrashList, limit: 'listings' },
  'POST /api/trash/restore': {
    access: 'user',
    actions: ['download', 'create'],
    body: RestoreBody,
    reply: Restored,
    limit: 'changes',
  },
  'DELETE /api/trash': {
    access: 'user',
    actions: ['download', 'create', 'delete'],
    body: PurgeBody,
    reply: Purged,
    limit: 'changes',
  },
  /** The content of a file. */
  'GET /api/trash/raw/:id': {
    access: 'user',
    actions: ['download', 'create'],
    params: ItemParams,
    query: Type.Object({ inline: Flag, auth: Type.Optional(Type.String()) }),
    cookie: true,
  },
  /** A smaller picture of an image, as `GET /api/preview/:size/*` makes it. */
  'GET /api/trash/preview/:size/:id': {
    access: 'user',
    actions: ['download', 'create'],
    params: Type.Object({ size: PreviewSize, id: Type.String() }),
    query: PreviewQuery,
    cookie: true,
  },
} as const satisfies Record<string, Endpoint>
