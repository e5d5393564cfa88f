import { Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** The body of a sign-in. `recaptcha` is accepted from existing clients and ignored. */
export const Credentials = Type.Object({
  username: Type.Optional(Type.String({ maxLength: 1024 })),
  password: Type.Optional(Type.String({ maxLength: 1024 })),
  recaptcha: Type.Optional(Type.String({ maxLength: 8192 })),
})

export const sessionEndpoints = {
  'POST /api/login': { access: 'public', body: Credentials, reply: Type.String() },
  'POST /api/renew': { access: 'user', reply: Type.String() },
  'POST /api/logout': { access: 'user' },
  'GET /health': { access: 'public', reply: Type.Object({ status: Type.Literal('OK') }) },
} as const satisfies Record<string, Endpoint>
