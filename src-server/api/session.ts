import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Captcha } from '../users/captcha.ts'
import type { CaptchaPasses } from '../users/captcha-passes.ts'
import type { Identity, SignedIn } from '../users/sign-in.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { addressOf } from './requests.ts'

/** What the calls for sessions depend on. */
export type SessionRules = Readonly<{
  authMethod: 'json' | 'noauth' | 'proxy'
  /** The name in the header of a trusted proxy; undefined from other peers. */
  proxyUser(request: FastifyRequest): string | undefined
  /** The identity of the request's token or cookie. */
  caller(request: FastifyRequest): Promise<Identity | undefined>
  /** @throws Failure('unauthorized') for a peer that may not sign in by header */
  checkPeer(request: FastifyRequest): void
  cookieName: string
  /** '/' or the base URL. */
  cookiePath: string
  /** Asked before the password, when there is one. */
  captcha?: Readonly<{ check: Captcha; passes: CaptchaPasses }>
}>

/** Registers sign-in, renewal and sign-out. */
export function sessionCalls(app: FastifyInstance, api: Api, rules: SessionRules): void {
  app.addHook('onRequest', async (request) => {
    if (withPassword.includes(request.routeOptions.url ?? '')) refuseOtherSites(request)
  })
  app.addHook('preValidation', async (request) => {
    if (withPassword.includes(request.routeOptions.url ?? '')) request.body = withKnownKeys(request.body)
  })
  endpoint(app, api, 'POST /api/login', async ({ signIn, body, request, reply }) => {
    const { username = '', password = '', recaptcha = '' } = body
    const signedIn = await {
      json: async () => {
        const isKnown = rules.captcha?.passes.take(username, addressOf(request))
        if (!isKnown) await rules.captcha?.check.verify(recaptcha)
        return signIn.login({ username, password, ...clientOf(request) })
      },
      noauth: async () => signIn.loginWithoutAuth({ ...clientOf(request), caller: await rules.caller(request) }),
      proxy: async () => {
        const origin = { ...clientOf(request), caller: await rules.caller(request) }
        return signIn.loginByProxy(namedByProxy(rules, request), origin)
      },
    }[rules.authMethod]()
    return answerToken(reply, request, { signedIn, rules })
  })
  endpoint(app, api, 'POST /api/signup', async ({ signUp, body, request, reply }) => {
    const { username = '', password = '', recaptcha = '' } = body
    const address = addressOf(request)
    await signUp.signUp({ username, password, address }, async () => rules.captcha?.check.verify(recaptcha))
    rules.captcha?.passes.give(username, address)
    return done(reply)
  })
  endpoint(app, api, 'POST /api/renew', async ({ signIn, me, request, reply }) => {
    // Who came without the header keeps the token to its end.
    if (rules.authMethod === 'proxy' && rules.proxyUser(request) === undefined) throw new Failure('forbidden')
    const signedIn = await signIn.renew(me)
    return answerToken(reply.removeHeader('X-Renew-Token'), request, { signedIn, rules })
  })
  endpoint(app, api, 'GET /api/sessions', async ({ sessions }) => sessions.list())
  endpoint(app, api, 'DELETE /api/sessions/:session', async ({ sessions, params, reply }) => {
    await sessions.end(params.session)
    return done(reply)
  })
  endpoint(app, api, 'DELETE /api/sessions', async ({ sessions, reply }) => {
    await sessions.endOthers()
    return done(reply)
  })
  endpoint(app, api, 'POST /api/logout', async ({ signIn, me, request, reply }) => {
    await signIn.logout(me, addressOf(request))
    reply.removeHeader('X-Renew-Token').header('Set-Cookie', cookie({ rules, request, value: '', maxAge: 0 }))
    return done(reply)
  })
}

/** The calls with a name and a password. */
const withPassword: readonly string[] = ['/api/login', '/api/signup']

/** The types of a body that a page may send to any server without asking it first; '' when it names none. */
const typesOfForms = ['', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/**
 * Otherwise a page of another site could sign a browser in as somebody else, whose folder then gets what the person uploads. Browsers
 * say where a request comes from (Fetch Metadata); in older ones the origin tells, for what can be sent without a preflight request.
 * @throws Failure('forbidden')
 */
function refuseOtherSites({ headers, host, raw }: FastifyRequest) {
  const { 'sec-fetch-site': site, origin } = headers
  const isOther =
    site === undefined
      ? origin !== undefined && hostIn(origin) !== host && typesOfForms.includes(typeIn(raw.rawHeaders))
      : site === 'cross-site' || site === 'same-site'
  if (isOther) throw new Failure('forbidden', 'a page of another site may not sign in here')
}

const hostIn = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** The media type among the headers as they came: bodies are read whatever it is, so it is no longer among the others. */
function typeIn(rawHeaders: readonly string[]) {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type')
  return (at < 0 ? '' : (rawHeaders[at + 1] ?? '')).split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

const clientOf = (request: FastifyRequest) => ({
  address: addressOf(request),
  agent: request.headers['user-agent'] ?? '',
})

/** Some clients send `Username`: the keys of a sign-in may be in any case. */
function withKnownKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]))
}

function namedByProxy(rules: SessionRules, request: FastifyRequest): string {
  rules.checkPeer(request)
  const name = rules.proxyUser(request)
  if (name === undefined) throw new Failure('forbidden')
  return name
}

function answerToken(
  reply: FastifyReply,
  request: FastifyRequest,
  { signedIn, rules }: { signedIn: SignedIn; rules: SessionRules },
) {
  reply.header('Set-Cookie', cookie({ rules, request, value: signedIn.cookie, maxAge: signedIn.maxAge }))
  return reply.type('text/plain; charset=utf-8').send(signedIn.token)
}

type CookieParts = { rules: SessionRules; request: FastifyRequest; value: string; maxAge: number }

function cookie({ rules, request, value, maxAge }: CookieParts): string {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  return `${rules.cookieName}=${value}; Path=${rules.cookiePath}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`
}
