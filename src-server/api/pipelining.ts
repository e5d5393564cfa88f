import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

type Queue = { isBusy: boolean; waiting: (() => void)[] }

/**
 * Requests that a client sends on one connection without waiting for their answers are handled one after another. While one
 * waits nothing more is read from the connection: by then the body of the running one has arrived completely.
 */
export function oneRequestPerConnection(app: FastifyInstance): void {
  const queues = new WeakMap<Socket, Queue>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw
    const queue = queues.get(socket) ?? { isBusy: false, waiting: [] }
    queues.set(socket, queue)
    const begin = () => {
      queue.isBusy = true
      done()
    }
    if (!queue.isBusy) return begin()
    queue.waiting.push(begin)
    socket.pause()
  })
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    const queue = queues.get(socket)
    if (queue) beginNext(queue, socket)
  })
}

function beginNext(queue: Queue, socket: Socket) {
  queue.isBusy = false
  if (socket.destroyed) queue.waiting.length = 0
  const next = queue.waiting.shift()
  if (queue.waiting.length === 0) socket.resume()
  next?.()
}
