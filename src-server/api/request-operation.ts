import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Operation } from '../base/operation.ts'

/** The abort reason when the client has closed the connection. */
export const clientLeft = new Error('the client left before the end')

type Incoming = Readonly<{ request: FastifyRequest; reply: FastifyReply }>

/**
 * Runs a handler with the operation of its request. The operation is aborted when the client closes the connection. It ends when
 * both the response has ended and the handler has returned: a file is sent after its handler has returned, and a handler may
 * still be reading after the client has gone.
 */
export function withOperation<T>({ request, reply }: Incoming, work: (operation: Operation) => Promise<T>): Promise<T> {
  const report = (error: unknown) => request.log.error({ err: error }, 'a resource of a request could not be closed')
  const operation = new Operation({ onLateFailure: report })
  const handled = work(operation)
  const sent = responseEnd({ request, reply }, operation)
  Promise.allSettled([handled, sent])
    .then(() => operation.end())
    .catch(report)
  return handled
}

/** Resolves when the response was sent or its connection is closed. */
function responseEnd({ request, reply }: Incoming, operation: Operation): Promise<void> {
  const { socket } = request.raw
  return new Promise((resolve) => {
    const stop = () => {
      socket.off('close', stop)
      if (!reply.raw.writableFinished) operation.abort(clientLeft)
      resolve()
    }
    finished(reply.raw, stop)
    // A response that waits behind another one on its connection has no socket yet and gets no event when it closes.
    socket.on('close', stop)
    if (socket.destroyed) stop()
  })
}
