// The messages of the socket of live folders, as JSON texts. docs/live-folders.md describes the exchange.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { ResourceItem } from './files.ts'
import { Job } from './jobs.ts'

/** How many folders one socket follows at most. */
export const mostFolders = 4

/** What the page sends. */
export const LiveRequest = Type.Union([
  /** The folders to follow from now on, by path, instead of those before. */
  Type.Object({
    kind: Type.Literal('follow'),
    folders: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: mostFolders }),
  }),
  /** Is answered by `alive`. */
  Type.Object({ kind: Type.Literal('ask') }),
])
export type LiveRequest = Static<typeof LiveRequest>

/** What the server sends. */
export const LiveMessage = Type.Union([
  /** The first: who the server takes the page for. The browser sends the cookie of the last sign-in, which may be another's. */
  Type.Object({ kind: Type.Literal('hello'), user: Type.Integer() }),
  /** The connection is there; sent every 25 seconds. */
  Type.Object({ kind: Type.Literal('alive') }),
  /** From now on changes are sent. Also sent when another folder got this path: what was listed before is no longer right. */
  Type.Object({
    kind: Type.Literal('following'),
    folder: Type.String(),
    /** Milliseconds of the server's own clock. A listing whose `X-Read-At` is not smaller misses nothing. */
    since: Type.Number(),
    /** When names were last added to the folder or removed from it, as in its listing; absent when the disk does not say. */
    modified: Type.Optional(Type.String()),
    /** Whether all changes are reported. Otherwise the page has to ask now and then. */
    isComplete: Type.Boolean(),
  }),
  /** Entries that are new, different or gone. */
  Type.Object({
    kind: Type.Literal('changed'),
    folder: Type.String(),
    items: Type.Array(ResourceItem),
    removed: Type.Array(Type.String()),
  }),
  /** So much has changed, or so unclear what, that the folder is to be listed again. */
  Type.Object({ kind: Type.Literal('resync'), folder: Type.String() }),
  /** There is no such folder any more, or it may not be seen. When it comes back, `following` is sent. */
  Type.Object({
    kind: Type.Literal('gone'),
    folder: Type.String(),
    /** Where it was moved to, if that may be seen. */
    to: Type.Optional(Type.String()),
  }),
  /** The rights of the person have changed: the page asks for a new token. What it follows is told on its own. */
  Type.Object({ kind: Type.Literal('account') }),
  /** Public links that the person may manage were made, changed or deleted. */
  Type.Object({ kind: Type.Literal('links') }),
  /** Links with which the person takes files in were made, changed or deleted. */
  Type.Object({ kind: Type.Literal('requests') }),
  /** The history of the person has changed. */
  Type.Object({ kind: Type.Literal('acts') }),
  /** How far jobs of the person are that have changed, and the ids of those that are forgotten; at most four times a second. */
  Type.Object({ kind: Type.Literal('jobs'), jobs: Type.Array(Job), gone: Type.Array(Type.String()) }),
  /** The last: the session has ended. */
  Type.Object({ kind: Type.Literal('ended') }),
])
export type LiveMessage = Static<typeof LiveMessage>

export const liveEndpoints = {
  'GET /api/live': { access: 'user', actions: ['read'], socket: true, cookie: true, tellsEnd: true },
} as const satisfies Record<string, Endpoint>
