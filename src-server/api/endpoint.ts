import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { asksForFolder, type Path, parsePath } from '../base/paths.ts'
import type { Access, BodyOf, Contract, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../contract/endpoint.ts'
import type { Endpoints } from '../contract/endpoints.ts'
import type { Authenticate, Contexts } from './context.ts'
import type { Deadlines } from './deadlines.ts'
import type { Limits } from './limits.ts'
import { readParams } from './params.ts'
import { withOperation } from './request-operation.ts'
import { isNavigation } from './requests.ts'
import { registered, urlsOf } from './routes.ts'

/** What calls are registered with. Tests extend the contract with calls of their own. */
export type Api<C extends Contract = Endpoints> = Readonly<{
  contract: C
  authenticate: Authenticate
  limits: Limits
  deadlines: Deadlines
}>

/** What a request says, whether it is a call or opens a socket. @template N its name in the contract */
export type Asked<E extends Endpoint, N extends string> = Contexts[E['access']] &
  (N extends `${string}/*` ? PathAsked : unknown) & {
    /** What stood for each `:name` of the address. */
    params: ParamsOf<E>
    query: QueryOf<E>
    request: FastifyRequest
    operation: Operation
  }

type PathAsked = {
  /** What stood for the `*`. */
  path: Path
  /** Whether the address ended in a slash, by which clients mean a folder. */
  asksForFolder: boolean
}

/** Bytes of a body that somebody sends who has not signed in. */
const largestPublicBody = 65_536

export type Call<E extends Endpoint, N extends string> = Asked<E, N> & {
  body: E extends { streamed: true } ? AsyncIterable<Uint8Array> : BodyOf<E>
  reply: FastifyReply
}

export type Handler<E extends Endpoint, N extends string> = (call: Call<E, N>) => Promise<ReplyOf<E> | FastifyReply>

/** The names of a contract's calls, or of its sockets. */
export type NameOf<C extends Contract, IsSocket extends boolean> = {
  [N in keyof C & string]: C[N] extends { socket: true } ? (IsSocket extends true ? N : never) : IsSocket extends true ? never : N
}[keyof C & string]

/** Registers a call of the contract: checked by its schemas, its handler given only the context of its access level. */
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
      ...(call.access === 'public' && { bodyLimit: largestPublicBody }),
      ...(!call.streamed && { onRequest: async (request) => api.deadlines.limitBody(request) }),
      handler: (request, reply) => answer({ api, call, request, reply }, handle),
    })
  }
}

type Arrival = Readonly<{ api: Omit<Api, 'contract'>; call: Endpoint; request: FastifyRequest; reply: FastifyReply }>

function answer<E extends Endpoint, N extends string>(arrival: Arrival, handle: Handler<E, N>) {
  const { api, call, request, reply } = arrival
  api.deadlines.limitTaking(reply)
  return withOperation(arrival, async (operation) => {
    const opened: Promise<Contexts[Access]> = api.authenticate[call.access](request, call, operation)
    const context = await opened.catch((error: unknown) => toSignIn(arrival, error))
    if (!context) return reply
    if ('me' in context && context.me.renewSoon) reply.header('X-Renew-Token', 'true')
    if ('me' in context && call.limit) await api.limits.enter(call.limit, context.me.user.id, operation)
    const body = call.streamed ? api.deadlines.streamOf(request) : request.body
    return handle({ ...askedOf(arrival, context, operation), body, reply } as unknown as Call<E, N>)
  })
}

/** What a request says, beside its body. */
export function askedOf({ call, request }: Pick<Arrival, 'call' | 'request'>, context: Contexts[Access], operation: Operation) {
  const { '*': text, ...texts } = request.params as Record<string, string>
  return {
    ...context,
    ...pathIn(text),
    params: readParams(call.params, texts),
    query: request.query,
    request,
    operation,
  }
}

/** Without a `*` in the address it is the root. */
const pathIn = (text = '') => ({ path: parsePath(text), asksForFolder: asksForFolder(text) })

/** A link opened from elsewhere brings no cookie: a person is shown the way in, everybody else the failure. */
function toSignIn({ api, call, request, reply }: Arrival, error: unknown): undefined {
  const isStranger = error instanceof Failure && error.code === 'unauthorized'
  if (!isStranger || !call.cookie || !isNavigation(request)) throw error
  reply.redirect(api.authenticate.signInAddress(request), 303)
}

function schemaOf({ query, body, reply }: Endpoint) {
  // Texts are sent as they are; a schema would put them in quotes.
  const isObject = reply !== undefined && 'properties' in reply
  return { ...(query && { querystring: query }), ...(body && { body }), ...(isObject && { response: { 200: reply } }) }
}
