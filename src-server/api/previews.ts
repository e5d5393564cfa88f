import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { type Entry, previewVersion, type ShownPreview, type UserFiles } from '../files/user-files.ts'
import { isNotModified, tagged } from './conditions.ts'
import { contentHeaders, isInertImage } from './content-headers.ts'
import { type Api, endpoint } from './endpoint.ts'
import { sendFile } from './send-file.ts'

/** Bytes of memory that the answer with a large preview counts until the client has received it. */
const bigAnswer = 2 << 20

/** Registers the previews of pictures. */
export function previewCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/preview/:size/*', async ({ files, path, params, query, request, reply, operation, me }) => {
    const picture = await files.findPicture(path, params.size)
    if (picture.isOff) return sendItself(reply, { files, path, inline: query.inline === 'true', name: picture.entry.name })
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

type Itself = Readonly<{ files: UserFiles; path: Path; name: string; inline: boolean }>

/** Sends the file in place of its preview. An SVG can contain scripts, and a TIFF is not shown by browsers. */
async function sendItself(reply: FastifyReply, { files, path, name, inline }: Itself): Promise<FastifyReply> {
  if (!isInertImage(name)) throw new Failure('unsupported', 'previews are switched off')
  const file = await files.openForRaw(path)
  // It was replaced by a folder meanwhile.
  if (!file) throw new Failure('unsupported', 'there are no previews of folders')
  return sendFile(reply, file, { inline })
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
