import type { Static, TSchema } from 'typebox'
import type { Need } from './permissions.ts'

/** Who may call: anybody, whoever has a link, whoever is signed in, administrators. */
export type Access = 'public' | 'share' | 'user' | 'admin'

/** What is worked on by few at a time: `listings` while they are made, `answers` while they wait in memory to be taken. */
export type LimitedKind = 'listings' | 'answers' | 'hashing' | 'previews' | 'archives' | 'writes'

/** An object's schema. */
export type Params = TSchema & Readonly<{ properties: Readonly<Record<string, TSchema>> }>

export type Endpoint = {
  access: Access
  /** The permissions a call asks for: for readers, the API's page and the access matrix. The services ask. */
  needs?: readonly Need[]
  /** What stands for each `:name` of the address. An integer is taken in decimal digits without a sign or a leading zero. */
  params?: Params
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
  /** Counts among this kind until its response has ended. */
  limit?: LimitedKind
  /** A WebSocket and no call: GET alone, registered by socket(). */
  socket?: boolean
}

/** Calls by method and address, as `GET /api/resources/*`: `*` is a path of files, `:name` one segment of the address. */
export type Contract = Readonly<Record<string, Endpoint>>

type Part<E, K extends string, Absent = undefined> = E extends Record<K, infer S extends TSchema> ? Static<S> : Absent
export type AccessOf<E extends { access: Access }> = E['access']
export type QueryOf<E> = Part<E, 'query'>
export type BodyOf<E> = Part<E, 'body'>
export type ParamsOf<E> = Part<E, 'params', unknown>
export type ReplyOf<E> = E extends { listing: infer S extends TSchema } ? Static<S> : Part<E, 'reply'>

/** The names that stand in an address after a colon. */
type NamesIn<N extends string> = N extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : N extends `${string}/:${infer Name}`
    ? Name
    : never

/** A contract in which every name of an address has a schema: one that lacks it does not compile. */
export type Named<C extends Contract> = {
  [N in keyof C & string]: [NamesIn<N>] extends [never]
    ? Endpoint
    : Endpoint & { params: { properties: Record<NamesIn<N>, TSchema> } }
}
