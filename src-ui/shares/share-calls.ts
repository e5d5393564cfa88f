// The calls about public links.
import type { ExpiryUnit, Share, ShareChanges } from '../../src-server/contract/shares.ts'
import { call } from '../api/http.ts'
import { baseURL } from '../api/page-config.ts'

/** What a new link is made with. Without `expires` it is permanent. */
export type NewLink = Readonly<{
  expires?: { count: string; unit: ExpiryUnit }
  password?: string
  note?: string
  mostDownloads?: number
}>

/** The links of a path: one's own, and for administrators those of everybody. */
export const sharesOf = (path: string, signal: AbortSignal) => call('GET /api/share/*', { path, signal })

/** All links that this person may see. */
export const allShares = (signal: AbortSignal) => call('GET /api/shares', { signal })

/** Makes a link. @throws HttpFailure: 409 when there is a permanent one already */
export function createShare(path: string, { expires, ...body }: NewLink): Promise<Share> {
  const query = expires && { expires: expires.count, unit: expires.unit }
  return call('POST /api/share/*', { path, body, ...(query && { query }) })
}

/** Changes a link. @returns the link as it is now */
export async function changeShare(share: Share, changes: ShareChanges): Promise<Share> {
  const isChanged = Object.keys(changes).length > 0
  return isChanged ? call('PATCH /api/share/:hash', { params: { hash: share.hash }, body: changes }) : share
}

/** Deletes a link. */
export const deleteShare = (hash: string): Promise<unknown> => call('DELETE /api/share/:hash', { params: { hash } })

/** The whole address of the page of a link, to be given to others. */
export const linkAddress = (hash: string): string => `${location.origin}${baseURL}/share/${hash}`
