import type { FastifyInstance, FastifyReply } from 'fastify'

/** On every answer; whoever answers may say something more fitting. */
const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const

/** Before anything else can answer, so that refusals carry them as well. */
export function secureAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    secure(reply)
  })
}

/** For the answers that are made before any hook runs. */
export function secure(reply: FastifyReply): FastifyReply {
  return reply.headers(headers)
}
