// The calls of tus 1.0, and of its older form, as a client makes them.
import { createHash } from 'node:crypto'
import type { PrincipalCalls } from './as-principal.ts'

type More = Readonly<{
  headers?: Record<string, string>
  body?: string | Uint8Array | ReadableStream<Uint8Array>
  query?: string
}>

export const pieceType = { 'Content-Type': 'application/offset+octet-stream' }

/** @param isTus without it, in the older form */
export function tusCalls(who: PrincipalCalls, isTus = true) {
  const always: Record<string, string> = isTus ? { 'Tus-Resumable': '1.0.0' } : {}
  const ask = (method: string, address: string, { headers = {}, body }: More = {}) =>
    who.ask(method, address, { headers: { ...always, ...headers }, ...(body !== undefined && { body }) })
  return {
    ask,
    create: (path: string, length: number | undefined, { headers = {}, query = '', body }: More = {}) => {
      const size: Record<string, string> =
        length === undefined ? { 'Upload-Defer-Length': '1' } : { 'Upload-Length': String(length) }
      const type = body === undefined ? {} : pieceType
      return ask('POST', `/api/tus${path}${query}`, {
        headers: { ...size, ...type, ...headers },
        ...(body !== undefined && { body }),
      })
    },
    head: (address: string) => ask('HEAD', address),
    patch: (address: string, offset: number, body: NonNullable<More['body']>, headers: Record<string, string> = {}) =>
      ask('PATCH', address, { headers: { ...pieceType, 'Upload-Offset': String(offset), ...headers }, body }),
    end: (address: string) => ask('DELETE', address),
    list: async () => ((await (await ask('GET', '/api/uploads')).json()) as { uploads: Record<string, unknown>[] }).uploads,
  }
}

/** Status, and the headers that a client of tus reads. */
export const told = ({ status, headers }: Response) => ({
  status,
  ...(headers.has('upload-offset') && { offset: Number(headers.get('upload-offset')) }),
  ...(headers.has('upload-length') && { length: Number(headers.get('upload-length')) }),
})

export const checksum = (text: string | Uint8Array, algorithm = 'sha256') => ({
  'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`,
})
