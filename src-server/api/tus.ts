// tus 1.0, and the older form of it that clients of File Browser use (reference, section 16): the same without `Tus-Resumable`. 409 says
// that an offset is wrong and nothing else: clients take it as that. A HEAD that fails for a time is 423, because after any other answer
// clients begin a new upload.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { OwnUploads, UploadAddress } from '../uploads/own-uploads.ts'
import { PieceBody } from '../uploads/piece-body.ts'
import { askAgain } from '../uploads/turns.ts'
import { versionCondition } from './conditions.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerFailure } from './error-replies.ts'
import { contentTypeIn } from './forms.ts'
import {
  abilities,
  checksumIn,
  isTus,
  lengthIn,
  metadataIn,
  newLengthIn,
  offsetIn,
  tellAll,
  tellProgress,
  tusVersion,
} from './tus-headers.ts'

const pieceType = 'application/offset+octet-stream'

/** Registers the calls of resumable uploads. */
export function tusCalls(app: FastifyInstance, api: Api): void {
  app.addHook('onRequest', async (request, reply) => checkVersion(request, reply))
  app.setErrorHandler((error, request, reply) => answerFailure(meant(error, request), request, reply))

  endpoint(app, api, 'OPTIONS /api/tus/*', async ({ reply }) => reply.code(204).headers(abilities).send())

  endpoint(app, api, 'POST /api/tus/*', async (call) => {
    const { path, reply, query } = call
    if (await handleOverridden(api, call, { path })) return reply
    const upload = await begin(api, call, { path, override: query.override === 'true' })
    const location = isTus(call.request) ? `/api/uploads/${upload.id}` : `/api/tus${addressOf(path)}`
    return tellProgress(reply.code(201).header('Location', api.authenticate.addressOf(location)), upload).send()
  })

  endpoint(app, api, 'GET /api/tus/*', async ({ uploads, path, reply }) => tellAll(reply, await uploads.look({ path })).send())
  endpoint(app, api, 'HEAD /api/uploads/:id', async ({ uploads, params, reply }) =>
    tellAll(reply, await uploads.look({ id: params.id })).send(),
  )

  endpoint(app, api, 'PATCH /api/tus/*', (call) => receive(api, call, { path: call.path }))
  endpoint(app, api, 'PATCH /api/uploads/:id', (call) => receive(api, call, { id: call.params.id }))

  endpoint(app, api, 'DELETE /api/tus/*', ({ uploads, path, reply }) => remove(uploads, { path }, reply))
  endpoint(app, api, 'DELETE /api/uploads/:id', ({ uploads, params, reply }) => remove(uploads, { id: params.id }, reply))

  endpoint(app, api, 'POST /api/uploads/:id', async (call) => {
    if (await handleOverridden(api, call, { id: call.params.id })) return call.reply
    throw new Failure('method', '', { allow: ['HEAD', 'PATCH', 'DELETE'] })
  })
}

type PieceCall = Readonly<{
  uploads: OwnUploads
  files: UserFiles
  me: Readonly<{ user: { id: number } }>
  request: FastifyRequest
  reply: FastifyReply
  operation: Operation
  body: AsyncIterable<Uint8Array>
}>

/**
 * For clients whose proxies let only GET and POST through.
 * @returns whether it was answered, and not the reply: who waits for that gets undefined, as it has a `then` of its own
 */
async function handleOverridden(api: Api, call: PieceCall, at: UploadAddress): Promise<boolean> {
  const method = call.request.headers['x-http-method-override']
  if (method === undefined) return false
  if (method === 'PATCH') {
    await receive(api, call, at)
    return true
  }
  if (method !== 'DELETE')
    throw new Failure('method', 'only PATCH and DELETE take the place of POST', { allow: ['PATCH', 'DELETE'] })
  await enter(api, call, 'uploadCalls')
  await remove(call.uploads, at, call.reply)
  return true
}

async function begin(api: Api, call: PieceCall, { path, override }: Readonly<{ path: Path; override: boolean }>) {
  const { uploads, files, request, body } = call
  const { headers } = request
  if (headers['upload-concat'] !== undefined)
    throw new Failure('invalid', 'an upload in several parts at once is not supported: send it as one')
  const length = newLengthIn(headers)
  const asked = { path, length, override, condition: versionCondition(headers), metadata: metadataIn(headers) }
  const bytes = bytesIn(request)
  const first = bytes === 0 ? undefined : { body: pieceBody(request, body), bytes }
  if (first) checkType(request)
  if ((bytes ?? 0) > (length ?? Number.POSITIVE_INFINITY)) throw new Failure('tooLarge', 'the body is longer than the upload')
  await enter(api, call, first ? 'bodies' : 'uploadCalls')
  // The older form says so of a folder alone.
  if (!isTus(request) && (await files.look(path))?.isDir) throw new Failure('invalid', 'a folder is in the way')
  return uploads.begin(asked, first)
}

async function receive(api: Api, call: PieceCall, at: UploadAddress): Promise<FastifyReply> {
  const { uploads, request, reply, body } = call
  checkType(request)
  const { headers } = request
  const piece = { offset: offsetIn(headers), length: lengthIn(headers), bytes: bytesIn(request), body: pieceBody(request, body) }
  await enter(api, call, 'bodies')
  try {
    return tellProgress(reply.code(204), await uploads.receive(at, piece)).send()
  } catch (error) {
    if (error instanceof Failure && error.code === 'range') tellOffset(reply, uploads.offsetOf(at))
    throw error
  }
}

async function remove(uploads: OwnUploads, at: UploadAddress, reply: FastifyReply): Promise<FastifyReply> {
  await uploads.remove(at)
  return reply.code(204).send()
}

/** While bytes come it is another one as soon as it is told. */
export function tellOffset(reply: FastifyReply, offset: number | undefined) {
  if (offset !== undefined) reply.header('Upload-Offset', offset)
}

export const pieceBody = (request: FastifyRequest, body: AsyncIterable<Uint8Array>) =>
  new PieceBody(body, checksumIn(request.headers), bytesIn(request))

function enter(api: Api, { me, request, operation }: PieceCall, kind: 'bodies' | 'uploadCalls') {
  const yielding = kind === 'bodies' ? api.deadlines.received(request) : undefined
  return api.limits.enter(kind, me.user.id, operation, { yielding })
}

/** Bytes of the body; undefined when they are not announced. */
export function bytesIn({ raw: { headers } }: FastifyRequest): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

export function checkType({ raw }: FastifyRequest) {
  const type = contentTypeIn(raw.rawHeaders)?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== pieceType)
    throw new Failure('contentType', 'the bytes of an upload come as {{type}}', { about: { type: pieceType } })
}

/** The version of the client's protocol, and in each answer the server's. A client of the older form is not told of it. */
export function checkVersion(request: FastifyRequest, reply: FastifyReply) {
  if (!isTus(request) || request.method === 'OPTIONS') return
  reply.header('Tus-Resumable', tusVersion)
  if (request.headers['tus-resumable'] === tusVersion) return
  reply.header('Tus-Version', tusVersion)
  throw new Failure('changed', 'the server speaks tus {{version}}', { about: { version: tusVersion } })
}

const forATime: readonly unknown[] = ['busy', 'full', 'internal', 'tooMany', 'range']

/** What a failure is for a client of tus. */
export function meant(error: unknown, request: FastifyRequest): unknown {
  const isAsked = request.method === 'HEAD' || request.method === 'GET'
  if (!(error instanceof Failure)) {
    // A fault, which is logged. Who asks again may find it over.
    if (!isAsked || isOfRequest(error)) return error
    request.log.error({ err: error }, 'a request failed')
    return new Failure('locked', '', { retryAfter: askAgain, cause: error })
  }
  if (isAsked && forATime.includes(error.code)) return error.as('locked', error.retryAfter ?? askAgain)
  if (!isTus(request)) {
    if (error.code === 'gone') return error.as('notFound')
    // Only of a new upload that is not accepted.
    const isNew = request.method === 'POST' && request.headers['x-http-method-override'] === undefined
    if (error.code === 'conflict' && isNew) return error
  }
  if (error.code === 'range') return error.as('conflict')
  if (error.code === 'conflict' || (error.code === 'invalid' && isAsked)) return error.as('changed')
  return error
}

/** Errors of Fastify about the request have a status. */
const isOfRequest = (error: unknown) => error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500

/** The path as it is in an address. */
const addressOf = (path: Path) => path.split('/').map(encodeURIComponent).join('/')
