import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Resource } from '../contract/files.ts'
import type { Listing } from '../files/user-files.ts'

/** Entries of one part: some hundred kilobytes, written in a millisecond. */
const partSize = 500

/**
 * A large folder is sent part by part, its entries last: the first of them can be shown while the others are still being
 * written, and the text is made as it is read: each part when the client has taken the one before.
 * @returns what the handler answers
 */
export function streamListing(reply: FastifyReply, listing: Listing): Resource | FastifyReply {
  if (listing.length <= partSize) return listing.whole()
  return reply.type('application/json; charset=utf-8').send(Readable.from(parts(listing), { highWaterMark: 1 }))
}

async function* parts(listing: Listing): AsyncGenerator<string> {
  let before = `${JSON.stringify(listing.folder).slice(0, -1)},"items":[`
  for (let from = 0; from < listing.length; from += partSize) {
    yield before + JSON.stringify(listing.items(from, partSize)).slice(1, -1)
    before = ','
    // A client that reads fast enough would else be given all of it in one turn.
    await setImmediate()
  }
  yield ']}'
}
