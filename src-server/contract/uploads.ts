// Uploads that may break off and go on later.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import type { Refusal } from './refusals.ts'

/** An upload whose file has no name yet. Times are milliseconds since the epoch. */
export const UnfinishedUpload = Type.Object({
  id: Type.String(),
  /** The person's own, not encoded. */
  path: Type.String(),
  /** Bytes; absent until the client says it. */
  length: Type.Optional(Type.Integer()),
  /** Bytes that are kept. */
  offset: Type.Integer(),
  /** `Upload-Metadata` as it came. */
  metadata: Type.Optional(Type.String()),
  startedAt: Type.Number(),
  changedAt: Type.Number(),
  /** When it is removed, unless more comes. */
  expires: Type.Number(),
  /** Whether a request brings bytes at this moment, or has brought a whole piece within the last seconds, so that the next is to come. */
  isReceiving: Type.Boolean(),
  /** Whether its bytes were missing when they were looked for last, or its time is over. */
  isGone: Type.Boolean(),
  /** Whether all bytes so far were compared with checksums. */
  isCompared: Type.Boolean(),
  /** Why the file has no name though all bytes are there. */
  refused: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      refusal: Type.Optional(Type.Unsafe<Refusal>({ type: 'object' })),
    }),
  ),
})
export type UnfinishedUpload = Static<typeof UnfinishedUpload>

/** Another name in the same folder, or whether what has the name is replaced. */
const NameBody = Type.Object({ name: Type.Optional(Type.String()), override: Type.Optional(Type.Boolean()) })

const UploadParams = Type.Object({ id: Type.String() })
const TusQuery = Type.Object({ override: Type.Optional(Type.String()) })

/** The rights to the file are asked when it is written and when it gets its name. Whoever has lost them can still remove their upload. */
const ofPerson = { access: 'user', actions: ['read'] } as const
/** Bodies count as such when there is one: see `api/tus.ts`. */
const streamed = { ...ofPerson, streamed: true } as const
const asked = { ...ofPerson, limit: 'uploadCalls' } as const

// tus 1.0 (https://tus.io/protocols/resumable-upload), and its older form without `Tus-Resumable`. Below /api/tus/ an upload has the
// address of its file, and at /api/uploads/ that of its id.
export const uploadEndpoints = {
  'OPTIONS /api/tus/*': { access: 'public' },
  // With `X-HTTP-Method-Override`: PATCH or DELETE.
  'POST /api/tus/*': { ...streamed, actions: ['create'], query: TusQuery },
  // HEAD is the same.
  'GET /api/tus/*': asked,
  'PATCH /api/tus/*': streamed,
  'DELETE /api/tus/*': asked,
  'GET /api/uploads': { ...ofPerson, listing: Type.Object({ uploads: Type.Array(UnfinishedUpload) }) },
  'POST /api/uploads/:id': { ...streamed, params: UploadParams },
  'HEAD /api/uploads/:id': { ...asked, params: UploadParams },
  'PATCH /api/uploads/:id': { ...streamed, params: UploadParams },
  'DELETE /api/uploads/:id': { ...asked, params: UploadParams },
  // 204 when the file has its name then, else 200 with the upload.
  'POST /api/uploads/:id/name': { ...asked, params: UploadParams, body: NameBody, reply: UnfinishedUpload },
} as const satisfies Record<string, Endpoint>
