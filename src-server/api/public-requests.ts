import type { FastifyInstance } from 'fastify'
import { asStranger } from '../requests/as-stranger.ts'
import { receiptText } from '../requests/receipts.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerFailure } from './error-replies.ts'
import { keepOtherSitesOut, senderCookie, senderOf } from './sender-cookie.ts'

/** Registers the calls for those who send files by a request link. */
export function publicRequestCalls(app: FastifyInstance, api: Api): void {
  keepOtherSitesOut(app)
  app.setErrorHandler((error, request, reply) => answerFailure(asStranger(error), request, reply))

  endpoint(app, api, 'GET /api/public/request/:hash', async ({ opened, reply }) => {
    reply.header('Cache-Control', 'no-store')
    return opened.show()
  })

  endpoint(app, api, 'POST /api/public/request/:hash/receipt', ({ opened }) => opened.makeReceipt())

  endpoint(app, api, 'GET /api/public/request/:hash/receipt/:number', async ({ opened, params, query, reply }) => {
    reply.header('Cache-Control', 'no-store')
    const receipt = await opened.receipt(params.number)
    if (query.format === undefined) return receipt
    reply.header('Content-Disposition', `attachment; filename="receipt-${receipt.number}.txt"`)
    return reply.type('text/plain; charset=utf-8').send(receiptText(receipt))
  })

  endpoint(app, api, 'POST /api/public/request/:hash/leave', async ({ params: { hash }, baseURL, reply }) => {
    // From another site the cookie does not come, and must not be ended.
    if (senderOf(reply.request, hash) === undefined) return reply.removeHeader('Set-Cookie').code(204).send()
    return reply
      .code(204)
      .header('Set-Cookie', senderCookie(reply.request, { hash, sender: '', baseURL }))
      .send()
  })
}
