import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Path } from '../base/paths.ts'
import type { SharedResource } from '../contract/shares.ts'
import { Listing, type OpenFile } from '../files/user-files.ts'
import type { SharedFiles } from '../shares/shared-files.ts'
import type { Part } from '../shares/visits.ts'
import { type Api, endpoint } from './endpoint.ts'
import { visitCookie } from './link-tickets.ts'
import { answerPreview, type CountedPreview, pictureAt } from './previews.ts'
import { pathsIn } from './raw.ts'
import { longestUnread as longestUnreadAnswer, memoryOf } from './resources.ts'
import { answerSearch } from './search.ts'
import { sendArchive } from './send-archive.ts'
import { askedRange, sendFile } from './send-file.ts'
import { socket } from './socket.ts'
import { streamListing } from './stream-listing.ts'

/**
 * Milliseconds for which a client may take nothing of a download while others find no place. A paused film and a download manager
 * ask again for the rest of a file; an archive begins anew.
 */
const longestUnread = { file: 30_000, archive: 60_000 }

/** Registers the calls for those who hold a public link. */
export function publicShareCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/public/share/:hash/*', async ({ shared, path, visitor, operation, reply, request }) => {
    const holding = api.deadlines.holdingWait()
    const making = await api.limits.enter('linkListings', visitor, operation, { yielding: holding })
    const read = await shared.read(path)
    const how = { weight: memoryOf(read), yielding: api.deadlines.taken(request, operation).unreadFor(longestUnreadAnswer) }
    await holding.during((signal) => api.limits.enter('linkAnswers', visitor, operation, { ...how, signal }))
    await operation.release(making)
    // Its facts are on the folder of the listing.
    return read instanceof Listing ? (streamListing(reply, read) as SharedResource | FastifyReply) : read
  })

  endpoint(app, api, 'GET /api/public/dl/:hash/*', async (asked) => {
    const { shared, path, query, visitor, operation, reply } = asked
    const taken = api.deadlines.taken(reply.request, operation)
    const yielding = taken.unreadFor(longestUnread.file)
    const sending = await api.limits.enter('linkDownloads', visitor, operation, { yielding })
    const at = await shared.locate(path)
    const file = await shared.openForRaw(at)
    const how = { inline: query.inline === 'true', isEmbeddable: shared.isEmbeddable }
    if (file) return counted(asked, partOf(reply, at, file), async () => sendFile(reply, file, how))
    await operation.release(sending)
    await api.limits.enter('linkArchives', visitor, operation, { yielding: taken.unreadFor(longestUnread.archive) })
    const wanted = { paths: pathsIn(query.files, at), format: query.algo }
    return counted(asked, whole(`archive\0${at}\0${query.files ?? ''}`), () => sendArchive(reply, shared, wanted))
  })

  endpoint(app, api, 'GET /api/public/search/:hash/*', async ({ shared, path, query, request, reply }) =>
    answerSearch(request, reply, await shared.search(path, query.query ?? '')),
  )

  endpoint(app, api, 'GET /api/public/preview/:size/:hash/*', async (asked) => {
    const { shared, path, params, query, visitor, operation, reply } = asked
    const limits = {
      answer: (bytes: number) => api.limits.enter('linkAnswers', visitor, operation, { weight: bytes }),
      making: () => api.limits.enter('linkPreviews', visitor, operation),
    }
    const how = { inline: query.inline === 'true', isEmbeddable: shared.isEmbeddable }
    const at = await shared.locate(path)
    const countedPreview: CountedPreview = (of, answer) =>
      counted(asked, typeof of === 'string' ? whole(`preview\0${at}\0${of}`) : partOf(reply, at, of), answer)
    const found = { of: pictureAt(shared, at), size: params.size, counted: countedPreview }
    const seen = async () => (reply.request.method === 'HEAD' ? undefined : shared.seen())
    return answerPreview(reply, { ...found, how, limits, operation, seen })
  })

  socket(
    app,
    api,
    'GET /api/public/live/:hash',
    async ({ follow, messages, send }) => (await follow()).serve({ messages, send }),
    { received },
  )
}

/** Bytes of a message, and how many a second: the page sends none. */
const received = { mostBytes: 64, mostPerSecond: 1 }

/** What has no ranges, and is sent whole or in vain. */
const whole = (content: string): Part => ({ content, size: 2, length: 2, inHalves: true, isOfVersion: false })

/** What a request asks for of a file. */
function partOf({ request }: FastifyReply, path: Path, { entry }: OpenFile): Part {
  const { headers } = request.raw
  const { size, version } = entry
  const range = askedRange(headers, entry)
  const length = typeof range === 'object' ? range.end - range.start + 1 : range === 'whole' ? size : 0
  const isOfVersion = typeof range === 'object' && headers['if-range']?.toString().startsWith('"') === true
  return { content: `file\0${path}\0${version}`, size, length, isOfVersion }
}

type Counted = Readonly<{ shared: SharedFiles; params: { hash: string }; baseURL: string; reply: FastifyReply }>

/** @param answer resolves at the end of the answer, as everything does that returns a reply of Fastify */
async function counted(asked: Counted, part: Part, answer: () => Promise<FastifyReply>): Promise<FastifyReply> {
  const { shared, params, baseURL, reply } = asked
  const { request, raw } = reply
  if (request.method === 'HEAD') return answer()
  const { socket } = request.raw
  const before = socket.bytesWritten
  const answerInVisit = (visit: string | undefined) => {
    if (visit) reply.header('Set-Cookie', visitCookie(request, { hash: params.hash, visit, baseURL }))
    return answer()
  }
  await shared.counted(part, answerInVisit, () => {
    if (!raw.headersSent || (reply.statusCode !== 200 && reply.statusCode !== 206)) return 0
    if (raw.writableFinished) return 1
    return part.inHalves ? 0.5 : Math.min(1, Math.max(1, socket.bytesWritten - before) / Math.max(1, part.length))
  })
  return reply
}
