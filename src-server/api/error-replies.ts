import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { type Answer, answerFor, problemOf, sentenceOf } from './failures.ts'
import { lingering } from './lingering.ts'
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
  const isClosing = answer.status >= 400 && closesUnread(request)
  return send(answer, { request, reply, isClosing })
}

/** Whether the client has gone, in the middle of its body or while the answer was made: not an error of ours. */
function hasLeft({ raw }: FastifyRequest) {
  return raw.socket.destroyed || (raw.destroyed && !raw.complete)
}

function isLogged(error: unknown) {
  return error instanceof Failure && error.isLogged
}

/** A failure that has a cause is logged by that: it holds the stack of what really happened. */
function withReason(error: unknown) {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

/** Headers of a file whose answer did not come to be. */
const ofFiles = ['ETag', 'Last-Modified', 'Content-Disposition', 'Accept-Ranges', 'Content-Range', 'Content-Length']

function send(
  answer: Answer,
  { request, reply, isClosing }: { request: FastifyRequest; reply: FastifyReply; isClosing: boolean },
) {
  for (const name of ofFiles) reply.removeHeader(name)
  secure(reply).code(answer.status).headers(answer.headers)
  const isProblem = wantsProblem(request.headers.accept)
  const text = isProblem ? JSON.stringify(problemOf(answer)) : sentenceOf(answer)
  reply.type(isProblem ? 'application/problem+json' : 'text/plain; charset=utf-8')
  if (!isClosing) return reply.send(text)
  reply.headers({ Connection: 'close', 'Content-Length': Buffer.byteLength(text) })
  return reply.send(lingering(text, request.raw))
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
 * @returns whether the connection is to be closed after the answer
 */
function closesUnread({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === undefined && encoding === undefined)) return false
  if (Number(length ?? Number.POSITIVE_INFINITY) > mostUnread) return true
  raw.resume()
  return false
}
