import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure } from '../base/failure.ts'
import { parseUrlPath } from '../base/paths.ts'
import type { Entry } from '../files/user-files.ts'
import type { Authenticate } from './context.ts'
import { endpoint, methodsAt } from './endpoint.ts'
import { done } from './error-replies.ts'
import { streamListing } from './stream-listing.ts'

/** Only the exact text counts, as existing clients expect. */
const isTrue = (flag: string | undefined) => flag === 'true'

export function resourceCalls(app: FastifyInstance, open: Authenticate): void {
  endpoint(app, open, 'GET /api/resources/*', async ({ files, path, query, reply }) =>
    streamListing(reply, await files.open(path, query)),
  )

  endpoint(app, open, 'POST /api/resources/*', async ({ files, path, asksForFolder, query, body, reply }) => {
    if (asksForFolder) await files.makeFolder(path)
    else tagged(reply, await files.upload(path, body, { override: isTrue(query.override) }))
    return done(reply)
  })

  endpoint(app, open, 'PUT /api/resources/*', async ({ files, path, asksForFolder, body, reply }) => {
    if (asksForFolder) throw new Failure('method', 'a folder cannot be saved', { allow: allowedOnFolders })
    tagged(reply, await files.save(path, body))
    return done(reply)
  })

  endpoint(app, open, 'PATCH /api/resources/*', async ({ files, path, query, reply }) => {
    const how = { override: isTrue(query.override), rename: isTrue(query.rename) }
    const to = destination(query.destination)
    if (query.action === 'copy') await files.copy(path, to, how)
    else if (query.action === 'rename') await files.move(path, to, how)
    else throw new Failure('invalid', 'action is copy or rename')
    return done(reply)
  })

  endpoint(app, open, 'DELETE /api/resources/*', async ({ files, path, reply }) => {
    await files.remove(path)
    return done(reply)
  })
}

const allowedOnFolders = methodsAt('/api/resources/').filter((method) => method !== 'PUT')

function destination(text: string | undefined) {
  if (!text?.startsWith('/')) throw new Failure('invalid', 'destination is a path that starts with a slash')
  return parseUrlPath(text)
}

/** The time in nanoseconds and the size, both in hex and run together, as existing clients know it. */
function tagged(reply: FastifyReply, { modified, size }: Entry) {
  reply.header('ETag', `"${modified.toString(16)}${size.toString(16)}"`)
}
