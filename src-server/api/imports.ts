import type { FastifyInstance } from 'fastify'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'

/** Registers the calls about what imports have brought. */
export function importCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/imports', async ({ imports }) => ({ notices: await imports.notices() }))
  endpoint(app, api, 'DELETE /api/imports', async ({ imports, reply }) => {
    await imports.takeNote()
    return done(reply)
  })
}
