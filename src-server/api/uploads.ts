// Unfinished uploads as the page knows them: what there is, and another name for one.
import type { FastifyInstance } from 'fastify'
import { type Api, endpoint } from './endpoint.ts'

/** Registers the calls about unfinished uploads that are no tus. */
export function uploadCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/uploads', async ({ uploads }) => ({ uploads: uploads.list() }))

  endpoint(app, api, 'POST /api/uploads/:id/name', async ({ uploads, params, body, reply }) => {
    const unfinished = await uploads.rename(params.id, { name: body.name, override: body.override === true })
    return unfinished ?? reply.code(204).send()
  })
}
