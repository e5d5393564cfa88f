// Questions about a request.
import type { FastifyRequest } from 'fastify'

/** The IP address of the client; '' over a unix socket. */
export function addressOf({ ip }: FastifyRequest): string {
  return ip ?? ''
}

/** The path of a request, percent-encoded. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? ''
}

/** The query of a request with its question mark; '' without one. */
export function searchOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.slice(pathOf({ url }).length)
}

/** Whether a request accepts an HTML page. */
export function takesPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const ranges = (headers.accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '')
  return ranges.some((range) => range === '*/*' || range === 'text/*' || range === 'text/html')
}

/** Whether a browser opens this address as a page, rather than from a script or as a picture. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').toLowerCase().includes('text/html')
}
