import type { RequestPage } from '../../src-server/contract/requests.ts'
import { fetchRequest, HttpFailure } from '../api/request-link.ts'

export type OpenRequest = Extract<RequestPage, { kind: 'open' }>
export type ClosedRequest = Extract<RequestPage, { kind: 'closed' }>

/** What the page shows. `wait`: seconds until the next attempt is allowed. */
export type RequestState =
  | OpenRequest
  | ClosedRequest
  | Readonly<{ kind: 'locked'; isWrong?: boolean; wait?: number | undefined }>
  | Readonly<{ kind: 'gone' }>
  | Readonly<{ kind: 'failed' }>

/** Asks what a link takes in. */
export async function readRequest(hash: string, password?: string): Promise<RequestState> {
  try {
    return await fetchRequest(hash, password)
  } catch (failure) {
    const status = failure instanceof HttpFailure ? failure.status : 0
    if (status === 401) return { kind: 'locked', isWrong: password !== undefined }
    if (status === 429) return { kind: 'locked', wait: (failure as HttpFailure).retryAfter ?? 1 }
    return status === 404 || status === 400 ? { kind: 'gone' } : { kind: 'failed' }
  }
}
