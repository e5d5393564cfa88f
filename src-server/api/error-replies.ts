import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { type Answer, answerFor, problemOf, sentenceOf } from './failures.ts'
import { lingering } from './lingering.ts'
import { secure } from './security-headers.ts'

/** The answer to a successful change: existing clients expect status 200 and a text. */
export function done(reply: FastifyReply): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(sentenceOf({ status: 200, cause: '' }))
}

/** Registers the answer to everything that handlers throw. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
}

/** A page that says what has failed, with its Content-Security-Policy. */
export type FailurePage = Readonly<{ html: string; policy: string }>

/** Sends the answer to an error, and logs those that are faults of the server. @param page in place of the sentence */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, page?: FailurePage): FastifyReply {
  const answer = answerFor(error)
  if (hasLeft(request)) request.log.debug('the client left before the end')
  else if (answer.status === 500 && !isLogged(error)) request.log.error({ err: withReason(error) }, 'a request failed')
  const isClosing = answer.status >= 400 && closesUnread(request)
  return send(answer, { request, reply, isClosing, page })
}

/** Whether the client closed the connection, while it sent the body or waited: not a fault of the server. */
function hasLeft({ raw }: FastifyRequest) {
  return raw.socket.destroyed || (raw.destroyed && !raw.complete)
}

function isLogged(error: unknown) {
  return error instanceof Failure && error.isLogged
}

/** The cause of a failure is logged instead of it: its stack shows the origin. */
function withReason(error: unknown) {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

/** Headers of a file, which may have been set before the failure. */
const ofFiles = ['ETag', 'Last-Modified', 'Content-Disposition', 'Accept-Ranges', 'Content-Range', 'Content-Length']

type Sending = Readonly<{
  request: FastifyRequest
  reply: FastifyReply
  isClosing: boolean
  page: FailurePage | undefined
}>

function send(answer: Answer, { request, reply, isClosing, page }: Sending) {
  for (const name of ofFiles) reply.removeHeader(name)
  secure(reply).code(answer.status).headers(answer.headers)
  const isProblem = wantsProblem(request.headers.accept)
  const text = page?.html ?? (isProblem ? JSON.stringify(problemOf(answer)) : sentenceOf(answer))
  reply.type(page ? 'text/html; charset=utf-8' : isProblem ? 'application/problem+json' : 'text/plain; charset=utf-8')
  if (page) reply.header('Content-Security-Policy', page.policy)
  if (!isClosing) return reply.send(text)
  reply.headers({ Connection: 'close', 'Content-Length': Buffer.byteLength(text) })
  return reply.send(lingering(text, request.raw))
}

/** Whether a client is answered with problem details (RFC 9457): it accepts them and does not accept text. */
export function wantsProblem(accept = ''): boolean {
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  const takesText = ranges.some((range) => range === '*/*' || range?.startsWith('text/'))
  return !takesText && ranges.includes('application/problem+json')
}

/** Bytes of a refused body that are read to the end, so that the connection can be reused. */
const mostUnread = 1 << 20

/**
 * Unless the connection is closed, browsers send a body to its end before they show the refusal (seen with 200 MB).
 * The rest of a small body is read and dropped, because the next request follows it on the connection.
 * @returns whether the connection is to be closed after the answer
 */
function closesUnread({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === undefined && encoding === undefined)) return false
  if (Number(length ?? Number.POSITIVE_INFINITY) > mostUnread) return true
  raw.resume()
  return false
}
