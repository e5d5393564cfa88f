// The password of a public link in a request, the cookie that stands for it afterwards, and the cookie of a visit.
import type { FastifyRequest } from 'fastify'
import { ticketLife } from '../shares/link-passwords.ts'
import { type LinkClient, visitLife } from '../shares/visits.ts'
import { isForwarded, type Trusts } from './peers.ts'
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

/** Characters of a User-Agent header that tell visitors apart. */
const mostOfAgent = 512

/** Who asks for something of a link. Behind a proxy that is not named everybody has its address. */
export function visitorOf(
  request: FastifyRequest,
  asked: Readonly<{ hash: string; source: string; trusts: Trusts }>,
): LinkClient {
  const { headers, raw } = request
  const { hash, source, trusts } = asked
  const agent = (headers['user-agent'] ?? '').slice(0, mostOfAgent)
  const isShared = isForwarded(headers) && !trusts(raw.socket.remoteAddress)
  return { source, agent, visit: cookiesOf(headers.cookie).get(visitName(hash)), isShared }
}

/** Lax, so that a link that is opened again from a message continues its visit. */
export function visitCookie({ protocol }: FastifyRequest, { hash, visit, baseURL }: VisitCookie): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  return `${visitName(hash)}=${visit}; Path=${baseURL}/api/public; Max-Age=${visitLife}; HttpOnly; SameSite=Lax${secure}`
}

type VisitCookie = Readonly<{ hash: string; visit: string; baseURL: string }>

const nameOf = (hash: string) => `link-${hash}`
const visitName = (hash: string) => `visit-${hash}`
