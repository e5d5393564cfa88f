import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Entry, previewVersion, type ShownPreview } from '../files/user-files.ts'
import { isNotModified, tagged } from './conditions.ts'
import { contentHeaders } from './content-headers.ts'
import { type Api, endpoint } from './endpoint.ts'

/** Bytes of memory that the answer with a large preview counts until the client has received it. */
const bigAnswer = 2 << 20

/** Registers the previews of pictures. */
export function previewCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/preview/:size/*', async ({ files, path, params, query, request, reply, operation, me }) => {
    const picture = await files.findPicture(path, params.size)
    reply.header('Cache-Control', 'private, no-cache')
    if (isNotModified(request.headers, validatorsOf(picture.entry))) {
      tagged(reply, validatorsOf(picture.entry))
      return reply.code(304).send()
    }
    if (params.size === 'big') await api.limits.enter('answers', me.user.id, operation, bigAnswer)
    const kept = await picture.kept()
    if (kept) return sendPreview(reply, kept, query.inline === 'true')
    const making = await api.limits.enter('previews', me.user.id, operation)
    const made = await picture.make()
    await operation.release(making)
    return sendPreview(reply, made, query.inline === 'true')
  })
}

function validatorsOf(entry: Entry) {
  return { version: previewVersion(entry), modified: entry.modified }
}

/** Sends a picture under the name of its file, with the ending of its own type. */
function sendPreview(reply: FastifyReply, { preview, entry }: ShownPreview, inline: boolean): FastifyReply {
  const name = `${entry.name.replace(/\.[^.]*$/, '')}.${preview.type === 'image/webp' ? 'webp' : 'jpg'}`
  const { 'Content-Disposition': disposition } = contentHeaders(name, inline)
  tagged(reply, validatorsOf(entry))
  reply.headers({ ...contentHeaders(name, true), 'Content-Disposition': disposition })
  return reply.send(preview.bytes)
}
