// Answers that are sent line by line while the work goes on: `application/x-ndjson`, one JSON object in each line.
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerFor, problemOf } from './failures.ts'

/** The media type of lines. */
export const lineType = 'application/x-ndjson'

/** Minimum milliseconds between two lines of progress. */
const progressPause = 100

/** Whether the client accepts lines, and not a plain JSON answer. */
export function wantsLines({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').toLowerCase().includes(lineType)
}

/**
 * Sends each object as a line. A failure before the first line is answered as that of any other call. After it the status has been
 * sent, and the last line is `{ "error": … }` with the problem details of RFC 9457.
 * @returns the result of the handler
 */
export async function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  objects: AsyncGenerator<object>,
): Promise<FastifyReply> {
  const first = await objects.next()
  return replyWithLines(reply, linesOf(request, first, objects))
}

/** Sends lines as soon as they come. */
export function replyWithLines(reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply {
  // Proxies would keep the lines until they have a whole buffer of them.
  reply.type(`${lineType}; charset=utf-8`).header('X-Accel-Buffering', 'no')
  return reply.send(Readable.from(lines, { highWaterMark: 1 }))
}

async function* linesOf(request: FastifyRequest, first: IteratorResult<object>, objects: AsyncGenerator<object>) {
  try {
    if (first.done) return
    yield lineOf(first.value)
    for await (const object of objects) yield lineOf(object)
  } catch (error) {
    yield lineOf(errorLine(request, error))
  }
}

/** The last line when the work fails, because the status has been sent. The error is logged when it is a fault of the server. */
export function errorLine(request: FastifyRequest, error: unknown): { error: object } {
  const answer = answerFor(error)
  if (answer.status === 500 && !request.raw.socket.destroyed) request.log.error({ err: error }, 'a request failed')
  return { error: problemOf(answer) }
}

export const lineOf = (object: object) => `${JSON.stringify(object)}\n`

/**
 * The progress of work, at most every 100 ms and only the latest, and then its result.
 * @param work gets the function that takes its progress
 */
export async function* withProgress(work: (report: (progress: object) => void) => Promise<object>): AsyncGenerator<object> {
  let latest: object | undefined
  const settled = work((progress) => {
    latest = progress
  }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  for (;;) {
    const outcome = await within(settled, progressPause)
    if (outcome && 'error' in outcome) throw outcome.error
    if (outcome) return yield outcome.result
    if (latest) yield latest
    latest = undefined
  }
}

/** Undefined when the work takes longer. @param wait milliseconds */
async function within<T>(work: Promise<T>, wait: number): Promise<T | undefined> {
  const over = new AbortController()
  const late = setTimeout(wait, undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
