import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { Description } from './previews.ts'
import { Sorting } from './users.ts'

/** Only the exact text `true` counts, as existing clients expect. */
const Flag = Type.Optional(Type.String())

export const ResourceQuery = Type.Object({
  /** The name of an algorithm. */
  checksum: Type.Optional(Type.String()),
  /** `false` leaves out the text of a file. Clients that save the text that they received must not send it. */
  content: Type.Optional(Type.String()),
  /**
   * The encoding of a text, or `auto` to detect it: the answer has the text of any file of at most 10 MiB, and names the encoding.
   * Only for clients that send the same name when they save the text.
   */
  encoding: Type.Optional(Type.String()),
  /** `true` adds the `resolution` of a picture, `camera` how it was taken, and `place` where. Each needs the right to download. */
  metadata: Flag,
  camera: Flag,
  place: Flag,
})
/** The body is UTF-8 and is stored in this encoding; without it the body is stored as it is. */
const StoredEncoding = Type.Optional(Type.String())
export const UploadQuery = Type.Object({ override: Flag, encoding: StoredEncoding })
export const SaveQuery = Type.Object({ encoding: StoredEncoding })
export const TransferQuery = Type.Object({
  /** `copy` or `rename`. */
  action: Type.Optional(Type.String()),
  /** A URL path inside a query: decoded per segment once more. */
  destination: Type.Optional(Type.String()),
  override: Flag,
  rename: Flag,
})
export const RemoveQuery = Type.Object({
  /**
   * `true`: into the trash or not at all. `false`: for good. Without it into the trash where there is one, else for good. An answer
   * about something that is in the trash names it in the header `Holdall-Trash`.
   */
  trash: Type.Optional(Type.String()),
})
export const RawQuery = Type.Object({
  inline: Flag,
  auth: Type.Optional(Type.String()),
  /** The format of the archive of a folder: `zip` (also `true`, '' and by default), `tar`, `targz`, … Ignored for a file. */
  algo: Type.Optional(Type.String()),
  /** Names below the folder, each a URL path, separated by commas: only these go into the archive. Ignored for a file. */
  files: Type.Optional(Type.String()),
  /** A ticket of `POST /api/archives`, for the root folder alone; `algo` and `files` are then ignored. */
  ticket: Type.Optional(Type.String()),
})

export const ArchiveBody = Type.Object({
  /** The folder that the names count from; the root by default. */
  folder: Type.Optional(Type.String()),
  /** At least one and at most 10,000, not encoded. The call counts them before it looks at them: millions fit in a body. */
  files: Type.Optional(Type.Unsafe<string[]>({ type: 'array' })),
  algo: Type.Optional(Type.String()),
})
/** Names the list for a minute, in `GET /api/raw/?ticket=`. */
export const ArchiveTicket = Type.Object({ ticket: Type.String() })
export const SubtitleQuery = Type.Object({ auth: Type.Optional(Type.String()) })

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
  Description,
  Type.Object({
    items: Type.Optional(Type.Array(ResourceItem)),
    numDirs: Type.Optional(Type.Integer()),
    numFiles: Type.Optional(Type.Integer()),
    sorting: Type.Optional(Sorting),
    /** Text of at most 10 MiB, for users who may download; left out when empty. */
    content: Type.Optional(Type.String()),
    /** That of `content`, only when the request names one. A byte-order mark is the first character of `content`. */
    encoding: Type.Optional(Type.String()),
    /** The text must not be saved: some of its bytes are not valid in the encoding, and would change. */
    isLossy: Type.Optional(Type.Literal(true)),
    checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Only of a folder from which nothing can go to the trash, with the reason: `off`, or a clause. */
    trash: Type.Optional(Type.Literal(false)),
    noTrash: Type.Optional(Type.String()),
  }),
])
export type Resource = Static<typeof Resource>

/** The space of the file system that holds a folder, in bytes; zeros for a file. */
export const Usage = Type.Object({ total: Type.Integer(), used: Type.Integer() })
export type Usage = Static<typeof Usage>

/** What a folder holds, at any depth. Links are counted, what they lead to is not. Blocked entries are left out. */
export const TreeSize = Type.Object({
  /** Of the files. */
  bytes: Type.Integer(),
  files: Type.Integer(),
  folders: Type.Integer(),
  /** Folders that could not be listed, so that the other numbers are too small. */
  unlisted: Type.Integer(),
})
export type TreeSize = Static<typeof TreeSize>

export const CountsQuery = Type.Object({
  /** Of folders in the folder, each as in an address, separated by commas; at most 100. */
  names: Type.Optional(Type.String()),
})

/** How many entries folders have. Those that are not cheap to count are left out. */
export const ItemCounts = Type.Object({
  counts: Type.Array(
    Type.Object({
      name: Type.String(),
      items: Type.Integer(),
      /** The folder has more than `items`. */
      hasMore: Type.Boolean(),
    }),
  ),
})
export type ItemCount = Static<typeof ItemCounts>['counts'][number]

export const fileEndpoints = {
  'GET /api/resources/*': { access: 'user', actions: ['read'], query: ResourceQuery, listing: Resource },
  'POST /api/resources/*': { access: 'user', actions: ['create'], query: UploadQuery, streamed: true, limit: 'bodies' },
  'PUT /api/resources/*': { access: 'user', actions: ['modify'], query: SaveQuery, streamed: true, limit: 'bodies' },
  'PATCH /api/resources/*': { access: 'user', actions: ['rename'], query: TransferQuery, limit: 'changes' },
  'DELETE /api/resources/*': { access: 'user', actions: ['delete'], query: RemoveQuery, limit: 'changes' },
  'GET /api/usage/*': { access: 'user', actions: ['read'], reply: Usage },
  'GET /api/size/*': { access: 'user', actions: ['read'], listing: TreeSize, limit: 'counting' },
  'GET /api/counts/*': { access: 'user', actions: ['read'], query: CountsQuery, reply: ItemCounts, limit: 'itemCounts' },
  // Room for 10,000 names in any way of writing them.
  'POST /api/archives': {
    access: 'user',
    actions: ['download'],
    body: ArchiveBody,
    largestBody: 8 * 2 ** 20,
    reply: ArchiveTicket,
    limit: 'listings',
  },
  'GET /api/raw/*': { access: 'user', actions: ['download'], query: RawQuery, cookie: true },
  'GET /api/subtitle/*': { access: 'user', actions: ['download'], query: SubtitleQuery, cookie: true, limit: 'subtitles' },
} as const satisfies Record<string, Endpoint>
