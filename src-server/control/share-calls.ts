import { parsePath } from '../base/paths.ts'
import type { StoredAnyLink, StoredLink, StoredRequest } from '../state/state-data.ts'
import { allOf } from '../state/views.ts'
import { CallRefusal } from './call-refusal.ts'
import { asOperator, type OperatorServices, userCalled } from './operator-services.ts'

/** A link of either kind. Times are in seconds since the epoch. */
export type ShownLink = Readonly<{
  hash: string
  /** `request`: it takes files in. */
  kind: 'share' | 'request'
  /** Of the owner. */
  username: string
  /** From the served root. */
  path: string
  isDir: boolean
  created: number
  /** 0 never expires. */
  expire: number
  hasPassword: boolean
  /** What its owner has noted, or the title of a link that takes files in. */
  note: string
  mostDownloads?: number
  /** While what it leads to is in the trash. */
  inTrash?: true
  /** When the owner closed a link that takes files in. */
  closed?: number
}>

export const shareCalls = {
  /** Of one user or of all: by owner, then by path. Links that take files in are there until they are deleted. */
  'shares.list': async (services: OperatorServices, { user }: { user?: string }): Promise<ShownLink[]> => {
    const { state, shares } = services
    const filter = user === undefined ? {} : { userId: (await userCalled(state, user)).id }
    const links = await shares.list(filter)
    const requests = await allOf((after: string | undefined) => state.requests({ ...filter, after }))
    const users = await allOf((after: number | undefined) => state.users({ after }))
    const nameOf = new Map(users.map(({ id, username }) => [id, username]))
    const shown = (link: StoredLink | StoredRequest) => shownLink(link, nameOf.get(link.userId) ?? '')
    return [...links, ...requests].sort(byOwnerThenPath).map(shown)
  },

  /** Removes a link of either kind. What has arrived by it stays. */
  'shares.remove': async (services: OperatorServices, { hash }: { hash: string }): Promise<{ hash: string; path: string }> => {
    const { state, shares, events } = services
    const link = (await shares.view(hash))?.link ?? (await state.request(hash))?.request
    if (link === undefined) throw new CallRefusal(`there is no link ${JSON.stringify(hash)}`)
    const { path } = link
    await events.around({ kind: 'unshare', shared: parsePath(path), ...asOperator }, () => shares.removeAll([hash]))
    return { hash, path }
  },
}

function byOwnerThenPath(one: StoredAnyLink, other: StoredAnyLink): number {
  if (one.userId !== other.userId) return one.userId - other.userId
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return one.hash < other.hash ? -1 : 1
}

function shownLink(link: StoredLink | StoredRequest, username: string): ShownLink {
  const { hash, path, isDir, createdAt, expire, password, suspended } = link
  return {
    ...{ hash, kind: 'title' in link ? 'request' : 'share', username, path, isDir, created: createdAt, expire },
    ...{ hasPassword: password !== undefined, note: 'title' in link ? link.title : (link.note ?? '') },
    ...('mostDownloads' in link && { mostDownloads: link.mostDownloads }),
    ...(suspended !== undefined && { inTrash: true }),
    ...('closedAt' in link && { closed: link.closedAt }),
  }
}
