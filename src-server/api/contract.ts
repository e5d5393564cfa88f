// Every call the server answers, once. Routes are registered from this table and
// src-ui imports its types only, so neither side can drift from the other.
import type { Static, TSchema } from 'typebox'
import type { Need } from '../access/admission.ts'
import { fileEndpoints } from './contract/files.ts'
import { sessionEndpoints } from './contract/session.ts'
import { userEndpoints } from './contract/users.ts'

/** Who may call: anybody, whoever has a link, whoever is signed in, administrators. */
export type Access = 'public' | 'share' | 'user' | 'admin'

export type Endpoint = {
  access: Access
  /** The permissions a call asks for: for readers, the API's page and the access matrix. The doors do the asking. */
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

export const endpoints = { ...sessionEndpoints, ...fileEndpoints, ...userEndpoints } as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
type Part<N extends EndpointName, K extends string> =
  (typeof endpoints)[N] extends Record<K, infer S extends TSchema> ? Static<S> : undefined
export type Query<N extends EndpointName> = Part<N, 'query'>
export type Body<N extends EndpointName> = Part<N, 'body'>
export type Reply<N extends EndpointName> = (typeof endpoints)[N] extends { listing: infer S extends TSchema }
  ? Static<S>
  : Part<N, 'reply'>
export type AccessOf<N extends EndpointName> = (typeof endpoints)[N]['access']
