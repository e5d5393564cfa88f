import type { MoreReason, SearchResult } from '../../src-server/contract/search.ts'
import type { SharedResource } from '../../src-server/contract/shares.ts'
import { encodePath } from './addresses.ts'
import { HttpFailure, request, toFailure } from './http.ts'
import { baseURL } from './page-config.ts'

/** A place behind a public link: its hash, and a path inside of what is shared. */
export type SharedPlace = Readonly<{ hash: string; path: string }>

/**
 * What a public link leads to. A right password is remembered by a cookie, so that downloads need none.
 * @throws HttpFailure: 401 without the password or with a wrong one, 404 for a link that leads nowhere, 429 after too many attempts
 */
export async function fetchShared({ hash, path }: SharedPlace, password?: string): Promise<SharedResource> {
  const headers = password === undefined ? {} : { 'X-SHARE-PASSWORD': encodeURIComponent(password) }
  const response = await request(publicAddress('share', { hash, path }), { headers })
  if (!response.ok) throw await toFailure(response)
  return (await response.json()) as SharedResource
}

/** What was found below a shared folder, and why there may be more. */
export type SharedResults = Readonly<{ results: readonly SearchResult[]; more: MoreReason | undefined }>

/** Finds names below a shared folder. @throws HttpFailure: 400 for a query that is none, 503 while another search of this address runs */
export async function searchShared(place: SharedPlace, query: string, signal: AbortSignal): Promise<SharedResults> {
  const address = `${publicAddress('search', place)}?query=${encodeURIComponent(query)}`
  const response = await request(address, { signal })
  if (!response.ok) throw await toFailure(response)
  const more = (response.headers.get('X-More-Results') ?? undefined) as MoreReason | undefined
  return { results: (await response.json()) as SearchResult[], more }
}

/** Asks whether a download would begin, without counting it. @throws HttpFailure as `fetchShared` */
export async function assertDownload(address: string): Promise<void> {
  const response = await request(address, { method: 'HEAD' })
  if (!response.ok) throw await toFailure(response)
}

/** The address of a download: a file, or a folder as an archive. */
export const downloadAddress = (place: SharedPlace): string => publicAddress('dl', place)

/** The address of a picture that is smaller than its file. */
export const previewAddress = (size: 'thumb' | 'big', place: SharedPlace): string =>
  `${publicAddress(`preview/${size}`, place)}?inline=true`

export { HttpFailure }

function publicAddress(kind: string, { hash, path }: SharedPlace): string {
  return `${baseURL}/api/public/${kind}/${encodeURIComponent(hash)}${path === '/' ? '' : encodePath(path)}`
}
