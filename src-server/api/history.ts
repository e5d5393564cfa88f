// What the person did, and taking it back.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Undone } from '../contract/history.ts'
import type { OwnHistory } from '../history/own-history.ts'
import { type Api, endpoint } from './endpoint.ts'

/** Registers the calls of the history. */
export function historyCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/history', async ({ history }) => ({ acts: await history.list() }))

  endpoint(app, api, 'POST /api/history/:id/undo', async ({ history, params, body, reply }) =>
    answered(reply, await history.undo(params.id, 'undo', { rest: body.rest ?? false })),
  )

  endpoint(app, api, 'POST /api/history/:id/redo', async ({ history, params, body, reply }) =>
    answered(reply, await history.undo(params.id, 'redo', { rest: body.rest ?? false })),
  )
}

function answered(reply: FastifyReply, { isChanged, ...undone }: Awaited<ReturnType<OwnHistory['undo']>>): Undone {
  if (!isChanged) reply.code(409)
  return undone
}
