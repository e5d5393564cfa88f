import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import { webVttOf } from '../files/web-vtt.ts'
import { isNotModified, tagged } from './conditions.ts'
import { type Api, endpoint } from './endpoint.ts'

/** Registers the subtitles of videos, which are sent as WebVTT. */
export function subtitleCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/subtitle/*', async ({ files, path, operation, request, reply }) => {
    const file = await files.openForRaw(path)
    if (!file) throw new Failure('invalid', 'a folder has no subtitles')
    tagged(reply, file.entry)
    reply.headers({
      'Cache-Control': 'private, no-cache',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
    if (isNotModified(request.raw.headers, file.entry)) return reply.code(304).send()
    return reply.type('text/vtt; charset=utf-8').send(await webVttOf(file, operation.signal))
  })
}
