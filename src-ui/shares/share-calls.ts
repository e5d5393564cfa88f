// The calls about public links.
import type { ExpiryUnit, Share, ShareChanges } from '../../src-server/contract/shares.ts'
import { call } from '../api/http.ts'
import { baseURL } from '../api/page-config.ts'
import { liveSlice } from '../core/live.ts'
import type { Workspace } from '../core/workspace.ts'

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

/**
 * Reads links again whenever they may have changed elsewhere: one reading at a time, and one more when they changed during it.
 * @param show gets what was read @returns a function that ends it
 */
export function followShares(
  workspace: Workspace,
  read: (signal: AbortSignal) => Promise<Share[]>,
  show: (links: Share[]) => void,
) {
  const leaving = new AbortController()
  const { signal } = leaving
  let isReading = false
  let isStale = false
  const readAgain = async () => {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale && !signal.aborted) {
      isStale = false
      // What could not be read stays as it is shown: the next change, or the next action, tells.
      const links = await read(signal).catch(() => undefined)
      if (links && !signal.aborted) show(links)
    }
    isReading = false
  }
  const end = workspace.use(liveSlice).followNews('links', () => void readAgain())
  return () => {
    end()
    leaving.abort()
  }
}

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
