import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkPermissions } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { asksForFolder, type Path, parsePath } from '../base/paths.ts'
import type { Access, BodyOf, Contract, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../contract/endpoint.ts'
import type { Endpoints } from '../contract/endpoints.ts'
import type { ArchiveTickets } from './archive-tickets.ts'
import type { Authenticate, Contexts } from './context.ts'
import type { Deadlines } from './deadlines.ts'
import type { Limits } from './limits.ts'
import { readParams } from './params.ts'
import { withOperation } from './request-operation.ts'
import { isNavigation } from './requests.ts'
import { registered, urlsOf } from './routes.ts'

/** What calls are registered with. Tests extend the contract. */
export type Api<C extends Contract = Endpoints> = Readonly<{
  contract: C
  authenticate: Authenticate
  limits: Limits
  deadlines: Deadlines
  tickets: ArchiveTickets
}>

/** The common part of calls and sockets. @template N name in the contract */
export type RequestContext<E extends Endpoint, N extends string> = Contexts[E['access']] &
  (N extends `${string}/*` ? PathAsked : unknown) & {
    /** The values of each `:name` of the address. */
    params: ParamsOf<E>
    query: QueryOf<E>
    request: FastifyRequest
    operation: Operation
  }

type PathAsked = {
  /** The value of the `*`. */
  path: Path
  /** Whether the address ended in a slash, with which clients ask for a folder. */
  asksForFolder: boolean
}

/** Bytes. Longer bodies are read only for callers who are known; the others may be as long as their calls say. */
export const largestUnknownBody = 65_536
/** Bytes of the body of a call that does not say more. Longer ones are read one at a time for each person. */
const largestUsualBody = 2 ** 20

/** What the handler of a call gets. */
export type Call<E extends Endpoint, N extends string> = RequestContext<E, N> & {
  body: E extends { streamed: true } ? AsyncIterable<Uint8Array> : BodyOf<E>
  reply: FastifyReply
}

/** Handles a call. It returns the reply, or has already sent it. */
export type Handler<E extends Endpoint, N extends string> = (call: Call<E, N>) => Promise<ReplyOf<E> | FastifyReply>

/** The names of the calls in a contract, or of its sockets. */
export type NameOf<C extends Contract, IsSocket extends boolean> = {
  [N in keyof C & string]: C[N] extends { socket: true } ? (IsSocket extends true ? N : never) : IsSocket extends true ? never : N
}[keyof C & string]

/** Registers a call of the contract. Requests are checked by its schemas, and its handler gets the context of its access level. */
export function endpoint<C extends Contract, N extends NameOf<C, false>>(
  app: FastifyInstance,
  api: Api<C>,
  name: N,
  handle: Handler<C[N], N>,
): void {
  const call = api.contract[name] as Endpoint
  const [method, pattern] = name.split(' ') as ['GET', string]
  for (const url of urlsOf(pattern)) {
    app.route({
      method,
      url,
      config: { [registered]: true } as never,
      schema: schemaOf(call),
      ...(!call.streamed && { onRequest: async (request) => api.deadlines.limitBody(request), ...readingOf(api, call) }),
      handler: (request, reply) => answer({ api, call, request, reply }, handle),
    })
  }
}

/** How long a body may be, and who must be known before it is read. */
function readingOf<C extends Contract>({ authenticate, limits }: Api<C>, call: Endpoint) {
  if (call.access === 'public' || call.access === 'share' || call.access === 'request') return { bodyLimit: largestUnknownBody }
  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    const size = bodySize(request)
    if (size <= largestUnknownBody) return
    const me = await authenticate.identify(request, call)
    // Only where a body is of use: copying needs other permissions than moving, by the same call.
    if (call.body && call.actions) checkPermissions(me.user.perm, call.actions)
    if (size <= largestUsualBody || call.largestBody === undefined) return
    const operation = new Operation()
    finished(reply.raw, () => void operation.end())
    await limits.enter('longBodies', me.user.id, operation)
  }
  return { bodyLimit: call.largestBody ?? largestUsualBody, preParsing }
}

/** Bytes, as they are announced; infinite when they are not. */
function bodySize({ raw: { headers } }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY
}

type Incoming = Readonly<{ api: Omit<Api, 'contract'>; call: Endpoint; request: FastifyRequest; reply: FastifyReply }>

function answer<E extends Endpoint, N extends string>(incoming: Incoming, handle: Handler<E, N>) {
  const { api, call, request, reply } = incoming
  api.deadlines.limitReceiving(reply)
  return withOperation(incoming, async (operation) => {
    const opened: Promise<Contexts[Access]> = api.authenticate[call.access](request, call, operation)
    const context = await opened.catch((error: unknown) => toSignIn(incoming, error))
    if (!context) return reply
    if ('me' in context && context.me.renewSoon) reply.header('X-Renew-Token', 'true')
    if ('cookie' in context && context.cookie && context.cookie.length > 0) reply.header('Set-Cookie', context.cookie)
    if ('visitor' in context && call.limit) await api.limits.enter(call.limit, context.visitor, operation)
    if ('me' in context && call.limit) {
      const yielding = call.streamed ? api.deadlines.received(request) : undefined
      await api.limits.enter(call.limit, context.me.user.id, operation, { yielding })
    }
    const body = call.streamed ? api.deadlines.streamOf(request) : request.body
    return handle(Object.assign(requestContextOf(incoming, context, operation), { body, reply }) as unknown as Call<E, N>)
  })
}

/** Everything that a handler gets except the body. */
export function requestContextOf(
  { call, request }: Pick<Incoming, 'call' | 'request'>,
  context: Contexts[Access],
  operation: Operation,
) {
  const { '*': text, ...texts } = request.params as Record<string, string>
  const params = readParams(call.params, texts)
  // Added to the context, and not copied with it, which would build all of its services.
  return Object.assign(context, pathIn(text), { params, query: request.query, request, operation })
}

/** The root when the address has no `*`. */
const pathIn = (text = '') => ({ path: parsePath(text), asksForFolder: asksForFolder(text) })

/** A link opened from another site comes without the SameSite cookie: browsers are redirected to a page that asks, others get the failure. */
function toSignIn({ api, call, request, reply }: Incoming, error: unknown): undefined {
  const isStranger = error instanceof Failure && error.code === 'unauthorized'
  if (!isStranger || !call.cookie || !isNavigation(request)) throw error
  const { shareAddress, signInAddress } = api.authenticate
  reply.redirect(call.access === 'share' ? shareAddress(request) : signInAddress(request), 303)
}

function schemaOf({ query, body, reply }: Endpoint) {
  // A plain text is sent as it is; a schema would put it in quotes.
  const isJson = reply !== undefined && ('properties' in reply || 'items' in reply)
  return { ...(query && { querystring: query }), ...(body && { body }), ...(isJson && { response: { 200: reply } }) }
}
