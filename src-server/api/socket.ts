import { type EventEmitter, on } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { terminalProtocol } from '../contract/commands.ts'
import type { Contract, Endpoint } from '../contract/endpoint.ts'
import { withdrawn } from '../users/access-revocation.ts'
import { type Api, type NameOf, type RequestContext, requestContextOf } from './endpoint.ts'
import { clientLeft } from './request-operation.ts'
import { registered, urlsOf } from './routes.ts'

/** What the handler of a socket gets. */
export type Connection<E extends Endpoint, N extends string> = RequestContext<E, N> & {
  /** The texts received, in order; ends when the socket closes. When too many wait, the socket is not read. */
  messages: AsyncIterable<string>
  /** The subprotocol that was agreed on; '' for none. */
  protocol: string
  /** Resolves when the text is written. Await it, so that only one text at a time is in memory. */
  send(text: string): Promise<void>
}

type Handler<E extends Endpoint, N extends string> = (connection: Connection<E, N>) => Promise<void>

/** Maximum bytes of a message from a client. */
export const largestMessage = 65_536

/** Maximum messages that wait for the handler. */
const mostWaiting = 16

/** Close codes of RFC 6455, 7.4.1. */
const closeCode = { normal: 1000, unsupported: 1003, refused: 1008, tooBig: 1009, internal: 1011 } as const

/** What the client may send: bytes of a message, and messages a second. */
type Received = Readonly<{ mostBytes: number; mostPerSecond: number }>

type SocketHow<E extends Endpoint, N extends string> = Readonly<{
  received?: Received
  /** Called first, also for a request without an upgrade. What it throws is the answer. */
  checkRights?(requestContext: RequestContext<E, N>): void
  /** Called before the upgrade. What it throws is the answer. */
  beforeUpgrade?(requestContext: RequestContext<E, N>): void
}>

const usuallyReceived: Received = { mostBytes: largestMessage, mostPerSecond: Number.POSITIVE_INFINITY }

/** The parts of a WebSocket that are used here: `ws` has no types. */
type WebSocket = EventEmitter & {
  protocol: string
  send(text: string, done: (error?: Error) => void): void
  close(code: number): void
  resume(): void
  ping(): void
  terminate(): void
}

/**
 * Registers a WebSocket of the contract. Authentication and origin are checked before the upgrade, so that a refusal is an HTTP
 * answer. The operation is aborted when the socket closes and ends when the handler has returned; then the socket is closed too.
 */
export function socket<C extends Contract, N extends NameOf<C, true>>(
  app: FastifyInstance,
  { contract, authenticate, limits, deadlines }: Api<C>,
  name: N,
  handle: Handler<C[N], N>,
  { checkRights, beforeUpgrade, received = usuallyReceived }: SocketHow<C[N], N> = {},
): void {
  const call = contract[name] as Endpoint
  const accepted = new WeakMap<FastifyRequest, RequestContext<C[N], N>>()
  const accept = async (request: FastifyRequest) => {
    refuseOtherOrigins(request)
    const { operation, refuse } = operationOf(request)
    try {
      const context = await authenticate[call.access](request, call, operation)
      const requestContext = requestContextOf({ call, request }, context, operation) as unknown as RequestContext<C[N], N>
      checkRights?.(requestContext)
      if (!request.ws) throw new Failure('invalid', 'this address takes only WebSockets')
      beforeUpgrade?.(requestContext)
      if ('visitor' in context && call.limit) await limits.enter(call.limit, context.visitor, operation)
      accepted.set(request, requestContext)
    } catch (error) {
      // The connection of a refused request stays open, for others.
      await refuse()
      throw error
    }
  }
  for (const url of urlsOf(name.split(' ')[1] ?? '')) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      config: { [registered]: true } as never,
      schema: call.query ? { querystring: call.query } : {},
      preHandler: accept,
      // Never called: requests that are not WebSockets are refused in `accept`.
      handler: async () => {},
      wsHandler: (webSocket, request) => {
        const requestContext = accepted.get(request) as RequestContext<C[N], N>
        requestContext.operation.own({ close: deadlines.endSilent(webSocket) })
        serve({ webSocket, received, requestContext }, handle)
      },
    })
  }
}

/** The first subprotocol that this server knows: a client that offers only others gets none. */
export function chosenProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(terminalProtocol) ? terminalProtocol : false
}

/** Node's `shouldUpgradeCallback`: other protocols in an Upgrade header are ignored and answered with HTTP. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Browsers let a page of any site open a socket, with the user's cookie: CORS does not apply to sockets. */
function refuseOtherOrigins({ headers, host, protocol }: FastifyRequest) {
  const { origin } = headers
  if (origin === undefined) return
  const from = URL.canParse(origin) ? new URL(origin) : undefined
  // Only https is sure: a proxy that ends TLS in front of another one often passes `http` on.
  if (from?.host === host && (protocol !== 'https' || from.protocol === 'https:')) return
  throw new Failure('forbidden', 'only pages of this server may open this')
}

/** The operation of a connection, which ends with it. `refuse` ends it before. */
function operationOf({ raw, log }: FastifyRequest): { operation: Operation; refuse(): Promise<void> } {
  const report = (error: unknown) => log.error({ err: error }, 'a socket could not be cleaned up')
  const operation = new Operation({ onLateFailure: report })
  const close = () => {
    operation.abort(clientLeft)
    const ended = serving.get(operation) ?? Promise.resolve()
    ended.then(() => operation.end()).catch(report)
  }
  const refuse = () => {
    raw.socket.off('close', close)
    return operation.end()
  }
  raw.socket.once('close', close)
  return { operation, refuse }
}

/** The handlers that still run. */
const serving = new WeakMap<Operation, Promise<void>>()

type Served<E extends Endpoint, N extends string> = Readonly<{
  webSocket: WebSocket
  received: Received
  requestContext: RequestContext<E, N>
}>

function serve<E extends Endpoint, N extends string>(
  { webSocket, received, requestContext }: Served<E, N>,
  handle: Handler<E, N>,
) {
  const { operation, request } = requestContext
  const { texts: messages, close } = receive(webSocket, received)
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => webSocket.send(text, (error) => (error ? reject(error) : resolve())))
  const connection = Object.assign(requestContext, { messages, send, protocol: webSocket.protocol })
  const tellWithdrawal = () => operation.signal.reason === withdrawn && close(closeCode.refused)
  // That of a link is closed by its handler: the page asks then what has become of the link.
  if (!('visitor' in requestContext)) operation.signal.addEventListener('abort', tellWithdrawal, { once: true })
  const served = handle(connection as unknown as Connection<E, N>).then(
    () => close(closeCode.normal),
    (error: unknown) => {
      const isRefused = error instanceof Failure
      if (!operation.signal.aborted && !isRefused) request.log.error({ err: error }, 'a socket failed')
      close(isRefused ? closeCode.refused : closeCode.internal)
    },
  )
  serving.set(operation, served)
}

/** The texts of a socket, and what closes it from this side. Listens at once, so that messages are not lost before the handler iterates. */
function receive(webSocket: WebSocket, { mostBytes, mostPerSecond }: Received) {
  const events = on(webSocket, 'message', { close: ['close'], highWaterMark: mostWaiting, lowWaterMark: 1 })
  const isTooOften = rateLimit(mostPerSecond)
  const close = (code: number) => {
    webSocket.close(code)
    // Messages that wait may have paused the socket. The client's answer, which ends it, comes behind them.
    void events.return?.()
    webSocket.resume()
  }
  async function* texts() {
    for await (const [bytes, isBinary] of events as AsyncIterable<[Buffer, boolean]>) {
      if (isBinary) return close(closeCode.unsupported)
      if (bytes.length > mostBytes) return close(closeCode.tooBig)
      if (isTooOften()) return close(closeCode.refused)
      yield bytes.toString()
    }
  }
  return { texts: texts(), close }
}

/** Counts in whole seconds. @returns whether one more is too many */
function rateLimit(mostPerSecond: number): () => boolean {
  let count = 0
  let since = performance.now()
  return () => {
    const now = performance.now()
    if (now - since >= 1000) [count, since] = [0, now]
    return ++count > mostPerSecond
  }
}
