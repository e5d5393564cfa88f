import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { type Answer, answerFor, problemOf, sentenceOf } from './failures.ts'
import { secure } from './security-headers.ts'

/** The answer of a change that worked: clients of this API ask for exactly 200 and a text. */
export function done(reply: FastifyReply): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(sentenceOf({ status: 200, cause: '' }))
}

/** Whatever a handler throws is answered here, once. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
}

export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = answerFor(error)
  if (hasLeft(request)) request.log.debug('the client left before the end')
  else if (answer.status === 500 && !isLogged(error)) request.log.error({ err: withReason(error) }, 'a request failed')
  if (answer.status >= 400) closeUnread(request, reply)
  return send(answer, request, reply)
}

/** Whether the client went away in the middle of its body: not an error of ours. */
function hasLeft({ raw }: FastifyRequest) {
  return raw.destroyed && !raw.complete
}

function isLogged(error: unknown) {
  return error instanceof Failure && error.isLogged
}

/** A failure that has a cause is logged by that: it holds the stack of what really happened. */
function withReason(error: unknown) {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

/** Whatever was said already of an answer that did not come to be is taken back. */
function send(answer: Answer, request: FastifyRequest, reply: FastifyReply) {
  for (const name of ['ETag', 'Last-Modified', 'Content-Disposition', 'Accept-Ranges']) reply.removeHeader(name)
  secure(reply).code(answer.status).headers(answer.headers)
  if (wantsProblem(request.headers.accept)) return reply.type('application/problem+json').send(JSON.stringify(problemOf(answer)))
  return reply.type('text/plain; charset=utf-8').send(sentenceOf(answer))
}

/** RFC 9457 for who asks for it and does not take text as well. */
export function wantsProblem(accept = ''): boolean {
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  const takesText = ranges.some((range) => range === '*/*' || range?.startsWith('text/'))
  return !takesText && ranges.includes('application/problem+json')
}

/** Bytes of a body that are read to their end after a refusal, so that the connection can be used again. */
const mostUnread = 1 << 20

/**
 * A browser sends all of a body before it shows the refusal, unless the connection is closed: 200 MB were seen.
 * What is left of a small one is read and forgotten, since the next request stands behind it.
 */
function closeUnread({ raw }: FastifyRequest, reply: FastifyReply) {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === undefined && encoding === undefined)) return
  if (Number(length ?? Number.POSITIVE_INFINITY) > mostUnread) reply.header('Connection', 'close')
  else raw.resume()
}
