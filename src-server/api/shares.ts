import type { FastifyInstance } from 'fastify'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'

/** Registers the calls with which users make and delete public links. */
export function shareCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/share/*', ({ shares, path }) => shares.list(path))

  endpoint(app, api, 'GET /api/shares', ({ shares }) => shares.all())

  // Older clients send the expiry in the query, later ones in the body.
  endpoint(app, api, 'POST /api/share/*', ({ shares, path, query, body }) => shares.create(path, { ...query, ...body }))

  endpoint(app, api, 'PATCH /api/share/:hash', ({ shares, params, body }) => shares.edit(params.hash, body))

  endpoint(app, api, 'DELETE /api/share/:hash', async ({ shares, params, reply }) => {
    await shares.remove(params.hash)
    return done(reply)
  })
}
