import { Type } from 'typebox'
import type { Endpoint } from '../contract.ts'
import { Resource } from '../schemas/resource.ts'

/** Only the exact text `true` counts, as existing clients expect. */
const Flag = Type.Optional(Type.String())

export const ResourceQuery = Type.Object({ checksum: Type.Optional(Type.String()) })
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

export const fileEndpoints = {
  'GET /api/resources/*': { access: 'user', needs: ['see'], query: ResourceQuery, listing: Resource },
  'POST /api/resources/*': { access: 'user', needs: ['create'], query: UploadQuery, streamed: true },
  'PUT /api/resources/*': { access: 'user', needs: ['modify'], streamed: true },
  'PATCH /api/resources/*': { access: 'user', needs: ['rename'], query: TransferQuery },
  'DELETE /api/resources/*': { access: 'user', needs: ['delete'] },
  'GET /api/raw/*': { access: 'user', needs: ['download'], query: RawQuery, cookie: true },
} as const satisfies Record<string, Endpoint>
