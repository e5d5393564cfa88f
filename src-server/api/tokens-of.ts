import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'

/**
 * The token of a request. The header is accepted everywhere; query and cookie only for GET and HEAD of calls whose contract
 * allows it: cookies are sent by the browser without the page, so they must not change anything (CSRF).
 * @param cookieNames the first that holds a token counts
 */
export function tokenOf(request: FastifyRequest, endpoint: Endpoint, cookieNames: readonly string[]): string | undefined {
  const others = acceptsCookie(request, endpoint) ? queryAndCookies(request, cookieNames) : []
  return lookLikeTokens([headerOf(request), ...others])[0]
}

/**
 * The token of a sign-in, also from query or cookie: it can only renew the caller's own session.
 * @param cookieNames the first that holds a token counts
 */
export function tokenOfCaller(request: FastifyRequest, cookieNames: readonly string[]): string | undefined {
  return lookLikeTokens([headerOf(request), ...queryAndCookies(request, cookieNames)])[0]
}

/** Keeps texts of three parts: older clients send `undefined` or `null` for no token. */
function lookLikeTokens(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text): text is string => text?.split('.').length === 3)
}

function headerOf({ headers }: FastifyRequest) {
  const header = headers['x-auth']
  return typeof header === 'string' ? header : undefined
}

function acceptsCookie({ method }: FastifyRequest, endpoint: Endpoint) {
  return endpoint.cookie === true && (method === 'GET' || method === 'HEAD')
}

function queryAndCookies({ query, headers }: FastifyRequest, cookieNames: readonly string[]) {
  const { auth } = query as { auth?: unknown }
  const cookies = cookiesOf(headers.cookie)
  return [typeof auth === 'string' ? auth : undefined, ...cookieNames.map((name) => cookies.get(name))]
}

/** The first cookie of a name counts: browsers send the one with the longest path first (RFC 6265, 5.4). */
export function cookiesOf(header = ''): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('=') as [string, string?])
  return new Map(pairs.reverse().map(([name, value = '']) => [name, value]))
}
