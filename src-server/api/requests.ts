// Questions about a request.
import type { FastifyRequest } from 'fastify'
import { refusedField } from '../base/failure.ts'

/** The IP address of the client; '' over a unix socket. */
export function addressOf({ ip }: FastifyRequest): string {
  return ip ?? ''
}

/**
 * Stands for what a person does with several requests, so that it is undone as one; without it nothing is kept to be undone.
 * @throws Failure('invalid')
 */
export function actKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['holdall-act']
  if (key === undefined || (typeof key === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(key))) return key
  throw refusedField('Holdall-Act', 'has 8 to 64 letters, digits, hyphens and underscores')
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
