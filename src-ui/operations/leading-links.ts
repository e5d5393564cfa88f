// How many links lead to what is about to be deleted.
import { useEffect, useState } from 'react'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import type { Share } from '../../src-server/contract/shares.ts'
import { call } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'

type Link = Pick<Share, 'path' | 'expire' | 'inTrash'> &
  Partial<Pick<Share, 'downloads' | 'mostDownloads'> & Pick<RequestLink, 'closedAt' | 'leadsNowhere'>>

/** The links that lead to items, or into them, and have not ended. @param now milliseconds since the epoch */
export function leadingTo(items: readonly Pick<Item, 'path'>[], links: readonly Link[], now = Date.now()): Link[] {
  const isUsed = ({ expire, downloads = 0, mostDownloads = Number.POSITIVE_INFINITY, ...link }: Link) =>
    (expire === 0 || expire * 1000 > now) && downloads < mostDownloads && !(link.inTrash || link.closedAt || link.leadsNowhere)
  const isIn = (path: string) => items.some((item) => path === item.path || path.startsWith(`${item.path}/`))
  return links.filter((link) => isUsed(link) && isIn(link.path))
}

/** What becomes of the links to items. */
export const linksText = (count: number, isForGood: boolean): string | false =>
  count > 0 && t(isForGood ? 'prompts.delete.linksEnd' : 'prompts.delete.linked', { count })

/** The links that this person sees, of both kinds; none until they are known, or where they cannot be told. */
export function useLinks(): readonly Link[] {
  const workspace = useWorkspace()
  const [links, setLinks] = useState<readonly Link[]>([])
  useEffect(() => {
    if (!workspace.may('share')) return
    const leaving = new AbortController()
    const how = { signal: AbortSignal.any([leaving.signal, workspace.signal]), isBackground: true }
    const add = (more: readonly Link[]) => setLinks((known) => [...known, ...more])
    // Nothing is said of what could not be asked: the deletion is not about it.
    if (workspace.may('download')) call('GET /api/shares', how).then(add, () => {})
    if (workspace.may('create')) call('GET /api/requests', how).then(add, () => {})
    return () => leaving.abort()
  }, [workspace])
  return links
}
