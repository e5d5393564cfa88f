import type { FastifyInstance, FastifyReply } from 'fastify'
import type { SharedResource } from '../contract/shares.ts'
import { Listing } from '../files/user-files.ts'
import type { SharedFiles } from '../shares/shared-files.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerPreview } from './previews.ts'
import { pathsIn } from './raw.ts'
import { memoryOf } from './resources.ts'
import { answerSearch } from './search.ts'
import { sendArchive } from './send-archive.ts'
import { sendFile } from './send-file.ts'
import { socket } from './socket.ts'
import { streamListing } from './stream-listing.ts'

/** Registers the calls for those who hold a public link. */
export function publicShareCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/public/share/:hash/*', async ({ shared, path, visitor, operation, reply }) => {
    const making = await api.limits.enter('linkListings', visitor, operation)
    const read = await shared.read(path)
    await api.limits.enter('linkAnswers', visitor, operation, memoryOf(read))
    await operation.release(making)
    // Its facts are on the folder of the listing.
    return read instanceof Listing ? (streamListing(reply, read) as SharedResource | FastifyReply) : read
  })

  endpoint(app, api, 'GET /api/public/dl/:hash/*', async ({ shared, path, query, visitor, operation, reply }) => {
    const sending = await api.limits.enter('linkDownloads', visitor, operation)
    const at = await shared.locate(path)
    const file = await shared.openForRaw(at)
    const how = { inline: query.inline === 'true', isEmbeddable: shared.isEmbeddable }
    if (file) return counted(shared, reply, async () => sendFile(reply, file, how))
    await operation.release(sending)
    await api.limits.enter('linkArchives', visitor, operation)
    const asked = { paths: pathsIn(query.files, at), format: query.algo }
    return counted(shared, reply, () => sendArchive(reply, shared, asked))
  })

  endpoint(app, api, 'GET /api/public/search/:hash/*', async ({ shared, path, query, request, reply }) =>
    answerSearch(request, reply, await shared.search(path, query.query ?? '')),
  )

  endpoint(app, api, 'GET /api/public/preview/:size/:hash/*', async (asked) => {
    const { shared, path, params, query, visitor, operation, reply } = asked
    const limits = {
      answer: (bytes: number) => api.limits.enter('linkAnswers', visitor, operation, bytes),
      making: () => api.limits.enter('linkPreviews', visitor, operation),
    }
    const how = { inline: query.inline === 'true', isEmbeddable: shared.isEmbeddable }
    return answerPreview(reply, { files: shared, path: await shared.locate(path), size: params.size, how, limits, operation })
  })

  socket(app, api, 'GET /api/public/live/:hash', ({ follow, messages, send }) => follow().serve({ messages, send }), { received })
}

/** Bytes of a message, and how many a second: the page sends none. */
const received = { mostBytes: 64, mostPerSecond: 1 }

/** @param answer resolves at the end of the answer, as everything does that returns a reply of Fastify */
async function counted(shared: SharedFiles, reply: FastifyReply, answer: () => Promise<FastifyReply>): Promise<FastifyReply> {
  if (reply.request.method === 'HEAD') return answer()
  await shared.counted(answer, () => reply.raw.headersSent && (reply.statusCode === 200 || reply.statusCode === 206))
  return reply
}
