// The password of a public link in a request, and the cookie that stands for it afterwards.
import type { FastifyRequest } from 'fastify'
import { ticketLife } from '../shares/locks.ts'
import { cookiesOf } from './tokens-of.ts'

/** The header is percent-encoded; what is not is taken as it is. */
export function linkPassword({ headers }: FastifyRequest): string | undefined {
  const header = headers['x-share-password']
  if (typeof header !== 'string') return undefined
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

export function ticketOf({ headers }: FastifyRequest, hash: string): string | undefined {
  return cookiesOf(headers.cookie).get(nameOf(hash))
}

type LinkTicket = Readonly<{ hash: string; ticket: string; baseURL: string }>

/** Never in an address, which is passed on, logged and remembered. */
export function ticketCookie({ protocol }: FastifyRequest, { hash, ticket, baseURL }: LinkTicket): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  return `${nameOf(hash)}=${ticket}; Path=${baseURL}/api/public; Max-Age=${ticketLife}; HttpOnly; SameSite=Strict${secure}`
}

const nameOf = (hash: string) => `link-${hash}`
