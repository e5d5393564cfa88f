import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { RawQuery, Resource } from './files.ts'
import { PreviewQuery, PreviewSize } from './previews.ts'
import { SearchQuery, SearchResult } from './search.ts'

/** The largest value of an expiry; the smallest is 0. */
export const largestExpiry = 2_147_483_647

/** The units of an expiry. Any other text counts as hours, as existing clients expect. */
export const expiryUnits = ['seconds', 'minutes', 'hours', 'days'] as const
export type ExpiryUnit = (typeof expiryUnits)[number]

const expiry = {
  /** Whole units from now on, 0 to 2,147,483,647; without it, or with '', the link is permanent. */
  expires: Type.Optional(Type.String()),
  /** `seconds`, `minutes`, `hours` (by default) or `days`. */
  unit: Type.Optional(Type.String()),
}

export const ShareQuery = Type.Object(expiry)

/** What a link is made with. Its fields win over those of the query. */
export const ShareBody = Type.Object({
  ...expiry,
  expires: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  /** Without it, or with '', whoever has the link may open it. */
  password: Type.Optional(Type.String({ maxLength: 1024 })),
  /** For the owner alone. */
  note: Type.Optional(Type.String({ maxLength: 500 })),
  /** After so many downloads the link ends. */
  mostDownloads: Type.Optional(Type.Integer({ minimum: 1, maximum: largestExpiry })),
})
export type ShareBody = Static<typeof ShareBody>

/** Changes of a link. What is absent stays as it is. */
export const ShareChanges = Type.Object({
  /** '' removes it. */
  password: Type.Optional(Type.String({ maxLength: 1024 })),
  note: Type.Optional(Type.String({ maxLength: 500 })),
})
export type ShareChanges = Static<typeof ShareChanges>

/** A public link, as its owner and administrators see it. */
export const Share = Type.Object({
  hash: Type.String(),
  /** From the scope of the caller; '' outside it. */
  path: Type.String(),
  userID: Type.Integer(),
  /** Seconds since the epoch; 0 for a permanent link. */
  expire: Type.Integer(),
  /** Of what is shared. */
  name: Type.String(),
  isDir: Type.Boolean(),
  /** Of the owner. */
  username: Type.String(),
  /** Seconds since the epoch. */
  created: Type.Integer(),
  hasPassword: Type.Boolean(),
  note: Type.String(),
  /** One of a visitor in an hour, as far as they are counted. */
  downloads: Type.Integer(),
  mostDownloads: Type.Optional(Type.Integer()),
  /** Of one that leads nowhere while what it shares is in the trash; `path` is the one from before. */
  inTrash: Type.Optional(Type.Literal(true)),
})
export type Share = Static<typeof Share>

/** What a link leads to. Paths count from the shared folder. */
export const SharedResource = Type.Intersect([
  Resource,
  Type.Object({
    hash: Type.String(),
    /** Seconds since the epoch; 0 for a permanent link. */
    expire: Type.Integer(),
    hasPassword: Type.Boolean(),
  }),
])
export type SharedResource = Static<typeof SharedResource>

/** What the server sends to the page of a link, at once and every 25 seconds. When the link has changed, it closes the socket. */
export const LinkMessage = Type.Object({ kind: Type.Literal('alive') })
export type LinkMessage = Static<typeof LinkMessage>

const Hash = Type.Object({ hash: Type.String() })
const SizeAndHash = Type.Object({ size: PreviewSize, hash: Type.String() })

export const shareEndpoints = {
  'GET /api/share/*': { access: 'user', actions: ['share', 'download'], listing: Type.Array(Share) },
  // The link that is there already when the caller has a permanent one and asks for another.
  'POST /api/share/*': {
    access: 'user',
    actions: ['share', 'download'],
    query: ShareQuery,
    body: ShareBody,
    reply: Share,
  },
  'GET /api/shares': { access: 'user', actions: ['share', 'download'], listing: Type.Array(Share) },
  'PATCH /api/share/:hash': {
    access: 'user',
    actions: ['share', 'download'],
    params: Hash,
    body: ShareChanges,
    reply: Share,
  },
  'DELETE /api/share/:hash': { access: 'user', actions: ['share', 'download'], params: Hash },

  // A link with a password needs it percent-encoded in `X-SHARE-PASSWORD`, or the cookie of an answer to that.
  // Below the hash: a path inside a shared folder. Names after the hash of a file do not count.
  'GET /api/public/share/:hash/*': { access: 'share', params: Hash, listing: SharedResource },
  'GET /api/public/dl/:hash/*': { access: 'share', params: Hash, query: RawQuery, cookie: true },
  'GET /api/public/preview/:size/:hash/*': { access: 'share', params: SizeAndHash, query: PreviewQuery, cookie: true },
  'GET /api/public/search/:hash/*': {
    access: 'share',
    params: Hash,
    query: SearchQuery,
    listing: Type.Array(SearchResult),
    limit: 'linkSearches',
  },
  'GET /api/public/live/:hash': { access: 'share', params: Hash, socket: true, tellsEnd: true, limit: 'linkSockets' },
} as const satisfies Record<string, Endpoint>
