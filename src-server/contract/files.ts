import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { Sorting } from './users.ts'

/** Only the exact text `true` counts, as existing clients expect. */
const Flag = Type.Optional(Type.String())

export const ResourceQuery = Type.Object({
  /** The name of an algorithm. */
  checksum: Type.Optional(Type.String()),
  /** `false` leaves out the text of a file. Clients that save the text that they received must not send it. */
  content: Type.Optional(Type.String()),
})
export const UploadQuery = Type.Object({ override: Flag })
export const TransferQuery = Type.Object({
  /** `copy` or `rename`. */
  action: Type.Optional(Type.String()),
  /** A URL path inside a query: decoded per segment once more. */
  destination: Type.Optional(Type.String()),
  override: Flag,
  rename: Flag,
})
export const RawQuery = Type.Object({ inline: Flag, auth: Type.Optional(Type.String()) })

/** Determined by the name in a listing, and by the content too in the answer for one file; '' for a folder. */
export const ResourceType = Type.Union([
  Type.Literal(''),
  Type.Literal('text'),
  Type.Literal('textImmutable'),
  Type.Literal('image'),
  Type.Literal('audio'),
  Type.Literal('video'),
  Type.Literal('pdf'),
  Type.Literal('blob'),
  Type.Literal('others'),
])
export type ResourceType = Static<typeof ResourceType>

/** One entry of a listing. */
export const ResourceItem = Type.Object({
  /** Canonical, from the principal's root. */
  path: Type.String(),
  name: Type.String(),
  /** Bytes. */
  size: Type.Number(),
  /** With its dot, in the case of the name; '' without one. */
  extension: Type.String(),
  /** RFC 3339 with nanoseconds, in the server's offset. */
  modified: Type.String(),
  /** Go's file-mode integer, which existing clients expect. */
  mode: Type.Integer(),
  isDir: Type.Boolean(),
  isSymlink: Type.Boolean(),
  type: ResourceType,
  /** Why the entry is listed but cannot be opened. */
  unreachable: Type.Optional(
    Type.Union([
      Type.Literal('outside'),
      Type.Literal('broken'),
      Type.Literal('special'),
      Type.Literal('name'),
      Type.Literal('unanswered'),
    ]),
  ),
  subtitles: Type.Optional(Type.Array(Type.String())),
})
export type ResourceItem = Static<typeof ResourceItem>

/** A file, or a folder with its items. Built field by field in files/resource.ts: filtering by this schema would double the time. */
export const Resource = Type.Intersect([
  ResourceItem,
  Type.Object({
    items: Type.Optional(Type.Array(ResourceItem)),
    numDirs: Type.Optional(Type.Integer()),
    numFiles: Type.Optional(Type.Integer()),
    sorting: Type.Optional(Sorting),
    /** Text of at most 10 MiB, for users who may download; left out when empty. */
    content: Type.Optional(Type.String()),
    checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
])
export type Resource = Static<typeof Resource>

export const fileEndpoints = {
  'GET /api/resources/*': { access: 'user', needs: ['see'], query: ResourceQuery, listing: Resource },
  'POST /api/resources/*': { access: 'user', needs: ['create'], query: UploadQuery, streamed: true, limit: 'writes' },
  'PUT /api/resources/*': { access: 'user', needs: ['modify'], streamed: true, limit: 'writes' },
  'PATCH /api/resources/*': { access: 'user', needs: ['rename'], query: TransferQuery },
  'DELETE /api/resources/*': { access: 'user', needs: ['delete'] },
  'GET /api/raw/*': { access: 'user', needs: ['download'], query: RawQuery, cookie: true },
} as const satisfies Record<string, Endpoint>
