// Every call that the server answers, once. The routes are registered from this table, and src-ui imports its types.
import type { Static, TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { fileEndpoints } from './files.ts'
import { sessionEndpoints } from './session.ts'
import { userEndpoints } from './users.ts'

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
