import { encodePath } from './addresses.ts'
import { accepted, actHeader, failureOf, handleAuthHeaders, unreached } from './http.ts'
import { baseURL } from './page-config.ts'
import { session } from './session-port.ts'

/** An upload of one file. */
export type Sending = {
  /** The target path, not encoded. */
  path: string
  file: Blob
  /** Replace an existing file; otherwise a taken name is refused with status 409. */
  override?: boolean
  /** What the person does at once with this upload and others. */
  act?: string | undefined
  /** Called with the bytes sent and the bytes in total. */
  onProgress?(sent: number, total: number): void
  signal?: AbortSignal
}

/**
 * Uploads one file. With XMLHttpRequest, because fetch does not report the progress of an upload.
 * @throws HttpFailure; an AbortError when `signal` is aborted
 */
export function sendFile({ path, file, override = false, act, onProgress, signal }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const token = session().token()
    const abort = () => request.abort()
    const settle = (failure?: Error | DOMException) => {
      signal?.removeEventListener('abort', abort)
      if (failure) reject(failure)
      else resolve()
    }
    request.open('POST', `${baseURL}/api/resources${encodePath(path)}?override=${override}`)
    request.setRequestHeader('Accept', accepted)
    if (token) request.setRequestHeader('X-Auth', token)
    if (act) request.setRequestHeader(actHeader, act)
    request.upload.addEventListener('progress', (event) => onProgress?.(event.loaded, event.total))
    request.addEventListener('load', () => {
      handleAuthHeaders(request.status, request.getResponseHeader('X-Renew-Token'), token)
      const answered = request.status >= 200 && request.status < 300
      settle(answered ? undefined : failureOf(request, request.responseText, (name) => request.getResponseHeader(name)))
    })
    request.addEventListener('error', () => settle(unreached()))
    request.addEventListener('abort', () => settle(new DOMException('The upload was cancelled.', 'AbortError')))
    if (signal?.aborted) return settle(new DOMException('The upload was cancelled.', 'AbortError'))
    signal?.addEventListener('abort', abort)
    request.send(file)
  })
}
