import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { ResourceItem } from './files.ts'

export const SearchQuery = Type.Object({
  /**
   * Words, and texts in double quotes, all of which the name must contain; case and accents do not count. Filters:
   * `type:image|audio|music|video|folder|file` or an extension, of which one must fit; `size:>10M`, `size:1M..2G`; `changed:<7d`,
   * `changed:2024-05`; `case:sensitive`. At most 1,000 characters and 16 words. Nothing is found for ''.
   */
  query: Type.Optional(Type.String()),
})

/** Something that was found. */
export const SearchResult = Type.Intersect([
  Type.Omit(ResourceItem, ['path', 'isDir', 'subtitles']),
  Type.Object({
    dir: Type.Boolean(),
    /** From the searched folder, without a slash at its beginning. */
    path: Type.String(),
    /** The parts of the name that match words, as where each begins and ends in UTF-16 units. */
    marks: Type.Optional(Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]))),
  }),
])
export type SearchResult = Static<typeof SearchResult>

/** Why there may be more than was found: 10,000 results, 30 seconds, or folders that cannot be read. */
export const MoreReason = Type.Union([Type.Literal('results'), Type.Literal('time'), Type.Literal('unread')])
export type MoreReason = Static<typeof MoreReason>

/**
 * The last of the JSON lines when there may be more. In the answer that is one array the header `X-More-Results` holds the reason.
 * A client that does not know it finds a line without a path.
 */
export const MoreLine = Type.Object({ more: MoreReason })
export type MoreLine = Static<typeof MoreLine>

export const searchEndpoints = {
  // One array, or with `Accept: application/x-ndjson` a line for each result as soon as it is found.
  'GET /api/search/*': {
    access: 'user',
    actions: ['read'],
    query: SearchQuery,
    listing: Type.Array(SearchResult),
    limit: 'searches',
  },
} as const satisfies Record<string, Endpoint>
