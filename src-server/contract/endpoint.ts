import type { Static, TSchema } from 'typebox'
import type { Action } from './permissions.ts'

/** Who may call: everybody, holders of a public link, of one that takes files in, signed-in users, administrators. */
export type Access = 'public' | 'share' | 'request' | 'user' | 'admin'

/** What only a few may do at a time. `listings` count while they are made, `answers` while they wait in memory to be sent. */
export type LimitedKind =
  | 'listings'
  | 'answers'
  | 'hashing'
  | 'counting'
  | 'itemCounts'
  | 'previews'
  | 'archives'
  | 'searches'
  | 'activity'
  | 'subtitles'
  // Of uploads and saves, from before their first byte.
  | 'bodies'
  | 'changes'
  // What is asked about an unfinished upload, without bytes: it must find a place while bodies that wait for their clients have all theirs.
  | 'uploadCalls'
  // Requests for jobs, until they are answered.
  | 'jobs'
  // Of more than 1 MiB, while they are in memory.
  | 'longBodies'
  // Of those who hold a public link, each counted by its address.
  | 'linkListings'
  | 'linkAnswers'
  | 'linkDownloads'
  | 'linkArchives'
  | 'linkSearches'
  | 'linkPreviews'
  | 'linkSockets'
  // Of those who send files by a request link.
  | 'requestCalls'
  | 'requestBodies'

/** The schema of an object. */
export type Params = TSchema & Readonly<{ properties: Readonly<Record<string, TSchema>> }>

/** One call of the API. */
export type Endpoint = {
  access: Access
  /** The permissions that the call needs. The services check them; of a long body, the call itself before it is read. */
  actions?: readonly Action[]
  /** The schema of each `:name` of the address. An integer must be decimal digits without a sign or a leading zero. */
  params?: Params
  query?: TSchema
  body?: TSchema
  /** Bytes of a parsed body; without it 1 MiB. */
  largestBody?: number
  /** The schema of the answer. Fields that it does not list are dropped, so that secrets cannot be sent. */
  reply?: TSchema
  /** The schema of an answer that is built field by field and not filtered, for speed: listings. */
  listing?: TSchema
  /** The body is not parsed: the handler gets the stream. */
  streamed?: boolean
  /** GET and HEAD also take the session cookie and `auth=`: for requests that the browser makes without the page's script. */
  cookie?: boolean
  /** The call counts as this kind until its response has ended, a socket until it closes. */
  limit?: LimitedKind
  /** A WebSocket, registered by socket(); the method is GET. */
  socket?: boolean
  /** The socket itself says that the session has ended: it is not cut when rights are withdrawn. */
  tellsEnd?: boolean
  /** The call may withdraw the rights with which it was made: it is answered before its connection is cut. */
  changesAccess?: boolean
  /** The call by a request link is answered before its connection is cut, when that link is closed meanwhile. */
  tellsClosing?: boolean
}

/** Calls by method and address, such as `GET /api/resources/*`: `*` is the path of a file, `:name` one segment of the address. */
export type Contract = Readonly<Record<string, Endpoint>>

type Part<E, K extends string, Absent = undefined> = E extends Record<K, infer S extends TSchema> ? Static<S> : Absent
export type AccessOf<E extends { access: Access }> = E['access']
export type QueryOf<E> = Part<E, 'query'>
export type BodyOf<E> = Part<E, 'body'>
export type ParamsOf<E> = Part<E, 'params', unknown>
export type ReplyOf<E> = E extends { listing: infer S extends TSchema } ? Static<S> : Part<E, 'reply'>

/** The names after a colon in an address. */
type NamesIn<N extends string> = N extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : N extends `${string}/:${infer Name}`
    ? Name
    : never

/** A contract in which every `:name` of an address has a schema: without it the contract does not compile. */
export type Named<C extends Contract> = {
  [N in keyof C & string]: [NamesIn<N>] extends [never]
    ? Endpoint
    : Endpoint & { params: { properties: Record<NamesIn<N>, TSchema> } }
}
