import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Path } from '../base/paths.ts'
import type { UserFiles } from '../files/user-files.ts'
import { contentHeaders } from './content-headers.ts'

type ArchiveRequest = Readonly<{ paths: readonly Path[]; format: string | undefined }>

/**
 * Answers with an archive, which is packed while it is sent: its length is not known. An error on the way closes the connection
 * without the end of the body, so that no client takes a part for the whole.
 * @throws Failure before the first byte, when something that is asked for is missing or forbidden
 */
export async function sendArchive(
  reply: FastifyReply,
  files: Pick<UserFiles, 'archive'>,
  { paths, format }: ArchiveRequest,
): Promise<FastifyReply> {
  const { request } = reply
  const report = (path: Path, reason: string) => request.log.warn({ path, reason }, 'left out of an archive')
  const archive = await files.archive({ paths, format, report })
  reply.header('Cache-Control', 'private, no-cache')
  reply.headers({ ...contentHeaders(archive.name, false), 'Content-Type': archive.mediaType, 'Accept-Ranges': 'none' })
  const packed = request.method === 'HEAD' ? [] : reported(archive.pack(), request)
  return reply.send(Readable.from(packed, { objectMode: false, highWaterMark: 1 }))
}

/** Logs an error that is not the leaving of the client. */
async function* reported(pieces: AsyncIterable<Uint8Array>, request: FastifyRequest) {
  try {
    yield* pieces
  } catch (error) {
    if (!request.raw.socket.destroyed) request.log.warn({ err: error }, 'an archive ended early')
    throw error
  }
}
