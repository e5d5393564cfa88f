import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** The body of a sign-in and of a sign-up. `recaptcha` is what a captcha gave the page; without a captcha it is ignored. */
export const Credentials = Type.Object({
  username: Type.Optional(Type.String({ maxLength: 1024 })),
  password: Type.Optional(Type.String({ maxLength: 1024 })),
  recaptcha: Type.Optional(Type.String({ maxLength: 8192 })),
})

/** One sign-in of the person who asks. */
export const Session = Type.Object({
  id: Type.String(),
  /** Seconds since the epoch. */
  createdAt: Type.Integer(),
  /** Seconds since the epoch, up to ten minutes old. */
  usedAt: Type.Integer(),
  /** Whether the request belongs to it. */
  isCurrent: Type.Boolean(),
  /** The IP address of the sign-in; '' when it is not known. */
  address: Type.String(),
  /** What the client called itself; '' when it is not known. */
  agent: Type.String(),
})
export type Session = Static<typeof Session>

export const sessionEndpoints = {
  'POST /api/login': { access: 'public', body: Credentials, reply: Type.String() },
  /** Makes an account; the client signs in next. 405 while sign-up is off. */
  'POST /api/signup': { access: 'public', body: Credentials },
  'POST /api/renew': { access: 'user', reply: Type.String() },
  'POST /api/logout': { access: 'user', changesAccess: true },
  /** One's own sessions, the last used first. */
  'GET /api/sessions': { access: 'user', reply: Type.Array(Session) },
  /** Ends one of one's own sessions. 200 also when there is none such (any more). */
  'DELETE /api/sessions/:session': {
    access: 'user',
    params: Type.Object({ session: Type.String({ maxLength: 64 }) }),
    changesAccess: true,
  },
  /** Ends all of one's own sessions but this one. */
  'DELETE /api/sessions': { access: 'user', changesAccess: true },
  'GET /health': { access: 'public', reply: Type.Object({ status: Type.Literal('OK') }) },
} as const satisfies Record<string, Endpoint>
