import type { FastifyInstance } from 'fastify'
import { RequestBody, RequestChanges } from '../contract/requests.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { refuseFields } from './shares.ts'

/** Registers the calls with which users make, change and delete links that take files in. */
export function requestLinkCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/requests', ({ requests }) => requests.all())

  endpoint(app, api, 'POST /api/requests/*', async ({ requests, path, body }) => {
    refuseFields(body, RequestBody, () => true)
    return requests.create(path, body)
  })

  endpoint(app, api, 'PATCH /api/requests/:hash', async ({ requests, params, body }) => {
    refuseFields(body, RequestChanges, () => true)
    return requests.edit(params.hash, body)
  })

  endpoint(app, api, 'GET /api/requests/:hash/senders', ({ requests, params, query }) =>
    requests.senders(params.hash, query.after),
  )

  endpoint(app, api, 'GET /api/requests/:hash/arrivals', ({ requests, params, query }) => requests.arrivals(params.hash, query))

  endpoint(app, api, 'PUT /api/requests/:hash/seen', async ({ requests, params, body, reply }) => {
    await requests.see(params.hash, body.files ?? 0)
    return done(reply)
  })

  endpoint(app, api, 'DELETE /api/requests/:hash', async ({ requests, params, reply }) => {
    await requests.remove(params.hash)
    return done(reply)
  })
}
