import type { FastifyInstance } from 'fastify'
import type { Api } from './endpoint.ts'
import { socket } from './socket.ts'

/** Bytes of a message, and how many a second: the page sends one when a folder is opened. */
const received = { mostBytes: 8192, mostPerSecond: 20 }

/** Registers the socket of live folders. */
export function liveCalls(app: FastifyInstance, api: Api): void {
  socket(
    app,
    api,
    'GET /api/live',
    ({ live, follow, followJobs, me, messages, send, operation: { signal } }) =>
      live.serve({ userId: me.user.id, messages, send, follow, followJobs, signal }),
    { received, beforeUpgrade: ({ live, me, operation }) => live.enter(me, operation) },
  )
}
