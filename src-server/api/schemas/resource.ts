import { type Static, Type } from 'typebox'
import { Sorting } from './user.ts'

/** By name in a listing, by content too in the answer for one file; '' for a folder. */
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

/** One thing in a listing. */
export const ResourceItem = Type.Object({
  /** From the visitor's scope root; canonical. */
  path: Type.String(),
  name: Type.String(),
  /** Bytes. */
  size: Type.Number(),
  /** With the dot, case kept; '' without one. */
  extension: Type.String(),
  /** RFC 3339 with nanoseconds, in the server's offset. */
  modified: Type.String(),
  /** Go's file-mode integer, which existing clients expect. */
  mode: Type.Integer(),
  isDir: Type.Boolean(),
  isSymlink: Type.Boolean(),
  type: ResourceType,
  /** Why it is shown but cannot be opened. */
  unreachable: Type.Optional(
    Type.Union([Type.Literal('outside'), Type.Literal('broken'), Type.Literal('special'), Type.Literal('name')]),
  ),
  subtitles: Type.Optional(Type.Array(Type.String())),
})
export type ResourceItem = Static<typeof ResourceItem>

/** A file, or a folder with its items. Built field by field in files/resource.ts, never filtered by this schema: it would double the time. */
export const Resource = Type.Intersect([
  ResourceItem,
  Type.Object({
    items: Type.Optional(Type.Array(ResourceItem)),
    numDirs: Type.Optional(Type.Integer()),
    numFiles: Type.Optional(Type.Integer()),
    sorting: Type.Optional(Sorting),
    /** Text of at most 1 MiB, for who may download; left out when empty. */
    content: Type.Optional(Type.String()),
    checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
])
export type Resource = Static<typeof Resource>
