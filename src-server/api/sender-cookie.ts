import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { senderCookieLife } from '../requests/senders.ts'
import { cookiesOf } from './tokens-of.ts'

/** What tells who sends something by a link, as it came. */
export function senderOf({ headers }: FastifyRequest, hash: string): string | undefined {
  return cookiesOf(headers.cookie).get(nameOf(hash))
}

/** It comes with links of other sites, which change nothing, and not with their forms. @param given.sender '' ends it */
export function senderCookie(
  { protocol }: FastifyRequest,
  { hash, sender, baseURL }: Readonly<{ hash: string; sender: string; baseURL: string }>,
): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  const life = sender === '' ? 0 : senderCookieLife
  return `${nameOf(hash)}=${sender}; Path=${baseURL}/api/public; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * Whether who has no cookie in a request may get one. With a request of another site none comes though there may be one, and browsers do
 * not say over http where a form comes from.
 */
export function mayGetCookie({ method, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  const isForm = method === 'POST' && headers['tus-resumable'] === undefined
  return site === 'same-origin' || (!isForm && (site === undefined || site === 'none'))
}

/** Other sites must not change or end anything in the name of who looks at them. */
export function keepOtherSitesOut(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    const site = headers['sec-fetch-site'] ?? 'none'
    if (method === 'POST' && site !== 'same-origin' && site !== 'none') throw new Failure('forbidden')
  })
}

const nameOf = (hash: string) => `sender-${hash}`
