// Uploads that may break off and go on later: tus 1.0, with tus-js-client. A lazy part.
import { type DetailedError, Upload } from 'tus-js-client'
import { encodePath } from './addresses.ts'
import { accepted, actHeader, failureOf, HttpFailure, handleAuthHeaders, request, toFailure, unreached } from './http.ts'
import { baseURL } from './page-config.ts'
import { session } from './session-port.ts'

/** Milliseconds without a byte after which a request counts as lost: a connection may be dead without a sign. */
const longestSilence = 60_000
/** The same when all was sent: the server writes it to its disk, gives the file its name, and runs the commands for that. */
const longestEnd = 180_000

const tusHeaders = { 'Tus-Resumable': '1.0.0', Accept: accepted }

/** Where uploads are, and what tells who asks. */
export type UploadsAt = Readonly<{
  /** The address at which one is begun. @param path not encoded */
  creation(path: string, override: boolean): string
  upload(id: string): string
  /** Of each request. */
  headers(): Record<string, string>
  onAnswer(status: number, renewToken: string | null): void
}>

/** Those of the person who is signed in. */
function ownUploads(): UploadsAt {
  let token: string | undefined
  return {
    creation: (path, override) => `${baseURL}/api/tus${encodePath(path)}?override=${override}`,
    upload: (id) => `${baseURL}/api/uploads/${encodeURIComponent(id)}`,
    headers: () => {
      token = session().token()
      return token ? { 'X-Auth': token } : {}
    },
    onAnswer: (status, renewToken) => handleAuthHeaders(status, renewToken, token),
  }
}

/** `metadata`: texts by their names, kept with the upload as they are. */
export type NewUpload = Readonly<{
  /** The target path, not encoded. */
  path: string
  /** Bytes. */
  length: number
  override: boolean
  metadata: Readonly<Record<string, string>>
  act: string | undefined
}>

/** Begins an upload. @returns its id @throws HttpFailure, an AbortError */
export async function createUpload(upload: NewUpload, signal: AbortSignal, at: UploadsAt = ownUploads()): Promise<string> {
  const { path, override, act } = upload
  const headers = { ...creationHeaders(upload), ...at.headers(), ...(act && { [actHeader]: act }) }
  const response = await request(at.creation(path, override), { method: 'POST', headers, signal })
  at.onAnswer(response.status, response.headers.get('X-Renew-Token'))
  if (!response.ok) throw await toFailure(response)
  const [, id] = /([^/]+)$/.exec(response.headers.get('Location') ?? '') ?? []
  if (id === undefined) throw new HttpFailure(502, 'The answer does not say where the upload is.')
  return id
}

/** The headers of the request that begins an upload, without those that tell who asks. */
export function creationHeaders({ length, metadata }: Pick<NewUpload, 'length' | 'metadata'>): Record<string, string> {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${base64Of(value)}`)
  return { ...tusHeaders, 'Upload-Length': String(length), ...(pairs.length > 0 && { 'Upload-Metadata': pairs.join(',') }) }
}

/** The texts of `Upload-Metadata` by their names. What is no text is left out. */
export function readMetadata(header: string): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const pair of header.split(',')) {
    const [name = '', value = ''] = pair.trim().split(' ')
    try {
      const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
      texts[name] = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      // Of another client.
    }
  }
  return texts
}

function base64Of(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export type Pieces = Readonly<{
  id: string
  file: Blob
  /** Bytes of the next piece at most. */
  pieceSize: () => number
  /** The checksum of a piece, as `Upload-Checksum` has it; undefined where none can be had. */
  checksum(piece: Blob, signal: AbortSignal): Promise<string | undefined>
  /** Called with the bytes of the file that were sent. */
  onProgress(sent: number): void
  /** Called with the bytes that the server has: before each request, and with `isSent` when a piece has arrived whole. */
  onKept(bytes: number, isSent: boolean): void
  signal: AbortSignal
  at?: UploadsAt
}>

/**
 * Sends what the server does not have yet, piece by piece.
 * @throws HttpFailure of the first request that fails; an AbortError when `signal` is aborted
 */
export function sendPieces(pieces: Pieces): Promise<void> {
  const { id, file, pieceSize, checksum, onProgress, onKept, signal, at = ownUploads() } = pieces
  return new Promise((resolve, reject) => {
    const ending = new AbortController()
    let silence: ReturnType<typeof setTimeout> | undefined
    /** Where the piece ends that is being sent. */
    let end = file.size
    const settle = (failure?: Error | DOMException) => {
      clearTimeout(silence)
      ending.abort()
      signal.removeEventListener('abort', stop)
      if (failure) reject(failure)
      else resolve()
    }
    const upload = new Upload(file, {
      // With an address in place of a URL to begin at: after a HEAD that fails it would begin a new upload otherwise.
      uploadUrl: at.upload(id),
      storeFingerprintForResuming: false,
      retryDelays: null,
      chunkSize: pieceSize(),
      async onBeforeRequest(sent) {
        for (const [name, value] of Object.entries(at.headers())) sent.setHeader(name, value)
        sent.setHeader('Accept', accepted)
        if (sent.getMethod() !== 'PATCH') return
        const offset = Number(sent.getHeader('Upload-Offset'))
        onKept(offset, false)
        end = Math.min(file.size, offset + (upload.options.chunkSize ?? file.size))
        const piece = file.slice(offset, end)
        const sum = await checksum(piece, ending.signal)
        if (sum !== undefined) sent.setHeader('Upload-Checksum', sum)
        listen(offset)
      },
      onAfterResponse: (_sent, answer) => at.onAnswer(answer.getStatus(), answer.getHeader('X-Renew-Token') ?? null),
      onProgress(bytes) {
        listen(bytes)
        onProgress(bytes)
      },
      onChunkComplete(_size, accepted) {
        onKept(accepted, true)
        upload.options.chunkSize = pieceSize()
      },
      onSuccess: () => settle(),
      onError: (failure) => settle(httpFailureOf(failure)),
    })
    const give = (failure: Error | DOMException) => {
      void upload.abort()
      settle(failure)
    }
    const stop = () => give(new DOMException('The upload was cancelled.', 'AbortError'))
    const listen = (sent: number) => {
      clearTimeout(silence)
      const lost = () => give(unreached())
      silence = setTimeout(lost, sent < end ? longestSilence : longestEnd)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    listen(0)
    upload.start()
  })
}

function httpFailureOf(failure: Error | DetailedError): HttpFailure {
  const answer = 'originalResponse' in failure ? failure.originalResponse : undefined
  if (!answer) return unreached()
  const status = answer.getStatus()
  return failureOf({ status, statusText: String(status) }, answer.getBody(), (name) => answer.getHeader(name) ?? null)
}
