import type { FastifyInstance } from 'fastify'
import type { Preview } from '../files/user-files.ts'
import { isNotModified, tagged } from './conditions.ts'
import { contentHeaders } from './content-headers.ts'
import { type Api, endpoint } from './endpoint.ts'

/** Changes when the same picture gets another preview. */
const edition = 1

/** Registers the previews of pictures. */
export function previewCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/preview/:size/*', async ({ files, path, params, query, request, reply, operation, me }) => {
    const picture = await files.findPicture(path, params.size)
    const { name, version, modified } = picture.entry
    const tag = { version: version && `${version}-${edition}`, modified }
    const isKnown = isNotModified(request.headers, tag)
    tagged(reply, tag)
    reply.header('Cache-Control', 'private, no-cache')
    if (isKnown) return reply.code(304).send()
    await api.limits.enter('previews', me.user.id, operation)
    const preview = await picture.make()
    return reply.headers(headersOf(preview, name, query.inline === 'true')).send(preview.bytes)
  })
}

/** The headers of a picture, under the name of its file with the ending of its own type. */
function headersOf({ type }: Preview, name: string, inline: boolean) {
  const shownName = `${name.replace(/\.[^.]*$/, '')}.${type === 'image/webp' ? 'webp' : 'jpg'}`
  const { 'Content-Disposition': disposition } = contentHeaders(shownName, inline)
  return { ...contentHeaders(shownName, true), 'Content-Disposition': disposition }
}
