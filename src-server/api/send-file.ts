import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OpenFile } from '../files/user-files.ts'
import { contentHeaders } from './content-headers.ts'
import { FileSender } from './file-sender.ts'

/** Which file an answer is made of. */
const sentFiles = new WeakMap<FastifyReply, OpenFile>()

/**
 * Answers with an open file: ranges, conditions and HEAD by @fastify/static, which is given the number of our handle and never
 * a path, so that nothing is looked up twice. The request's operation closes the file.
 */
export function sendFile(reply: FastifyReply, file: OpenFile, { inline }: { inline: boolean }): FastifyReply {
  sentFiles.set(reply, file)
  return reply
    .headers(contentHeaders(file.entry.name, inline))
    .header('Cache-Control', 'private, no-cache')
    .sendFile(String(file.fd), '/proc/self/fd', { contentType: false, cacheControl: false })
}

/** The bytes that @fastify/static would read are read by a FileSender: that takes half the time. */
export function sendFilesFromBuffers(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const file = sentFiles.get(reply)
    return file && isFileStream(payload) ? replaced(payload, file, reply) : payload
  })
}

type FileStream = Readable & { start: number }

/** That of an answer without bytes has no start. */
function isFileStream(payload: unknown): payload is FileStream {
  return payload instanceof Readable && 'start' in payload && typeof payload.start === 'number'
}

function replaced(stream: FileStream, { readInto }: OpenFile, reply: FastifyReply) {
  stream.on('error', () => {}).destroy()
  const length = Number(reply.getHeader('Content-Length'))
  return length === 0 ? '' : new FileSender({ readInto, start: stream.start, length })
}
