import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import { parseUrlPath } from '../base/paths.ts'
import type { Resource } from '../contract/files.ts'
import { Listing } from '../files/user-files.ts'
import { isNotModified, tagged, versionCondition } from './conditions.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { methodsAt } from './routes.ts'
import { streamListing } from './stream-listing.ts'

/** Only the exact text `true` counts, as existing clients expect. */
const isTrue = (flag: string | undefined) => flag === 'true'

/** Registers the calls that list and change files. */
export function resourceCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/resources/*', async ({ files, path, query, request, reply, operation, me }) => {
    const making = await api.limits.enter(query.checksum ? 'hashing' : 'listings', me.user.id, operation)
    const found = await files.find(path)
    const isKnown = !found.entry.isDir && isNotModified(request.headers, found.entry)
    if (!found.entry.isDir) tagged(reply, found.entry)
    if (isKnown) return reply.code(304).send()
    const read = await found.read({ checksum: query.checksum, content: query.content !== 'false' })
    const memory = memoryOf(read)
    if (memory > shortAnswer) await api.limits.enter('answers', me.user.id, operation, memory)
    await operation.release(making)
    return read instanceof Listing ? streamListing(reply, read) : read
  })

  endpoint(app, api, 'POST /api/resources/*', async ({ files, path, asksForFolder, query, body, request, reply }) => {
    const how = { override: isTrue(query.override), condition: versionCondition(request.headers) }
    if (asksForFolder) await files.makeFolder(path)
    else tagged(reply, await files.upload(path, body, how))
    return done(reply)
  })

  endpoint(app, api, 'PUT /api/resources/*', async ({ files, path, asksForFolder, body, request, reply }) => {
    if (asksForFolder) throw new Failure('method', 'a folder cannot be saved', { allow: allowedOnFolders })
    tagged(reply, await files.save(path, body, versionCondition(request.headers)))
    return done(reply)
  })

  endpoint(app, api, 'PATCH /api/resources/*', async ({ files, path, query, reply }) => {
    const how = { override: isTrue(query.override), rename: isTrue(query.rename) }
    const to = destination(query.destination)
    if (query.action === 'copy') await files.copy(path, to, how)
    else if (query.action === 'rename') await files.move(path, to, how)
    else throw new Failure('invalid', 'action must be copy or rename')
    return done(reply)
  })

  endpoint(app, api, 'DELETE /api/resources/*', async ({ files, path, reply }) => {
    await files.remove(path)
    return done(reply)
  })
}

/** Bytes up to which an answer is not counted: the system takes all of it, also of a client that reads nothing. */
const shortAnswer = 64 << 10

/** Bytes of an entry in the part of a listing that is being sent, how many are in one at the most, and bytes of an entry elsewhere. */
const [sentMemory, mostSent, entryMemory] = [400, 500, 100]

/** Estimated bytes of memory of an answer until it is sent. A text is in memory three times: as read, as JSON, and as UTF-8. */
function memoryOf(read: Resource | Listing): number {
  if (!(read instanceof Listing)) return 3 * (read.content?.length ?? 0)
  return sentMemory * Math.min(read.length, mostSent) + entryMemory * read.length
}

const allowedOnFolders = methodsAt('/api/resources/').filter((method) => method !== 'PUT')

function destination(text = '') {
  const path = withoutOuterEncoding(text)
  if (!path.startsWith('/')) throw new Failure('invalid', 'destination must be a path that starts with a slash')
  return parseUrlPath(path)
}

/** Some clients encode the whole path a second time. */
function withoutOuterEncoding(text: string) {
  if (!/^%2f/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
