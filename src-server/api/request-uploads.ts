// tus 1.0 for those who send files by a request link: no older form, no other names for its methods, and a length from the beginning.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure, refusedField } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { asStranger } from '../requests/as-stranger.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerFailure } from './error-replies.ts'
import { bytesIn, checkType, checkVersion, meant, pieceBody, tellOffset } from './tus.ts'
import { isTus, lengthIn, metadataIn, newLengthIn, offsetIn, tellAll, tellProgress, tusVersion } from './tus-headers.ts'

/** Registers the calls that bring files. */
export function requestUploadCalls(app: FastifyInstance, api: Api): void {
  app.addHook('onRequest', async (request, reply) => {
    checkVersion(request, reply)
    if (!isTus(request)) throw new Failure('changed', 'the server speaks tus {{version}}', { about: { version: tusVersion } })
  })
  app.setErrorHandler((error, request, reply) => answerFailure(meant(asStranger(error), request), request, reply))

  endpoint(app, api, 'POST /api/public/tus/:hash/*', async (call) => {
    const { opened, params, path, request, reply, body } = call
    const { headers } = request
    if (headers['upload-concat'] !== undefined) throw refusedField('Upload-Concat', 'is not supported')
    const length = newLengthIn(headers)
    if (length === undefined) throw refusedField('Upload-Length', 'is needed')
    const bytes = bytesIn(request)
    const first = bytes === 0 ? undefined : { body: pieceBody(request, body), bytes }
    if (first) checkType(request)
    if ((bytes ?? 0) > length) throw new Failure('tooLarge', 'the body is longer than the upload')
    const metadata = metadataIn(headers)
    await enter(api, call, first ? 'requestBodies' : 'requestCalls')
    const upload = await opened.begin({ path, length, metadata }, first)
    const location = `/api/public/tus/${params.hash}/${upload.id}`
    return tellProgress(reply.code(201).header('Location', api.authenticate.addressOf(location)), upload).send()
  })

  endpoint(app, api, 'HEAD /api/public/tus/:hash/:id', async ({ opened, params, reply }) =>
    tellAll(reply, await opened.look(params.id)).send(),
  )

  endpoint(app, api, 'PATCH /api/public/tus/:hash/:id', async (call) => {
    const { opened, params, request, reply, body } = call
    checkType(request)
    const { headers } = request
    const piece = {
      offset: offsetIn(headers),
      length: lengthIn(headers),
      bytes: bytesIn(request),
      body: pieceBody(request, body),
    }
    await enter(api, call, 'requestBodies')
    try {
      return tellProgress(reply.code(204), await opened.receive(params.id, piece)).send()
    } catch (error) {
      if (error instanceof Failure && error.code === 'range') tellOffset(reply, await opened.offsetOf(params.id))
      throw error
    }
  })

  endpoint(app, api, 'DELETE /api/public/tus/:hash/:id', async ({ opened, params, reply }) => {
    await opened.remove(params.id)
    return reply.code(204).send()
  })
}

type BodyCall = Readonly<{ visitor: string; request: FastifyRequest; operation: Operation }>

function enter(api: Api, { visitor, request, operation }: BodyCall, kind: 'requestBodies' | 'requestCalls') {
  const yielding = kind === 'requestBodies' ? api.deadlines.received(request) : undefined
  return api.limits.enter(kind, visitor, operation, { yielding })
}
