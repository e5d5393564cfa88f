import { signal } from '@preact/signals-core'
import type { Resource } from '../../src-server/contract/files.ts'
import { callWithHeaders, HttpFailure } from '../api/http.ts'
import { whenServed } from '../api/when-served.ts'
import { entriesOf } from '../core/entries.ts'
import type { ListingState } from '../core/entry-view.ts'

/** The path may be that of a text, which would come along. */
const withoutContent = { content: 'false' }

type Given = {
  signal: AbortSignal
  /** Is given what has come of a long answer, as text, while the rest is on its way. */
  onBeginning: (beginning: string) => void
}

/** Milliseconds after which the page says that the server does not answer. */
const slowTime = 3000
/** Whether the server has not answered the present request for some time. */
export const isSlow = signal(false)

/** Reads what is at a path. @returns undefined when the request was aborted */
export async function fetchListing(path: string, given: Given): Promise<ListingState | undefined> {
  const timer = setTimeout(() => {
    isSlow.value = true
  }, slowTime)
  try {
    return await readListing(path, given)
  } finally {
    clearTimeout(timer)
    isSlow.value = false
  }
}

async function readListing(path: string, { signal, onBeginning }: Given): Promise<ListingState | undefined> {
  try {
    const tell = (beginning: string) => signal.aborted || onBeginning(beginning)
    const asked = { path, query: withoutContent, signal, onBeginning: tell }
    const { reply, headers } = await whenServed(() => callWithHeaders('GET /api/resources/*', asked), signal)
    return foundState(path, reply, headers.get('X-Read-At'))
  } catch (failure) {
    if (signal.aborted) return undefined
    const { status, message, reason, refusal } = failure instanceof HttpFailure ? failure : new HttpFailure(0, String(failure))
    return { kind: 'failed', path, status, message, ...(reason && { reason }), ...(refusal && { refusal }) }
  }
}

/** Whether a failure says nothing about the path: the server is busy, the network is down, or the session is over. */
export const isTemporary = (status: number): boolean => status === 0 || status === 401 || status === 429 || status >= 500

function foundState(path: string, resource: Resource, readAt: string | null): ListingState {
  if (!resource.isDir) return { kind: 'file', path, resource }
  return { kind: 'folder', path, resource, entries: entriesOf(resource), readAt: readAt === null ? undefined : Number(readAt) }
}
