import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'

/**
 * The token that a request shows. The header counts everywhere; the query and the cookie only for looking, and only where the
 * contract says so: whatever a browser sends by itself must never change anything.
 * @param cookieNames the first that holds a token counts
 */
export function tokenOf(request: FastifyRequest, endpoint: Endpoint, cookieNames: readonly string[]): string | undefined {
  const shown = lookLikeTokens([
    headerOf(request),
    ...(mayShowOtherwise(request, endpoint) ? otherwise(request, cookieNames) : []),
  ])
  return shown[0]
}

/**
 * The token that a sign-in shows, whichever way: all that it can lead to is the caller's own session.
 * @param cookieNames the first that holds a token counts
 */
export function tokenOfCaller(request: FastifyRequest, cookieNames: readonly string[]): string | undefined {
  return lookLikeTokens([headerOf(request), ...otherwise(request, cookieNames)])[0]
}

/** Old clients send `undefined` or `null` for no token: three parts are the least. */
function lookLikeTokens(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text): text is string => text?.split('.').length === 3)
}

function headerOf({ headers }: FastifyRequest) {
  const header = headers['x-auth']
  return typeof header === 'string' ? header : undefined
}

function mayShowOtherwise({ method }: FastifyRequest, endpoint: Endpoint) {
  return endpoint.cookie === true && (method === 'GET' || method === 'HEAD')
}

function otherwise({ query, headers }: FastifyRequest, cookieNames: readonly string[]) {
  const { auth } = query as { auth?: unknown }
  const cookies = cookiesOf(headers.cookie)
  return [typeof auth === 'string' ? auth : undefined, ...cookieNames.map((name) => cookies.get(name))]
}

/** Of two with one name the first counts: browsers send the one with the longer path first. */
function cookiesOf(header = ''): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('=') as [string, string?])
  return new Map(pairs.reverse().map(([name, value = '']) => [name, value]))
}
