// What a request says of itself beside its call.
import type { FastifyRequest } from 'fastify'

/** The IP address of the client; '' over a unix socket. */
export function addressOf({ ip }: FastifyRequest): string {
  return ip ?? ''
}

/** The path of a request's address, still encoded. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? ''
}

/** The query of a request's address with its question mark; '' without one. */
export function searchOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.slice(pathOf({ url }).length)
}

/** Whether a request looks for a page: a browser that opens an address, or somebody who takes anything. */
export function takesPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const ranges = (headers.accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '')
  return ranges.some((range) => range === '*/*' || range === 'text/*' || range === 'text/html')
}

/** A browser that opens an address by itself, in distinction to a script or a picture. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').toLowerCase().includes('text/html')
}
