import type { Socket } from 'node:net'
import { sentenceOf } from './failures.ts'

const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers bytes that are not valid HTTP directly on the socket, and closes it. Fastify's `clientErrorHandler`. */
export function answerBadRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const text = sentenceOf({ status: statusOf[error.code ?? ''] ?? 400, cause: '' })
  const head = [
    `HTTP/1.1 ${text.trimEnd()}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
