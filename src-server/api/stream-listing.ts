import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Resource, ResourceItem } from '../contract/files.ts'

/** Entries of one part: some hundred kilobytes, written in a millisecond. */
const partSize = 500

/**
 * A large folder is sent part by part, its entries last: the first of them can be shown while the others are still being
 * written, and nobody else waits until 20 MB of text are made. @returns what the handler answers
 */
export function streamListing(reply: FastifyReply, resource: Resource): Resource | FastifyReply {
  const { items, ...folder } = resource
  if (!items || items.length <= partSize) return resource
  return reply.type('application/json; charset=utf-8').send(Readable.from(parts(folder, items)))
}

function* parts(folder: Omit<Resource, 'items'>, items: readonly ResourceItem[]): Generator<string> {
  let before = `${JSON.stringify(folder).slice(0, -1)},"items":[`
  for (let from = 0; from < items.length; from += partSize) {
    yield before + JSON.stringify(items.slice(from, from + partSize)).slice(1, -1)
    before = ','
  }
  yield ']}'
}
