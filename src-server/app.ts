// The Fastify instance: hooks for every request, the calls of the contract, the page, and the answer to everything else.
import fastifyStatic from '@fastify/static'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { registerApi } from './api/api.ts'
import { answerBadRequest } from './api/bad-request.ts'
import { ignoreContentTypes } from './api/bodies.ts'
import { type Api, largestUnknownBody } from './api/endpoint.ts'
import { answerFailure, answerFailures } from './api/error-replies.ts'
import { loggerFor, RequestLog } from './api/log.ts'
import { cleanForwardedFor, trustedPeers, warnOfUnnamedProxies } from './api/peers.ts'
import { oneRequestPerConnection } from './api/pipelining.ts'
import { pathOf, searchOf, takesPage } from './api/requests.ts'
import { refuseUnlistedRoutes } from './api/routes.ts'
import { contractSchemas } from './api/schemas.ts'
import { secure, secureAnswers } from './api/security-headers.ts'
import { sendFilesFromBuffers } from './api/send-file.ts'
import type { SessionRules } from './api/session.ts'
import { chosenProtocol, isWebSocket, largestMessage } from './api/socket.ts'
import { refuseUnmatchedCall } from './api/unmatched.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { Failure } from './base/failure.ts'
import type { PageConfig } from './contract/page.ts'
import type { WriteRequestForm } from './contract/request-form.ts'
import { logWriter } from './log-file.ts'
import type { Options } from './options/options.ts'
import type { Assets } from './pages/assets.ts'
import type { Branding } from './pages/branding.ts'
import {
  isRequestPage,
  isSharePage,
  pageRoutes,
  sendPage,
  sendRequestPage,
  sendSharePage,
  staticFiles,
} from './pages/index-page.ts'
import { writeRequestForm } from './pages/request-form.ts'
import { UnnamedProxies } from './users/unnamed-proxies.ts'

/** What the routes are registered with. */
export type AppParts = Readonly<{
  api: Api
  sessionRules: SessionRules
  assets: Assets
  branding: Branding
  /** @param path of the page, without the base URL */
  pageConfig(path: string): Promise<PageConfig>
  /** @throws Failure('forbidden') when the server does not answer to the host name of the request */
  checkHost(request: FastifyRequest): void
}>

/** Bytes. Allows a list of file names in a URL. */
const maxHeaderSize = 65_536

type Tls = { cert: string | Buffer; key: string | Buffer }

/** TCP keep-alive probes detect clients that have vanished: the first is sent after a minute of silence. */
const connections = {
  maxHeaderSize,
  shouldUpgradeCallback: isWebSocket,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
}

/** Makes the instance, still without routes. @param tls certificate and key as PEM @param proxies those that are met are added */
export function createApp(
  options: Options,
  tls?: Tls,
  clock: Clock = systemClock,
  proxies: UnnamedProxies = new UnnamedProxies(),
): FastifyInstance {
  const trusts = trustedPeers(options.trustedProxies)
  const app = Fastify({
    ...(tls ? { https: { ...tls, ...connections } } : { http: connections }),
    logger: loggerFor(options, logWriter(options.logTo)),
    logController: new RequestLog(),
    schemaController: contractSchemas,
    trustProxy: options.trustedProxies.length > 0 ? (address) => trusts(address) : false,
    rewriteUrl: ({ url = '/' }) => withoutBase(url, options.baseURL),
    frameworkErrors: (error, request, reply) => answerFailure(error, request, secure(reply)),
    clientErrorHandler: answerBadRequest,
    return503OnClosing: false,
    bodyLimit: largestUnknownBody,
  }) as unknown as FastifyInstance
  refuseUnlistedRoutes(app, pageRoutes)
  warnOfUnnamedProxies(app, { trusts, clock, proxies })
  cleanForwardedFor(app)
  return app
}

/** Registers the calls of the contract, the static files and the page. */
export function registerRoutes(app: FastifyInstance, { baseURL, hsts }: Options, parts: AppParts): void {
  oneRequestPerConnection(app)
  secureAnswers(app, { hsts })
  ignoreContentTypes(app)
  answerFailures(app)
  app.register(fastifyStatic, { serve: false })
  app.register(fastifyWebsocket, { options: { maxPayload: largestMessage, handleProtocols: chosenProtocol } })
  sendFilesFromBuffers(app)
  const writeForm: WriteRequestForm = async (form, languages) =>
    writeRequestForm(form, { ...(await pagePartsOf(parts, '/request')), languages })
  registerApi(app, parts.api, { sessionRules: parts.sessionRules, writeForm })
  staticFiles(app, parts.assets, parts.branding)
  app.setNotFoundHandler((request, reply) => answerUnmatched(request, reply, { ...parts, baseURL }))
}

async function answerUnmatched(request: FastifyRequest, reply: FastifyReply, parts: AppParts & { baseURL: string }) {
  parts.checkHost(request)
  refuseUnmatchedCall(request)
  if (!takesPage(request)) throw new Failure('notFound')
  if (parts.baseURL !== '' && pathOf(request) === parts.baseURL)
    return reply.redirect(`${parts.baseURL}/${searchOf(request)}`, 301)
  const path = pathOf(request)
  const languages = request.headers['accept-language'] ?? ''
  const page = { ...(await pagePartsOf(parts, path)), languages }
  if (isRequestPage(path, parts.assets)) return sendRequestPage(reply, page, path)
  return isSharePage(path, parts.assets) ? sendSharePage(reply, page, path) : sendPage(reply, page)
}

async function pagePartsOf({ assets, pageConfig, branding }: AppParts, path: string) {
  return { assets, config: await pageConfig(path), appearance: await branding.appearance() }
}

/** Removes the base URL when the path begins with it: a proxy may have removed it already. Also removes scheme and host. */
export function withoutBase(url: string, baseURL: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return baseURL !== '' && rooted.startsWith(`${baseURL}/`) ? rooted.slice(baseURL.length) : rooted
}
