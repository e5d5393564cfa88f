// The calls of the page of a link that takes files in. Who sends something is known by a cookie.
import type { Receipt, RequestPage } from '../../src-server/contract/requests.ts'
import { encodePath } from './addresses.ts'
import { accepted, failureOf, HttpFailure, request, toFailure, unreached } from './http.ts'
import { baseURL } from './page-config.ts'
import { creationHeaders, type UploadsAt } from './tus.ts'

export { HttpFailure }

/**
 * What the link shows to who sends something. A right password is remembered by a cookie.
 * @throws HttpFailure: 401 without the password or with a wrong one, 404 for a link that leads nowhere, 429 after too many attempts
 */
export async function fetchRequest(hash: string, password?: string): Promise<RequestPage> {
  const headers = { Accept: accepted, ...(password !== undefined && { 'X-SHARE-PASSWORD': encodeURIComponent(password) }) }
  return answered(await request(linkAddress(hash), { headers }))
}

/** A receipt of all that is in none. @throws HttpFailure: 409 when there is nothing */
export async function makeReceipt(hash: string): Promise<Receipt> {
  return answered(await request(`${linkAddress(hash)}/receipt`, { method: 'POST', headers: { Accept: accepted } }))
}

/** One of this sender. @throws HttpFailure */
export async function fetchReceipt(hash: string, number: string, signal: AbortSignal): Promise<Receipt> {
  return answered(await request(receiptAddress(hash, number), { headers: { Accept: accepted }, signal }))
}

/** The address of a receipt as a text to save. */
export const receiptTextAddress = (hash: string, number: string): string => `${receiptAddress(hash, number)}?format=txt`

/** From now on somebody else sends from here. @throws HttpFailure */
export async function leaveRequest(hash: string): Promise<void> {
  const response = await request(`${linkAddress(hash)}/leave`, { method: 'POST', headers: { Accept: accepted } })
  if (!response.ok) throw await toFailure(response)
}

/** Where the uploads of a sender are. */
export function uploadsOf(hash: string): UploadsAt {
  const top = `${baseURL}/api/public/tus/${encodeURIComponent(hash)}`
  return {
    creation: (path) => top + encodePath(path),
    upload: (id) => `${top}/${encodeURIComponent(id)}`,
    headers: () => ({}),
    onAnswer: () => {},
  }
}

/** Removes what the server has of a file that is not wanted any more. */
export async function removeUpload(hash: string, id: string): Promise<void> {
  await request(uploadsOf(hash).upload(id), { method: 'DELETE', headers: { Accept: accepted, 'Tus-Resumable': '1.0.0' } })
}

export type WholeFile = Readonly<{
  hash: string
  /** With a slash at its beginning. */
  path: string
  file: Blob
  metadata: Readonly<Record<string, string>>
  onProgress(sent: number): void
  signal: AbortSignal
}>

/**
 * Sends a file in one request. With XMLHttpRequest, because fetch does not report the progress.
 * @throws HttpFailure; an AbortError when `signal` is aborted
 */
export function sendWhole({ hash, path, file, metadata, onProgress, signal }: WholeFile): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest()
    const abort = () => sent.abort()
    const settle = (failure?: Error | DOMException) => {
      signal.removeEventListener('abort', abort)
      if (failure) reject(failure)
      else resolve()
    }
    const cancelled = () => settle(new DOMException('The upload was cancelled.', 'AbortError'))
    sent.open('POST', uploadsOf(hash).creation(path, false))
    for (const [name, value] of Object.entries(creationHeaders({ length: file.size, metadata })))
      sent.setRequestHeader(name, value)
    if (file.size > 0) sent.setRequestHeader('Content-Type', 'application/offset+octet-stream')
    sent.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    sent.addEventListener('load', () => {
      const isTaken = sent.status >= 200 && sent.status < 300
      settle(isTaken ? undefined : failureOf(sent, sent.responseText, (name) => sent.getResponseHeader(name)))
    })
    sent.addEventListener('error', () => settle(unreached()))
    sent.addEventListener('abort', cancelled)
    if (signal.aborted) return cancelled()
    signal.addEventListener('abort', abort)
    sent.send(file.size > 0 ? file : null)
  })
}

const linkAddress = (hash: string) => `${baseURL}/api/public/request/${encodeURIComponent(hash)}`

const receiptAddress = (hash: string, number: string) => `${linkAddress(hash)}/receipt/${encodeURIComponent(number)}`

async function answered<T>(response: Response): Promise<T> {
  if (!response.ok) throw await toFailure(response)
  return (await response.json()) as T
}
