import type { FastifyRequest } from 'fastify'
import { senderCookieLife } from '../requests/senders.ts'
import { cookiesOf } from './tokens-of.ts'

/** What tells who sends something by a link, as it came. */
export function senderOf({ headers }: FastifyRequest, hash: string): string | undefined {
  return cookiesOf(headers.cookie).get(nameOf(hash))
}

/** @param given.sender '' ends it */
export function senderCookie(
  { protocol }: FastifyRequest,
  { hash, sender, baseURL }: Readonly<{ hash: string; sender: string; baseURL: string }>,
): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  const life = sender === '' ? 0 : senderCookieLife
  return `${nameOf(hash)}=${sender}; Path=${baseURL}/api/public; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`
}

const nameOf = (hash: string) => `sender-${hash}`
