import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SearchResult } from '../contract/search.ts'
import type { FoundResults } from '../files/user-files.ts'
import { type Api, endpoint } from './endpoint.ts'
import { errorLine, replyWithLines, wantsLines } from './json-lines.ts'
import { searchLines } from './search-lines.ts'

const moreHeader = 'X-More-Results'

/** Registers the search. */
export function searchCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/search/*', async ({ files, path, query, request, reply }) => {
    return answerSearch(request, reply, await files.search(path, query.query ?? ''))
  })
}

/** One array, or a line for each result as soon as it is found. */
export async function answerSearch(
  request: FastifyRequest,
  reply: FastifyReply,
  found: AsyncIterable<FoundResults>,
): Promise<FastifyReply> {
  reply.header('Vary', 'Accept')
  if (!wantsLines(request)) return sendArray(reply, found)
  // The first line is not awaited: it may take long, and empty lines keep the connection until then.
  return replyWithLines(reply, searchLines(found, { failed: (error) => errorLine(request, error) }))
}

/** Sorted by path, because the whole is known before it is sent. */
async function sendArray(reply: FastifyReply, found: AsyncIterable<FoundResults>): Promise<FastifyReply> {
  const results: SearchResult[] = []
  for await (const part of found) {
    if ('more' in part) reply.header(moreHeader, part.more)
    else results.push(...part.results)
  }
  results.sort((one, other) => (one.path < other.path ? -1 : 1))
  return reply.type('application/json; charset=utf-8').send(Readable.from(partsOf(results), { highWaterMark: 1 }))
}

/** Results that are serialized without a pause. */
const partSize = 500

async function* partsOf(results: readonly SearchResult[]): AsyncGenerator<string> {
  let before = '['
  for (let from = 0; from < results.length; from += partSize) {
    yield before + JSON.stringify(results.slice(from, from + partSize)).slice(1, -1)
    before = ','
    await setImmediate()
  }
  yield before === '[' ? '[]' : ']'
}
