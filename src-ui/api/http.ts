import type { AccessOf, Body, EndpointName, Query, Reply } from '../../src-server/contract/endpoints.ts'
import type { Refusal } from '../../src-server/contract/refusals.ts'
import { encodePath } from './addresses.ts'
import { baseURL } from './page-config.ts'
import { session } from './session-port.ts'

/** Problem details of RFC 9457, which the page asks for: other clients are answered with a sentence. */
export type Problem = Readonly<{ title?: string; detail?: string; refusal?: Refusal }>
export const accepted = 'application/json, application/problem+json'

type FailureDetails = Readonly<{ retryAfter?: number | undefined; reason?: string | undefined; refusal?: Refusal | undefined }>

/** The server refused a call. The message is its status and its reason, for support; with status 0 the server was not reached. */
export class HttpFailure extends Error {
  readonly status: number
  /** Seconds after which to try again, if the server said so. */
  readonly retryAfter: number | undefined
  /** What the server says of it beside the status, if anything. */
  readonly reason: string | undefined
  /** The code of the refusal, its field and its parameters, when it has one. */
  readonly refusal: Refusal | undefined

  constructor(status: number, message: string, { retryAfter, reason, refusal }: FailureDetails = {}) {
    super(message)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfter = retryAfter
    this.reason = reason
    this.refusal = refusal
  }
}

/** The server was not reached. */
export const unreached = (): HttpFailure => new HttpFailure(0, 'The server could not be reached.')

/** Names what a person does at once. */
export const actHeader = 'Holdall-Act'

/** What is shown of a failure. */
export type Refused = Pick<HttpFailure, 'status' | 'message'> & Partial<Pick<HttpFailure, 'reason' | 'refusal'>>

type CallOptions<N extends EndpointName> = {
  /** The value of the `*`, not encoded. */
  path?: string
  /** The value of `:id`. */
  id?: number
  /** The values of other parts of the address, such as `:size`, not encoded. */
  params?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** Called with the first chunk of the answer as text, before the rest has arrived. */
  onBeginning?: (text: string) => void
  /** The ETag that a file must still have. When it has another one, the call is refused with status 412. */
  ifMatch?: string
  /** What the person does at once with this call and others: it is undone as one. Without it nothing is kept to be undone. */
  act?: string | undefined
  /** The page asks by itself: while the session is over, the call waits without asking the person to sign in. */
  isBackground?: boolean
  /** The call is made also when the page is left at once; all such bodies together have at most 64 KiB. */
  keepalive?: boolean
} & (Query<N> extends undefined ? object : { query?: Query<N> }) &
  (Body<N> extends undefined ? { content?: string | Blob } : { body: Body<N> })
type Rest<N extends EndpointName> = object extends CallOptions<N> ? [options?: CallOptions<N>] : [options: CallOptions<N>]
export type AnyCallOptions = {
  path?: string
  id?: number
  params?: Readonly<Record<string, string>>
  signal?: AbortSignal
  onBeginning?: (text: string) => void
  ifMatch?: string
  act?: string | undefined
  isBackground?: boolean
  keepalive?: boolean
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  content?: string | Blob
  /** The media types of the answers that are wanted, with that of problem details. */
  accept?: string
}

/**
 * Calls the server by a name of the contract: `call('GET /api/resources/*', { path: '/a b' })`. When the session has ended, the
 * user is asked to sign in again, and the call is sent again afterwards.
 * @throws HttpFailure with status and sentence; with status 0 when the server was not reached.
 */
export async function call<N extends EndpointName>(name: N, ...rest: Rest<N>): Promise<Reply<N>> {
  return (await callWithHeaders(name, ...rest)).reply
}

/** Changes that were sent and not answered yet. */
const changes = new Set<Promise<unknown>>()

function noteChange(answer: Promise<unknown>): void {
  const noted = answer.catch(() => undefined).finally(() => changes.delete(noted))
  changes.add(noted)
}

/** Waits for the answers to all changes that were sent. */
export const changesAnswered = (): Promise<unknown> => Promise.all(changes)

/** Like `call`, but also returns the headers of the answer, such as the `ETag` of a file. */
export async function callWithHeaders<N extends EndpointName>(
  name: N,
  ...[options]: Rest<N>
): Promise<{ reply: Reply<N>; headers: Headers }> {
  const given = (options ?? {}) as AnyCallOptions
  const answer = answerTo(name, given)
  if (given.act) noteChange(answer)
  const response = await answer
  if (given.onBeginning) void readBeginning(response.clone(), given.onBeginning)
  return { reply: (await readContent(response)) as Reply<N>, headers: response.headers }
}

/** Like `call`, for an answer that is a file. */
export async function callForFile<N extends EndpointName>(name: N, ...[options]: Rest<N>): Promise<Blob> {
  return (await answerTo(name, (options ?? {}) as AnyCallOptions)).blob()
}

/** The answer to a call, whose body is unread. @throws HttpFailure when the call is refused */
export async function answerTo(name: EndpointName, given: AnyCallOptions): Promise<Response> {
  const [method = '', pattern = ''] = name.split(' ')
  const send = (token: string | undefined) =>
    request(`${baseURL}${address(pattern, given)}`, { method, ...requestInit(given, token) })
  const response = await (name in callsOnce ? sendOnce(name, send) : sendSignedIn(send, given))
  if (!response.ok) throw await toFailure(response)
  return response
}

type Send = (token: string | undefined) => Promise<Response>

async function sendOnce(name: EndpointName, send: Send): Promise<Response> {
  const token = session().token()
  const response = await send(token)
  if (callsOnce[name] === 'renewal') handleAuthHeaders(response.status, null, token)
  return response
}

/** A call is sent again with a newer token of another tab, and after the sign-in. More often than that the token is not the cause. */
const mostRepeats = 2

/** Sends a call; when the server refuses the token, sends it again as soon as the same user has signed in again. */
async function sendSignedIn(send: Send, how: Pick<AnyCallOptions, 'signal' | 'isBackground'> = {}): Promise<Response> {
  if (session().isLocked() && !(await session().signedInAgain(how))) throw new HttpFailure(401, 'The session has ended.')
  for (let repeats = 0; ; repeats++) {
    const token = session().token()
    const response = await send(token)
    const { headers, status } = response
    handleAuthHeaders(status, headers.get('X-Renew-Token'), token)
    if (status !== 401 || !token || repeats === mostRepeats) return response
    if (!(await session().signedInAgain({ ...how, refused: token }))) return response
  }
}

/** Reads content by its address, for a picture that the page makes itself. @throws HttpFailure with the server's sentence. */
export function fetchBlob(address: string, signal: AbortSignal): Promise<Blob> {
  return fetchContent(address, {}, signal)
}

/** Reads a part of a file. @param end the position after the last byte @throws HttpFailure with the server's sentence. */
export async function fetchRange(address: string, { start, end }: { start: number; end: number }, signal: AbortSignal) {
  const content = await fetchContent(address, { Range: `bytes=${start}-${end - 1}` }, signal)
  return new Uint8Array(await content.arrayBuffer())
}

async function fetchContent(address: string, headers: Record<string, string>, signal: AbortSignal): Promise<Blob> {
  const send = (token: string | undefined) =>
    request(address, { signal, headers: { Accept: accepted, ...headers, ...(token && { 'X-Auth': token }) } })
  const response = await sendSignedIn(send, { signal })
  if (!response.ok) throw await toFailure(response)
  return response.blob()
}

/** Checks that an address can be downloaded, without reading its content. @throws HttpFailure with the server's sentence. */
export async function assertServed(address: string): Promise<void> {
  const { ok } = await sendSignedIn(() => request(address, { method: 'HEAD' }))
  if (ok) return
  // The answer to HEAD has no body and so no sentence.
  const controller = new AbortController()
  const response = await request(address, { method: 'GET', headers: { Accept: accepted }, signal: controller.signal })
  if (!response.ok) throw await toFailure(response)
  controller.abort()
}

/** Whether the server says that one of the page's own files is no longer there. */
export async function isGone(address: string): Promise<boolean> {
  const answer = await request(address, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  return answer?.status === 404
}

/**
 * Calls that are not sent again after a sign-in. A 401 of a call that needs no session, or of the logout, does not end the session.
 * The type keeps the list equal to the contract.
 */
const callsOnce: Readonly<Partial<Record<EndpointName, string>> & Record<CallWithoutSession, string>> = {
  'POST /api/login': 'public',
  'POST /api/signup': 'public',
  'GET /health': 'public',
  'GET /api/public/share/:hash/*': 'share',
  'GET /api/public/dl/:hash/*': 'share',
  'GET /api/public/preview/:size/:hash/*': 'share',
  'GET /api/public/search/:hash/*': 'share',
  'GET /api/public/live/:hash': 'share',
  'POST /api/logout': 'logout',
  'POST /api/renew': 'renewal',
}
type CallWithoutSession = {
  [N in EndpointName]: N extends `OPTIONS ${string}` ? never : AccessOf<N> extends 'public' | 'share' ? N : never
}[EndpointName]

/** Renews the token when an answer asks for it, and ends the session when the server rejected the token. */
export function handleAuthHeaders(status: number, renewToken: string | null, token: string | undefined): void {
  if (status === 401 && token) session().ended(token)
  else if (renewToken === 'true') session().renew()
}

function address(pattern: string, { path = '/', id, params, query = {} }: AnyCallOptions): string {
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams(parameters).toString()
  const values = { ...params, ...(id !== undefined && { id: String(id) }) }
  const named = pattern.replace(/:(\w+)/g, (part, name) => encodeURIComponent(values[name as keyof typeof values] ?? part))
  return named.replace('/*', () => encodePath(path.startsWith('/') ? path : `/${path}`)) + (search && `?${search}`)
}

function requestInit(
  { body, content, signal, accept = accepted, ifMatch, act, keepalive = false }: AnyCallOptions,
  token: string | undefined,
): RequestInit {
  const headers = new Headers({ Accept: accept, ...(token && { 'X-Auth': token }) })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
  if (act) headers.set(actHeader, act)
  const sent = body === undefined ? content : JSON.stringify(body)
  return { headers, keepalive, ...(sent === undefined ? {} : { body: sent }), ...(signal ? { signal } : {}) }
}

export async function request(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw unreached()
  }
}

/** Reads the first chunk. When the body ends or fails here, the reader of the whole answer handles it. */
async function readBeginning({ body }: Response, tell: (text: string) => void): Promise<void> {
  const reader = body?.getReader()
  const first = await reader?.read().catch(() => undefined)
  // Not awaited: it settles when the whole body has been read.
  void reader?.cancel().catch(() => undefined)
  if (first?.value && !first.done) tell(new TextDecoder().decode(first.value))
}

export async function toFailure(response: Response): Promise<HttpFailure> {
  const text = await response.text().catch(() => '')
  return failureOf(response, text, (name) => response.headers.get(name))
}

/** The failure of an answer. Proxies answer with texts of their own. @param header reads one of the answer */
export function failureOf(
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  text: string,
  header: (name: string) => string | null,
): HttpFailure {
  const wait = Number(header('Retry-After') ?? Number.NaN)
  const retryAfter = Number.isNaN(wait) ? undefined : wait
  const problem = header('Content-Type')?.includes('problem+json') ? problemIn(text) : undefined
  if (problem) return problemFailure(status, problem, retryAfter)
  return new HttpFailure(status, text.trim() || statusText, { retryAfter })
}

/** @returns undefined for what a proxy only calls so */
function problemIn(text: string): Problem | undefined {
  try {
    const problem = JSON.parse(text) as Problem | null
    return problem?.title ? problem : undefined
  } catch {
    return undefined
  }
}

export function problemFailure(status: number, { title, detail, refusal }: Problem, retryAfter?: number): HttpFailure {
  const message = `${status} ${title}${detail === undefined ? '' : ` (${detail})`}`
  return new HttpFailure(status, message, { retryAfter, reason: detail, refusal })
}

async function readContent(response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? ''
  return type.includes('json') ? response.json() : response.text()
}
