import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, inField, refusedField } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { nameOf, parseUrlPath, partsOf } from '../base/paths.ts'
import type { Resource } from '../contract/files.ts'
import { encodeBody, encodingNamed } from '../files/encodings.ts'
import { type Described, type Found, Listing, type ReadHow } from '../files/user-files.ts'
import { isNotModified, tagged, versionCondition } from './conditions.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { writeFormFiles } from './forms.ts'
import { sendLines, wantsLines, withProgress } from './json-lines.ts'
import { withoutOuterEncoding } from './outer-encoding.ts'
import { methodsAt } from './routes.ts'
import { sendFile } from './send-file.ts'
import { sendInParts, streamListing } from './stream-listing.ts'

/** Only the exact text `true` counts, as existing clients expect. */
const isTrue = (flag: string | undefined) => flag === 'true'

/** Registers the calls that list and change files. */
export function resourceCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/resources/*', async ({ files, path, query, request, reply, operation, me }) => {
    const holding = api.deadlines.holdingWait()
    const making = await api.limits.enter(query.checksum ? 'hashing' : 'listings', me.user.id, operation, { yielding: holding })
    const readAt = api.deadlines.elapsed()
    const found = await (query.checksum ? files.find(path) : api.deadlines.firstAnswer(files.find(path)))
    const isKnown = !found.entry.isDir && isNotModified(request.headers, found.entry)
    if (!found.entry.isDir) tagged(reply, found.entry)
    if (isKnown) return reply.code(304).send()
    const asBytes = request.headers['x-encoding'] === 'true' && (await isText(found)) && (await files.openForRaw(path))
    if (asBytes) {
      await operation.release(making)
      return sendFile(reply, asBytes, { inline: false })
    }
    const how = { checksum: query.checksum, content: query.content !== 'false', encoding: query.encoding }
    if (how.checksum && !found.entry.isDir && wantsLines(request)) return readInLines({ found, how, request, reply, operation })
    const read = await found.read(how)
    const described = describedBy(query)
    if (described.length > 0 && files.mayDescribe(found.entry)) {
      const describing = await api.limits.enter('previews', me.user.id, operation)
      Object.assign(read, await files.describe(found.entry, described))
      await operation.release(describing)
    }
    const memory = memoryOf(read)
    if (memory <= shortAnswer) {
      await operation.release(making)
      return read instanceof Listing ? streamListing(reply.header('X-Read-At', String(readAt)), read) : read
    }
    const yielding = api.deadlines.taken(request, operation).unreadFor(longestUnread)
    await holding.during((signal) => api.limits.enter('answers', me.user.id, operation, { weight: memory, yielding, signal }))
    await operation.release(making)
    return read instanceof Listing ? streamListing(reply.header('X-Read-At', String(readAt)), read) : sendInParts(reply, read)
  })

  endpoint(app, api, 'GET /api/usage/*', ({ files, path }) => files.usage(path))

  endpoint(app, api, 'GET /api/size/*', async ({ files, path, request, reply }) => {
    if (!wantsLines(request)) return files.size(path, () => {})
    return sendLines(
      request,
      reply,
      withProgress((report) => files.size(path, report)),
    )
  })

  endpoint(app, api, 'GET /api/counts/*', async ({ files, path, query }) => ({
    counts: await files.itemCounts(path, namesIn(query.names)),
  }))

  endpoint(app, api, 'POST /api/resources/*', async ({ files, path, asksForFolder, query, body, request, reply }) => {
    const how = { override: isTrue(query.override), condition: versionCondition(request.headers) }
    const bytes = bytesOf(request, query)
    if (request.isMultipart()) {
      const form = { request, path, asksForFolder, deadlines: api.deadlines }
      await writeFormFiles(form, (file) => files.upload(file.path, encodedAs(query.encoding, file.body), how))
    } else if (asksForFolder) await files.makeFolder(path)
    else tagged(reply, await files.upload(path, encodedAs(query.encoding, body), { ...how, bytes }))
    return done(reply)
  })

  endpoint(app, api, 'PUT /api/resources/*', async ({ files, path, asksForFolder, query, body, request, reply }) => {
    if (asksForFolder) throw new Failure('method', 'a folder cannot be saved', { allow: allowedOnFolders })
    const how = { condition: versionCondition(request.headers), bytes: bytesOf(request, query) }
    tagged(reply, await files.save(path, encodedAs(query.encoding, body), how))
    return done(reply)
  })

  endpoint(app, api, 'PATCH /api/resources/*', async ({ files, path, query, reply }) => {
    const how = { override: isTrue(query.override), rename: isTrue(query.rename) }
    const to = destination(query.destination)
    if (query.action === 'copy') await files.copy(path, to, how)
    else if (query.action === 'rename') await files.move(path, to, how)
    else throw refusedField('action', 'must be copy or rename')
    return done(reply)
  })

  endpoint(app, api, 'DELETE /api/resources/*', async ({ files, path, query, reply }) => {
    const to = query.trash === 'true' ? 'trash' : query.trash === 'false' ? 'nowhere' : 'any'
    const item = await files.remove(path, { to })
    return done(item === undefined ? reply : reply.header('Holdall-Trash', item))
  })
}

/** Existing clients ask for the bytes of a text with the header `X-Encoding: true` (reference, section 3). */
async function isText(found: Found): Promise<boolean> {
  if (found.entry.isDir) return false
  const read = await found.read({ content: false })
  return !(read instanceof Listing) && (read.type === 'text' || read.type === 'textImmutable')
}

/** The bytes to store. @throws Failure('invalid') for an unknown encoding */
const encodedAs = (encoding: string | undefined, body: AsyncIterable<Uint8Array>) =>
  encoding === undefined ? body : encodeBody(body, encodingNamed(encoding))

/** Of what is to be stored, where the client says it and it is stored as it comes. */
function bytesOf({ headers }: FastifyRequest, { encoding }: { encoding?: string }): number | undefined {
  const length = headers['content-length']
  return length === undefined || encoding !== undefined ? undefined : Number(length)
}

type InLines = Readonly<{ found: Found; how: ReadHow; request: FastifyRequest; reply: FastifyReply; operation: Operation }>

/** The progress of a checksum in lines, and the resource as the last one. */
function readInLines({ found, how, request, reply, operation }: InLines): Promise<FastifyReply> {
  const read = (report: (progress: object) => void) => {
    operation.onProgress(report)
    return found.read(how)
  }
  return sendLines(request, reply, withProgress(read))
}

/** @throws Failure('invalid') for what is not the name of one entry */
function namesIn(list = ''): string[] {
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const path = inField('names', () => parseUrlPath(`/${name}`))
      if (partsOf(path).length !== 1) throw refusedField('names', 'must be names of folders in the folder')
      return nameOf(path)
    })
}

/** What of a picture is asked for. Place and camera are left out unless they are asked for by name. */
function describedBy({ metadata, camera, place }: { metadata?: string; camera?: string; place?: string }): Described {
  const asked = { resolution: metadata, camera, place }
  return (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => isTrue(asked[name]))
}

/** Milliseconds for which a client may take nothing of a large answer while others find no room for theirs. */
export const longestUnread = 10_000

/** Bytes up to which an answer is not counted: the system takes all of it, also of a client that reads nothing. */
const shortAnswer = 64 << 10

/** Bytes of an entry in the part of a listing that is being sent, how many are in one at the most, and bytes of an entry elsewhere. */
const [sentMemory, mostSent, entryMemory] = [400, 500, 100]

/** Estimated bytes of memory of an answer until it is sent. A text is in memory up to three times: as bytes, as read, and what waits to be sent. */
export function memoryOf(read: Resource | Listing): number {
  if (!(read instanceof Listing)) return 3 * (read.content?.length ?? 0)
  return sentMemory * Math.min(read.length, mostSent) + entryMemory * read.length
}

const allowedOnFolders = methodsAt('/api/resources/').filter((method) => method !== 'PUT')

function destination(text = '') {
  const path = withoutOuterEncoding(text)
  if (!path.startsWith('/')) throw refusedField('destination', 'must be a path that starts with a slash')
  return inField('destination', () => parseUrlPath(path))
}
