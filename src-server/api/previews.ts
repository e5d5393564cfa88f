import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Closable, Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { PreviewSize } from '../contract/previews.ts'
import {
  type Entry,
  type FoundPicture,
  type OpenFile,
  previewVersion,
  type ShownPreview,
  type UserFiles,
} from '../files/user-files.ts'
import { isNotModified, tagged } from './conditions.ts'
import { contentHeaders, isInertImage } from './content-headers.ts'
import { type Api, endpoint } from './endpoint.ts'
import { type SendHow, sendFile } from './send-file.ts'

/** Bytes of memory that the answer with a large preview counts until the client has received it. */
const bigAnswer = 2 << 20

/** The work on a preview counts towards limits of its own. */
type PreviewLimits = Readonly<{
  /** Counts the answer until it is received. */
  answer(bytes: number): Promise<unknown>
  /** Counts the making of a preview. */
  making(): Promise<Closable>
}>

/** Where the picture is. */
type PictureSource = Readonly<{
  find(size: PreviewSize): Promise<FoundPicture>
  /** The file itself; undefined for a folder. */
  open(): Promise<OpenFile | undefined>
}>

type PreviewRequest = Readonly<{
  of: PictureSource
  size: PreviewSize
  how: SendHow
  limits: PreviewLimits
  operation: Operation
  /** Counts a large preview, or the file that is sent in place of one, as a download. */
  counted?: CountedPreview
  /** Called before the answer with a small preview, which counts as no download. */
  seen?: () => Promise<void>
}>

type Answer = () => Promise<FastifyReply>

/** @param of the file whose bytes are sent, or the version of the preview */
export type CountedPreview = (of: OpenFile | string, answer: Answer) => Promise<FastifyReply>

const uncounted: CountedPreview = (_of, answer) => answer()

/** Registers the previews of pictures. */
export function previewCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/preview/:size/*', ({ files, path, params, query, reply, operation, me }) => {
    const limits = previewLimits(api, me.user.id, operation)
    const how = { inline: query.inline === 'true' }
    return answerPreview(reply, { of: pictureAt(files, path), size: params.size, how, limits, operation })
  })
}

/** Those of a person. */
export function previewLimits({ limits }: Pick<Api, 'limits'>, userId: number, operation: Operation): PreviewLimits {
  return {
    answer: (bytes) => limits.enter('answers', userId, operation, { weight: bytes }),
    making: () => limits.enter('previews', userId, operation),
  }
}

export function pictureAt(files: Pick<UserFiles, 'findPicture' | 'openForRaw'>, path: Path): PictureSource {
  return { find: (size) => files.findPicture(path, size), open: () => files.openForRaw(path) }
}

/** Answers with the preview of a picture, which is made when it is not kept. */
export async function answerPreview(reply: FastifyReply, asked: PreviewRequest): Promise<FastifyReply> {
  const { of, size, how, limits, operation, counted = uncounted, seen } = asked
  const picture = await of.find(size)
  if (picture.isOff) return sendItself(reply, { of, how, counted, name: picture.entry.name })
  if (size !== 'big') await seen?.()
  reply.header('Cache-Control', 'private, no-cache')
  if (isNotModified(reply.request.headers, validatorsOf(picture.entry))) {
    tagged(reply, validatorsOf(picture.entry))
    return reply.code(304).send()
  }
  const answer = async () => {
    if (size === 'big') await limits.answer(bigAnswer)
    const kept = await picture.kept()
    if (kept) return sendPreview(reply, kept, how)
    const making = await limits.making()
    const made = await picture.make()
    await operation.release(making)
    return sendPreview(reply, made, how)
  }
  // Small ones show what there is to download.
  return size === 'big' ? counted(previewVersion(picture.entry), answer) : answer()
}

type Itself = Pick<PreviewRequest, 'of' | 'how'> & Readonly<{ name: string; counted: CountedPreview }>

/** Sends the file in place of its preview. An SVG can contain scripts, and a TIFF is not shown by browsers. */
async function sendItself(reply: FastifyReply, { of, how, name, counted }: Itself): Promise<FastifyReply> {
  if (!isInertImage(name)) throw new Failure('unsupported', 'previews are switched off')
  const file = await of.open()
  // It was replaced by a folder meanwhile.
  if (!file) throw new Failure('unsupported', 'there are no previews of folders')
  return counted(file, async () => sendFile(reply, file, how))
}

function validatorsOf(entry: Entry) {
  return { version: previewVersion(entry), modified: entry.modified }
}

/** Sends a picture under the name of its file, with the ending of its own type. */
function sendPreview(reply: FastifyReply, { preview, entry }: ShownPreview, how: SendHow): FastifyReply {
  const name = `${entry.name.replace(/\.[^.]*$/, '')}.${preview.type === 'image/webp' ? 'webp' : 'jpg'}`
  const { 'Content-Disposition': disposition } = contentHeaders(name, how.inline)
  tagged(reply, validatorsOf(entry))
  reply.headers({ ...contentHeaders(name, true, how.inline && how.isEmbeddable), 'Content-Disposition': disposition })
  return reply.send(preview.bytes)
}
