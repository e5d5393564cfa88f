import type { FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { OwnAccount } from '../people/own-account.ts'
import type { Identity, SignIn } from '../people/sign-in.ts'
import type { Authenticate } from './context.ts'
import { withoutToken } from './log.ts'
import { answersTo, type Trusts } from './peers.ts'
import { addressOf } from './requests.ts'
import { tokenOf } from './tokens-of.ts'

export type AuthenticateOptions = Readonly<{
  signIn: SignIn
  /** What that opens is owned by the operation. */
  filesOf(me: Identity, operation: Operation, source: Source): UserFiles
  accountOf(me: Identity, source: Source): OwnAccount
  authMethod: 'json' | 'noauth' | 'proxy'
  /** In lower case; proxy only. */
  authHeader?: string | undefined
  trusts: Trusts
  /** Host names that noauth answers to, beside localhost and IP literals. */
  hosts: readonly string[]
  cookieNames: readonly string[]
  /** '' or '/prefix'. */
  baseURL: string
}>

/** Who is calling, and what that opens. Nothing in a request but its token, or a trusted proxy's header, says who it is. */
export function makeAuthenticate(parts: AuthenticateOptions): Authenticate {
  const signedIn = async (request: FastifyRequest, endpoint: Endpoint, operation: Operation) => {
    checkHost(parts, request)
    const me = identify(parts, request, endpoint)
    if (endpoint.access === 'admin' && !me.user.perm.admin) throw new Failure('forbidden')
    const source = { address: addressOf(request), way: 'page' } as const
    return { files: parts.filesOf(me, operation, source), account: parts.accountOf(me, source), me, signIn: parts.signIn }
  }
  return {
    public: async (request) => {
      checkHost(parts, request)
      return { signIn: parts.signIn }
    },
    share: async () => {
      throw new Failure('notFound')
    },
    user: signedIn,
    admin: signedIn,
    signInAddress: (request) =>
      `${parts.baseURL}/login?redirect=${encodeURIComponent(parts.baseURL + withoutToken(request.url))}`,
  }
}

/** Without a password, whoever can send a request is in: a page elsewhere must not, by a name of its own that leads here. */
export function checkHost(
  { authMethod, hosts }: Pick<AuthenticateOptions, 'authMethod' | 'hosts'>,
  { headers }: FastifyRequest,
): void {
  if (authMethod === 'noauth' && !answersTo(headers.host, hosts)) {
    throw new Failure('forbidden', 'the server does not answer to this name; start it with --host and the name')
  }
}

function identify(parts: AuthenticateOptions, request: FastifyRequest, endpoint: Endpoint): Identity {
  const me = parts.signIn.identify(tokenOf(request, endpoint, parts.cookieNames))
  const named = proxyUser(parts, request)
  if (!me || (named !== undefined && named !== me.user.username)) throw new Failure('unauthorized')
  return me
}

/** The name that the proxy's header gives; undefined without one, and from a peer that is not trusted. */
export function proxyUser(
  { authMethod, authHeader, trusts }: AuthenticateOptions,
  { headers, raw }: FastifyRequest,
): string | undefined {
  if (authMethod !== 'proxy' || authHeader === undefined || !trusts(raw.socket.remoteAddress)) return undefined
  const value = headers[authHeader]
  return typeof value === 'string' ? asUtf8(value) : undefined
}

/** Node reads headers as Latin-1; proxies send names in UTF-8. */
function asUtf8(value: string) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
