import type { SharedResource } from '../../src-server/contract/shares.ts'
import { fetchShared, HttpFailure, type SharedPlace } from '../api/shared.ts'

/** What the page shows. `wait`: seconds until the next attempt is allowed. */
export type SharedState =
  | Readonly<{ kind: 'shown'; resource: SharedResource }>
  | Readonly<{ kind: 'locked'; isWrong?: boolean; wait?: number | undefined }>
  | Readonly<{ kind: 'gone' }>
  | Readonly<{ kind: 'failed' }>

/** Asks what a link leads to. */
export async function readShared(place: SharedPlace, password?: string): Promise<SharedState> {
  try {
    return { kind: 'shown', resource: await fetchShared(place, password) }
  } catch (failure) {
    return stateOf(failure, password !== undefined)
  }
}

/** What the page shows after a refusal. */
export function stateOf(failure: unknown, isWrong = false): SharedState {
  const status = failure instanceof HttpFailure ? failure.status : 0
  if (status === 401) return { kind: 'locked', isWrong }
  if (status === 429) return { kind: 'locked', wait: (failure as HttpFailure).retryAfter ?? 1 }
  // A path that no server takes leads nowhere either.
  return status === 404 || status === 400 ? { kind: 'gone' } : { kind: 'failed' }
}
