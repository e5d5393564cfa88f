import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { asksForFolder, type Path, parsePath } from '../base/paths.ts'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import { type AccessOf, type Body, type EndpointName, endpoints, type Query, type Reply } from '../contract/endpoints.ts'
import type { Authenticate, Contexts } from './context.ts'
import { withOperation } from './request-operation.ts'
import { isNavigation } from './requests.ts'

export type Call<N extends EndpointName> = Contexts[AccessOf<N>] & {
  /** What stood for the `*`; '/' where there is none. */
  path: Path
  /** What stood for `:id`, as it was sent; '' where there is none. */
  id: string
  /** Whether the address ended in a slash, by which clients mean a folder. */
  asksForFolder: boolean
  query: Query<N>
  body: (typeof endpoints)[N] extends { streamed: true } ? AsyncIterable<Uint8Array> : Body<N>
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<N extends EndpointName> = (call: Call<N>) => Promise<Reply<N> | FastifyReply>

const registered = Symbol('registered through endpoint()')

/** Registers a call of the contract: checked by its schemas, its handler given only the context of its access level. */
export function endpoint<N extends EndpointName>(app: FastifyInstance, open: Authenticate, name: N, handle: Handler<N>): void {
  const call: Endpoint = endpoints[name]
  const [method, pattern] = name.split(' ') as ['GET', string]
  for (const url of urlsOf(pattern)) {
    app.route({
      method,
      url,
      config: { [registered]: true } as never,
      schema: schemaOf(call),
      handler: (request, reply) => answer({ open, call, request, reply }, handle),
    })
  }
}

type Arrival = { open: Authenticate; call: Endpoint; request: FastifyRequest; reply: FastifyReply }

async function answer<N extends EndpointName>(arrival: Arrival, handle: Handler<N>) {
  const { open, call, request, reply } = arrival
  return withOperation(arrival, async (operation) => {
    const context = await open[call.access](request, call, operation).catch((error: unknown) => toSignIn(arrival, error))
    return context ? handle(callOf<N>(arrival, context)) : reply
  })
}

/** A link opened from elsewhere brings no cookie: a person is shown the way in, everybody else the failure. */
function toSignIn({ open, call, request, reply }: Arrival, error: unknown): undefined {
  const isStranger = error instanceof Failure && error.code === 'unauthorized'
  if (!isStranger || !call.cookie || !isNavigation(request)) throw error
  reply.redirect(open.signInAddress(request), 303)
}

/** `/api/resources` is the root as `/api/resources/` is. */
function urlsOf(pattern: string) {
  return pattern.endsWith('/*') ? [pattern.slice(0, -2), pattern] : [pattern]
}

function schemaOf({ query, body, reply }: Endpoint) {
  // Texts are sent as they are; a schema would put them in quotes.
  const isObject = reply !== undefined && 'properties' in reply
  return { ...(query && { querystring: query }), ...(body && { body }), ...(isObject && { response: { 200: reply } }) }
}

function callOf<N extends EndpointName>({ call, request, reply }: Arrival, context: Contexts[Access]): Call<N> {
  if ('me' in context && context.me.renewSoon) reply.header('X-Renew-Token', 'true')
  const { '*': text = '', id = '' } = request.params as Record<string, string>
  const body = call.streamed ? streamOf(request) : request.body
  const asked = { path: parsePath(text), id, asksForFolder: asksForFolder(text), query: request.query, body, request, reply }
  return { ...context, ...asked } as unknown as Call<N>
}

/** Who stops reading must not destroy the connection: the refusal is still to be sent over it. */
function streamOf({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => raw.iterator({ destroyOnReturn: false }) }
}

/** The first thing done to a new instance: a route that was added before would pass unseen. */
export function refuseUnlistedRoutes(app: FastifyInstance, pageRoutes: readonly string[]): void {
  app.addHook('onRoute', (route) => {
    const isPage = pageRoutes.includes(`GET ${route.url}`) && (route.method === 'GET' || route.method === 'HEAD')
    const isListed = route.config !== undefined && registered in route.config
    if (!isPage && !isListed) throw new Error(`${route.method} ${route.url} is not in src-server/contract/endpoints.ts`)
  })
}

/** The methods that the contract knows at an address; empty when it does not know the address. */
export function methodsAt(address: string): string[] {
  const names = Object.keys(endpoints).map((name) => name.split(' ') as [string, string])
  const methods = names.filter(([, pattern]) => matches(pattern, address)).map(([method]) => method)
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

function matches(pattern: string, address: string) {
  if (pattern.endsWith('/:id')) return /^[^/]+$/.test(afterStart(pattern.slice(0, -3), address))
  if (!pattern.endsWith('/*')) return address === pattern
  const start = pattern.slice(0, -2)
  return address === start || address.startsWith(`${start}/`)
}

const afterStart = (start: string, address: string) => (address.startsWith(start) ? address.slice(start.length) : '')
