import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { OpenFile } from '../files/user-files.ts'
import { isNotModified, isRangeOf, tagged } from './conditions.ts'
import { contentHeaders } from './content-headers.ts'
import { FileSender, type ReadInto } from './file-sender.ts'

/** How a file is sent: see contentHeaders. */
export type SendHow = Readonly<{ inline: boolean; isEmbeddable?: boolean }>

/** The file of an answer. */
const sentFiles = new WeakMap<FastifyReply, OpenFile>()

/**
 * Answers with an open file, or with 304 to a client that has it. The request's operation closes the file.
 * @throws Failure('changed' | 'range') as the request's conditions say
 */
export function sendFile(reply: FastifyReply, file: OpenFile, { inline, isEmbeddable }: SendHow): FastifyReply {
  const { headers } = reply.request.raw
  const isKnown = isNotModified(headers, file.entry)
  tagged(reply, file.entry)
  reply.header('Cache-Control', 'private, no-cache')
  if (isKnown) return reply.code(304).send()
  const range = decidedRange(reply, file)
  reply.headers(contentHeaders(file.entry.name, inline, isEmbeddable))
  if (file.fd === undefined) return sendStream(reply, file, range)
  sentFiles.set(reply, file)
  // @fastify/static gets the number of the handle and never a path, so that no path is resolved twice.
  return reply.sendFile(String(file.fd), '/proc/self/fd', { contentType: false, cacheControl: false, etag: false })
}

/** Headers that are removed once decided here: @fastify/static would check them again with a weak tag of its own. */
const decided = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range'] as const

/** The range of a file that a request asks for, before sendFile has answered it. */
export function askedRange(headers: IncomingHttpHeaders, entry: OpenFile['entry']): ByteRange | 'whole' | 'none' {
  return isRangeOf(headers, entry) ? byteRangeOf(headers.range, entry.size) : 'whole'
}

/** Keeps one satisfiable range in the request, or none. */
function decidedRange(reply: FastifyReply, { entry }: OpenFile): ByteRange | undefined {
  const { headers } = reply.request.raw
  const range = askedRange(headers, entry)
  for (const name of decided) delete headers[name]
  if (range === 'none') throw new Failure('range', '', { size: entry.size })
  if (range === 'whole') return undefined
  headers.range = `bytes=${range.start}-${range.end}`
  return range
}

/** A file of a disk that has no descriptors, which @fastify/static cannot open. */
function sendStream(reply: FastifyReply, file: OpenFile, range: ByteRange | undefined): FastifyReply {
  const { size, modified } = file.entry
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
  reply.headers({
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(Number(modified / 1_000_000n)).toUTCString(),
    'Content-Length': end - start + 1,
  })
  // Otherwise the stream of an answer to HEAD would be read to its end.
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(senderOf(file.readInto, start, end - start + 1))
}

/** Replaces the read stream of @fastify/static by a FileSender, which takes half the time. */
export function sendFilesFromBuffers(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const file = sentFiles.get(reply)
    return file && isFileStream(payload) ? replaced(payload, file.readInto, reply) : payload
  })
}

type FileStream = Readable & { start: number }

/** The stream of an answer without bytes has no start. */
function isFileStream(payload: unknown): payload is FileStream {
  return payload instanceof Readable && 'start' in payload && typeof payload.start === 'number'
}

function replaced(stream: FileStream, readInto: ReadInto, reply: FastifyReply) {
  stream.on('error', () => {}).destroy()
  return senderOf(readInto, stream.start, Number(reply.getHeader('Content-Length')))
}

/** The bytes of a file of any disk. */
function senderOf(readInto: ReadInto, start: number, length: number) {
  return length === 0 ? '' : new FileSender({ readInto, start, length })
}

/** Positions of the first and the last byte. */
type ByteRange = Readonly<{ start: number; end: number }>

/**
 * Parses a Range header with one range (RFC 9110, section 14).
 * @param size of the file, in bytes
 * @returns 'whole' for an invalid header and for several ranges, 'none' when the range lies outside the file
 */
function byteRangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const [, first, last] = /^ *bytes *= *(\d*) *- *(\d*) *$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return 'whole'
  if (first === '') return lastBytes(Number(last), size)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  return Number(first) < size ? { start: Number(first), end } : 'none'
}

/** A suffix longer than the file is the whole file. */
function lastBytes(count: number, size: number): ByteRange | 'whole' | 'none' {
  if (count === 0) return 'none'
  return size === 0 ? 'whole' : { start: Math.max(0, size - count), end: size - 1 }
}
