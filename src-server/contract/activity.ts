import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** Which entries of the activity log are wanted; without a field, all. */
export const ActivityQuery = Type.Object({
  who: Type.Optional(Type.String({ maxLength: 1024 })),
  what: Type.Optional(Type.String({ maxLength: 64 })),
  result: Type.Optional(Type.Union([Type.Literal('done'), Type.Literal('failed')])),
  /** A part of the path, or of where it went. */
  path: Type.Optional(Type.String({ maxLength: 4096 })),
  /** ISO 8601, UTC: from this moment on. */
  since: Type.Optional(Type.String({ maxLength: 32 })),
  /** ISO 8601, UTC: before this moment. */
  until: Type.Optional(Type.String({ maxLength: 32 })),
  /** How many at most, in digits; all without it. */
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$' })),
  format: Type.Optional(Type.Union([Type.Literal('jsonl'), Type.Literal('csv')])),
})
export type ActivityQuery = Static<typeof ActivityQuery>

export const activityEndpoints = {
  /** The newest first, as JSON lines or CSV. 404 without `--audit-log`. */
  'GET /api/activity': { access: 'admin', query: ActivityQuery, limit: 'searches' },
} as const satisfies Record<string, Endpoint>
