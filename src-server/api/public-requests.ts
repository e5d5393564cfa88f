import type { FastifyInstance } from 'fastify'
import { asStranger } from '../requests/as-stranger.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerFailure } from './error-replies.ts'

/** Registers the calls for those who send files by a request link. */
export function publicRequestCalls(app: FastifyInstance, api: Api): void {
  app.setErrorHandler((error, request, reply) => answerFailure(asStranger(error), request, reply))

  endpoint(app, api, 'GET /api/public/request/:hash', async ({ opened, reply }) => {
    reply.header('Cache-Control', 'no-store')
    return opened.show()
  })
}
