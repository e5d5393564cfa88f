import type { TSchema } from 'typebox'
import type { Need } from './permissions.ts'

/** Who may call: anybody, whoever has a link, whoever is signed in, administrators. */
export type Access = 'public' | 'share' | 'user' | 'admin'

export type Endpoint = {
  access: Access
  /** The permissions a call asks for: for readers, the API's page and the access matrix. The services ask. */
  needs?: readonly Need[]
  query?: TSchema
  body?: TSchema
  /** The answer's schema; what it does not list is dropped, so that nothing secret leaves. */
  reply?: TSchema
  /** The answer's type when it is built field by field and not filtered: listings. */
  listing?: TSchema
  /** The body stays a stream: no parser touches it. */
  streamed?: boolean
  /** The session cookie and `auth=` count here, for GET and HEAD: what a browser opens without our script. */
  cookie?: boolean
}
