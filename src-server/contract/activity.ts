import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** What an entry of the activity log may be about. */
export const activityKinds = [
  'signIn',
  'signOut',
  'upload',
  'save',
  'copy',
  'rename',
  'delete',
  'restore',
  'purge',
  'compress',
  'extract',
  'share',
  'shareChange',
  'unshare',
  'download',
  'visit',
  'settings',
  'serverSettings',
  'user',
  'command',
  'commandEnd',
] as const
export type ActivityKind = (typeof activityKinds)[number]

const kind = `(?:${activityKinds.join('|')})`

const ways = ['page', 'share', 'request', 'job', 'cli'] as const
type Way = (typeof ways)[number]

const way = `(?:${ways.join('|')})`

/** A year, or more of a date and time in UTC as ISO 8601 writes them. */
const moment = Type.String({ pattern: '^[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?Z?)?)?)?$' })

/** Which entries of the activity log are wanted; without a field, all. */
export const ActivityQuery = Type.Object({
  /** The name of a user, or of the owner of a link. */
  who: Type.Optional(Type.String({ maxLength: 1024 })),
  /** One kind, or several with commas between them. */
  what: Type.Optional(Type.String({ maxLength: 256, pattern: `^${kind}(,${kind})*$` })),
  /**
   * By a user with the page or another client, by a visitor with a link, by who sends files by one, by a job of the server, or by the
   * command line; one, or several with commas between them.
   */
  way: Type.Optional(Type.String({ maxLength: 256, pattern: `^${way}(,${way})*$` })),
  result: Type.Optional(Type.Union([Type.Literal('done'), Type.Literal('failed')])),
  /** A part of the path, or of where it went. */
  path: Type.Optional(Type.String({ maxLength: 4096 })),
  /** From this moment on. */
  since: Type.Optional(moment),
  /** Before this moment. */
  until: Type.Optional(moment),
  /** How many at most, in digits; all without it. */
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$' })),
  /** The `at` of an entry: only older ones are wanted. With it, also when it is empty, each JSON line has its own `at`. */
  after: Type.Optional(Type.String({ pattern: '^([0-9]{1,20}-[0-9]{1,15}-[0-9]{1,15})?$' })),
  format: Type.Optional(Type.Union([Type.Literal('jsonl'), Type.Literal('csv')])),
})
export type ActivityQuery = Static<typeof ActivityQuery>

/** A line of the answer. Texts are as in the log: they may hold control and direction characters. */
export type ActivityLine = Readonly<{
  time: string
  who: string
  what: ActivityKind
  path?: string
  to?: string
  line?: string
  act?: 'create' | 'change' | 'delete'
  user?: string
  fields?: readonly string[]
  /** The id in the trash, of what went there, came back, or was removed from there for good. */
  trash?: string
  from: string
  way: Way
  /** Of what was sent by a request link: who sent it. */
  sender?: string
  result: 'done' | 'failed'
  reason?: string
  count?: number
  /** The place in the log. */
  at?: string
}>

export const activityEndpoints = {
  /** The newest first, as JSON lines or CSV. 404 without `--audit-log`. */
  'GET /api/activity': { access: 'admin', query: ActivityQuery, limit: 'activity', cookie: true },
} as const satisfies Record<string, Endpoint>
