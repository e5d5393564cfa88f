import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Operation } from '../base/operation.ts'

/** The reason of a signal that is aborted because nobody is there to take the answer. */
export const clientLeft = new Error('the client left before the end')

type Arrival = Readonly<{ request: FastifyRequest; reply: FastifyReply }>

/**
 * Runs a handler with the operation of its request. The operation is aborted when the client goes, and ends when the response
 * has ended and the handler has returned: a file is sent after its handler has returned, and a handler whose client has gone may
 * still be reading.
 */
export function withOperation<T>({ request, reply }: Arrival, work: (operation: Operation) => Promise<T>): Promise<T> {
  const operation = new Operation()
  const handled = work(operation)
  const sent = responseEnd({ request, reply }, operation)
  Promise.allSettled([handled, sent])
    .then(() => operation.end())
    .catch((error: unknown) => request.log.error({ err: error }, 'something that a request held could not be closed'))
  return handled
}

/** Resolves when the response was sent or its connection is closed. */
function responseEnd({ request, reply }: Arrival, operation: Operation): Promise<void> {
  const { socket } = request.raw
  return new Promise((resolve) => {
    const stop = () => {
      socket.off('close', stop)
      if (!reply.raw.writableFinished) operation.abort(clientLeft)
      resolve()
    }
    finished(reply.raw, stop)
    // A response that waits behind another of its connection has no socket yet, and is not told that it closes.
    socket.on('close', stop)
    if (socket.destroyed) stop()
  })
}
