import { type EventEmitter, on } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import type { Contract, Endpoint } from '../contract/endpoint.ts'
import { type Api, type Asked, askedOf, type NameOf } from './endpoint.ts'
import { clientLeft } from './request-operation.ts'
import { registered, urlsOf } from './routes.ts'

export type Connection<E extends Endpoint, N extends string> = Asked<E, N> & {
  /** Texts in the order in which they came; ends when the socket closes. While some wait to be taken, no more are read. */
  messages: AsyncIterable<string>
  /** Resolves when the text is written: whoever waits for it holds one text at a time. */
  send(text: string): Promise<void>
}

type Handler<E extends Endpoint, N extends string> = (connection: Connection<E, N>) => Promise<void>

/** Bytes of one message that a client may send. */
export const largestMessage = 65_536

/** Messages that wait to be taken. */
const mostWaiting = 16

/** Close codes of RFC 6455, 7.4.1. */
const closeCode = { normal: 1000, unsupported: 1003, internal: 1011 } as const

/** What of a WebSocket is used here: `ws` brings no types. */
type WebSocket = EventEmitter & {
  send(text: string, done: (error?: Error) => void): void
  close(code: number): void
}

/**
 * Registers a WebSocket of the contract: with the authentication of a call, and for pages of this server alone. Both are asked
 * before the upgrade, so that a refusal is an HTTP answer. The operation is aborted when the socket closes and ends when the
 * handler has returned; the socket is closed when the handler has returned.
 */
export function socket<C extends Contract, N extends NameOf<C, true>>(
  app: FastifyInstance,
  { contract, authenticate }: Api<C>,
  name: N,
  handle: Handler<C[N], N>,
): void {
  const call = contract[name] as Endpoint
  const accepted = new WeakMap<FastifyRequest, Asked<C[N], N>>()
  const accept = async (request: FastifyRequest) => {
    refuseOtherOrigins(request)
    const operation = operationOf(request)
    const context = await authenticate[call.access](request, call, operation)
    if (!request.ws) throw new Failure('invalid', 'this address takes WebSockets alone')
    accepted.set(request, askedOf({ call, request }, context, operation) as unknown as Asked<C[N], N>)
  }
  for (const url of urlsOf(name.split(' ')[1] ?? '')) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      config: { [registered]: true } as never,
      schema: call.query ? { querystring: call.query } : {},
      preHandler: accept,
      // Never reached: what is no WebSocket is refused above.
      handler: async () => {},
      wsHandler: (webSocket, request) => serve(webSocket, accepted.get(request) as Asked<C[N], N>, handle),
    })
  }
}

/** For Node: whether a connection may be taken over. Whatever else a client would like to speak, HTTP is what it gets. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** A page elsewhere could open a socket with the cookie of whoever looks at it: CORS does not hold for sockets. */
function refuseOtherOrigins({ headers, host }: FastifyRequest) {
  const { origin } = headers
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return
  throw new Failure('forbidden', 'only pages of this server may open this')
}

/** Ends with the connection, whether it was taken over or refused. */
function operationOf({ raw, log }: FastifyRequest): Operation {
  const operation = new Operation()
  raw.socket.once('close', () => {
    operation.abort(clientLeft)
    const ended = serving.get(operation) ?? Promise.resolve()
    ended.then(() => operation.end()).catch((error: unknown) => log.error({ err: error }, 'a socket could not be cleaned up'))
  })
  return operation
}

/** The handlers that still run. */
const serving = new WeakMap<Operation, Promise<void>>()

function serve<E extends Endpoint, N extends string>(webSocket: WebSocket, asked: Asked<E, N>, handle: Handler<E, N>) {
  const { operation, request } = asked
  const messages = textsOf(webSocket)
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => webSocket.send(text, (error) => (error ? reject(error) : resolve())))
  const served = handle({ ...asked, messages, send } as unknown as Connection<E, N>).then(
    () => webSocket.close(closeCode.normal),
    (error: unknown) => {
      if (!operation.signal.aborted) request.log.error({ err: error }, 'a socket failed')
      webSocket.close(closeCode.internal)
    },
  )
  serving.set(operation, served)
}

/** Listens from now on, so that nothing is lost before the handler asks. */
function textsOf(webSocket: WebSocket): AsyncIterable<string> {
  const arrivals = on(webSocket, 'message', { close: ['close'], highWaterMark: mostWaiting, lowWaterMark: 1 })
  async function* texts() {
    for await (const [bytes, isBinary] of arrivals as AsyncIterable<[Buffer, boolean]>) {
      if (isBinary) return webSocket.close(closeCode.unsupported)
      yield bytes.toString()
    }
  }
  return texts()
}
