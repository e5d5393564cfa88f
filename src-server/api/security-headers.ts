import type { FastifyInstance, FastifyReply } from 'fastify'

/** Set on every answer; the code that answers may replace them. */
const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const

/** Registers the headers for all answers. A hook before all others, so that refusals have them too. */
export function secureAnswers(app: FastifyInstance, { hsts }: { hsts: boolean }): void {
  app.addHook('onRequest', async (request, reply) => {
    secure(reply)
    // Browsers ignore both over http, and complain of the first.
    if (request.protocol !== 'https') return
    reply.header('Cross-Origin-Opener-Policy', 'same-origin')
    if (hsts) reply.header('Strict-Transport-Security', 'max-age=31536000')
  })
}

/** Sets the headers on one answer: for those made before any hook runs. */
export function secure(reply: FastifyReply): FastifyReply {
  return reply.headers(headers)
}
