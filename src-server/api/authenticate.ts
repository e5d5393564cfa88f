import type { FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { PublicRequests } from '../requests/public-requests.ts'
import type { PublicShares } from '../shares/public-shares.ts'
import type { AccessRevocation } from '../users/access-revocation.ts'
import type { Identity, SignIn } from '../users/sign-in.ts'
import type { SignUp } from '../users/sign-up.ts'
import { sourceOf } from '../users/source-address.ts'
import type { Authenticate } from './context.ts'
import { linkPassword, ticketCookie, ticketOf, visitorOf } from './link-tickets.ts'
import { withoutToken } from './log.ts'
import { answersTo, type Trusts } from './peers.ts'
import { type AdministratorServices, type Caller, contextsOf, type Makers, type PersonServices } from './person-context.ts'
import { actKeyOf, addressOf } from './requests.ts'
import { mayGetCookie, senderCookie, senderOf } from './sender-cookie.ts'
import { tokenOf } from './tokens-of.ts'

/** What authentication needs: sign-in, the options about it, and the services that it opens. */
export type AuthenticateOptions = Readonly<{
  signIn: SignIn
  signUp: SignUp
  person: Makers<PersonServices>
  administrator: Makers<AdministratorServices>
  publicShares: PublicShares
  publicRequests: PublicRequests
  revocation: AccessRevocation
  authMethod: 'json' | 'noauth' | 'proxy'
  /** In lower case; set only with `proxy`. */
  authHeader?: string | undefined
  trusts: Trusts
  /** Host names that noauth answers to, besides localhost and IP addresses. */
  hosts: readonly string[]
  cookieNames: readonly string[]
  /** '' or '/prefix'. */
  baseURL: string
}>

/** Milliseconds in which a call that withdraws its own rights is answered, or a form amid which its link is closed. */
const answerTime = 5000

/** Milliseconds for whoever reads what was written to a socket before its end: why it ends. */
const longestEnd = 1000

function cutConnection({ raw: { socket } }: FastifyRequest, endpoint: Endpoint): void {
  if (!endpoint.socket) return void socket.destroy()
  socket.destroySoon()
  setTimeout(() => socket.destroy(), longestEnd).unref()
}

/** Makes the authentication of all calls. Only the token, or the header of a trusted proxy, tells who is calling. */
export function makeAuthenticate(parts: AuthenticateOptions): Authenticate {
  /** Holds the rights of a request, and gives what its context is made of. */
  const begin = async (request: FastifyRequest, endpoint: Endpoint, operation: Operation): Promise<Caller> => {
    const cut = () => cutConnection(request, endpoint)
    const grace = endpoint.changesAccess ? answerTime : 0
    const how = { cut, grace, endsInTime: endpoint.socket === true }
    const read = () => identify(parts, request, endpoint)
    const { view: me, grant } = endpoint.tellsEnd ? { view: await read() } : await parts.revocation.hold(read, operation, how)
    const actKey = actKeyOf(request)
    const source = { address: addressOf(request), way: 'page', ...(actKey !== undefined && { actKey }) } as const
    return { me, operation, source, grant }
  }
  const personOf = contextsOf(parts.person)
  const administratorOf = contextsOf(parts.administrator)
  return {
    public: async (request) => {
      checkHost(parts, request)
      return { signIn: parts.signIn, signUp: parts.signUp }
    },
    share: async (request, endpoint, operation) => {
      checkHost(parts, request)
      const { hash = '' } = request.params as { hash?: string }
      const address = addressOf(request)
      const source = sourceOf(address)
      const visitor = visitorOf(request, { hash, source, trusts: parts.trusts })
      const cut = () => cutConnection(request, endpoint)
      const shown = { password: linkPassword(request), ticket: ticketOf(request, hash) }
      // A socket stays for long, and must keep no folder open.
      const opening = endpoint.socket ? new Operation({ within: operation.signal }) : operation
      const opened = parts.publicShares.open({ hash, address, visitor, ...shown, operation: opening, cut })
      const { shared, newTicket } = await opened.finally(() => opening !== operation && opening.end())
      const cookie = newTicket && ticketCookie(request, { hash, ticket: newTicket, baseURL: parts.baseURL })
      const follow = () => parts.publicShares.follow({ hash, visitor, operation })
      return { shared, visitor: source, baseURL: parts.baseURL, follow, ...(cookie && { cookie }) }
    },
    request: async (request, endpoint, operation) => {
      checkHost(parts, request)
      const { hash = '' } = request.params as { hash?: string }
      const address = addressOf(request)
      const source = sourceOf(address)
      const shown = { password: linkPassword(request), ticket: ticketOf(request, hash), cookie: senderOf(request, hash) }
      const cut = () => cutConnection(request, endpoint)
      const { opened, newTicket, newCookie } = await parts.publicRequests.open({
        hash,
        address,
        source,
        ...shown,
        operation,
        cut,
        closingGrace: endpoint.tellsClosing ? answerTime : 0,
      })
      const { baseURL } = parts
      const ticket = newTicket === undefined ? [] : [ticketCookie(request, { hash, ticket: newTicket, baseURL })]
      const isNew = newCookie !== undefined && mayGetCookie(request)
      const sender = isNew ? [senderCookie(request, { hash, sender: newCookie, baseURL })] : []
      return { opened, visitor: source, cookie: [...ticket, ...sender], baseURL }
    },
    user: async (...asked) => personOf(await begin(...asked)),
    admin: async (...asked) => administratorOf(await begin(...asked)),
    identify: (request, endpoint) => identify(parts, request, endpoint),
    shareAddress: (request) => `${parts.baseURL}/share/${encodeURIComponent((request.params as { hash?: string }).hash ?? '')}`,
    addressOf: (path) => parts.baseURL + path,
    signInAddress: (request) =>
      `${parts.baseURL}/login?redirect=${encodeURIComponent(parts.baseURL + withoutToken(request.url))}`,
  }
}

/**
 * With noauth every request is accepted, so pages of other sites must not send any: a host name that an attacker points at this
 * server (DNS rebinding) is refused.
 * @throws Failure('forbidden')
 */
export function checkHost(
  { authMethod, hosts }: Pick<AuthenticateOptions, 'authMethod' | 'hosts'>,
  { headers }: FastifyRequest,
): void {
  if (authMethod === 'noauth' && !answersTo(headers.host, hosts)) {
    throw new Failure('forbidden', 'the server does not answer to this name; start it with --host and the name')
  }
}

async function identify(parts: AuthenticateOptions, request: FastifyRequest, endpoint: Endpoint): Promise<Identity> {
  checkHost(parts, request)
  checkPeer(parts, request)
  const me = await parts.signIn.identify(tokenOf(request, endpoint, parts.cookieNames))
  const named = proxyUser(parts, request)
  if (!me || (named !== undefined && named !== me.user.username)) throw new Failure('unauthorized')
  if (endpoint.access === 'admin' && !me.user.perm.admin) throw new Failure('forbidden')
  // Only the proxy says that the person may go on: without its header a token is used to its end.
  return parts.authMethod === 'proxy' && named === undefined ? { ...me, renewSoon: false } : me
}

/**
 * With sign-in by header the proxy decides who comes in. Whoever reaches the server past it could use a token that the proxy would
 * refuse now.
 * @throws Failure('unauthorized')
 */
export function checkPeer(
  { authMethod, trusts }: Pick<AuthenticateOptions, 'authMethod' | 'trusts'>,
  { raw }: FastifyRequest,
): void {
  if (authMethod === 'proxy' && !trusts(raw.socket.remoteAddress))
    throw new Failure('unauthorized', 'sign in by the proxy: this address is none that --trusted-proxy names')
}

/** The user name in the proxy's header; undefined without the header, and from a peer that is not trusted. */
export function proxyUser(
  { authMethod, authHeader, trusts }: AuthenticateOptions,
  { headers, raw }: FastifyRequest,
): string | undefined {
  if (authMethod !== 'proxy' || authHeader === undefined || !trusts(raw.socket.remoteAddress)) return undefined
  const value = headers[authHeader]
  return typeof value === 'string' ? asUtf8(value) : undefined
}

/** Node decodes headers as Latin-1; proxies send names in UTF-8. */
function asUtf8(value: string) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
