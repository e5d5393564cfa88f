import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Resource } from '../contract/files.ts'
import type { Listing } from '../files/user-files.ts'

/** Entries of one part: some hundred kilobytes, which are serialized in a millisecond. */
const partSize = 500

/**
 * Sends a large listing in parts: clients can show the first entries before the last arrive, and each part is serialized when
 * the one before has been sent, which saves memory.
 * @returns the result of the handler
 */
export function streamListing(reply: FastifyReply, listing: Listing): Resource | FastifyReply {
  if (listing.length <= partSize) return listing.whole()
  return reply.type('application/json; charset=utf-8').send(Readable.from(parts(listing), { highWaterMark: 1 }))
}

/** Characters of one part: little enough that a slow line is seen to take some. */
const textPart = 64 << 10

/** Sends a file with a long text in parts, as `streamListing` does: of one long write nobody sees how much of it the client takes. */
export function sendInParts(reply: FastifyReply, resource: Resource): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Readable.from(textParts(resource), { highWaterMark: 1 }))
}

/** The text is the last field. Each part is escaped for itself: as JSON a text can take six times its memory. */
function* textParts({ content = '', ...facts }: Resource): Generator<string> {
  yield `${JSON.stringify(facts).slice(0, -1)},"content":"`
  for (let from = 0; from < content.length; from += textPart)
    yield JSON.stringify(content.slice(from, from + textPart)).slice(1, -1)
  yield '"}'
}

async function* parts(listing: Listing): AsyncGenerator<string> {
  let before = `${JSON.stringify(listing.folder).slice(0, -1)},"items":[`
  for (let from = 0; from < listing.length; from += partSize) {
    yield before + JSON.stringify(listing.items(from, partSize)).slice(1, -1)
    before = ','
    // With a client that reads fast, all parts would otherwise be made without a pause.
    await setImmediate()
  }
  yield ']}'
}
