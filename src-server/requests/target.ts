import { isBlocked } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { onlyChildren } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path, pathBelow } from '../base/paths.ts'
import { ownerOf } from '../files/principal-of.ts'
import type { StoredRequest } from '../state/state-data.ts'
import type { RequestView } from '../state/views.ts'

/** Where a request link leads, by the present rights of its owner, who may create there. The disk has not been asked. */
export type RequestTarget = Readonly<{
  owner: Principal
  /** In the scope of the owner. */
  folder: Path
}>

/** @returns undefined when the folder is in the trash, the owner may no longer share or create, or no longer sees the folder */
export function requestTargetOf({ request, owner: user, settings }: RequestView): RequestTarget | undefined {
  if (request.suspended !== undefined || !user.perm.share || !user.perm.create) return undefined
  const owner = ownerOf(user, settings.rules)
  const folder = pathBelow(owner.scope, request.path as Path)
  return folder === undefined || isBlocked(owner, folder) ? undefined : { owner, folder }
}
/** Whether a link still takes something in. @param now milliseconds since the epoch */
export function isOpen({ closedAt, expire }: StoredRequest, now: number): boolean {
  return closedAt === undefined && (expire === 0 || expire * 1000 > now)
}

/**
 * Who creates files for a sender: the owner, who may do nothing else here.
 * @param folder of the sender, in that of the link; undefined where all send into that one, which has no folders for them
 */
export function creatorIn({ owner, folder }: RequestTarget, own: string | undefined): Principal {
  const permissions = { ...noPermissions, create: true }
  if (own !== undefined) return { ...owner, permissions, base: childOf(folder, own) }
  return { ...owner, permissions, base: folder, rules: onlyChildren(folder, owner.rules) }
}

/** Whether a request that was begun may go on. @returns why not */
export function refusalOf(present: RequestView, before: RequestView): Failure | undefined {
  const [now, then] = [requestTargetOf(present), requestTargetOf(before)]
  if (!now || !then || now.owner.scope !== then.owner.scope || now.owner.rules !== then.owner.rules)
    return new Failure('notFound')
  if (present.request.password !== undefined && present.request.password !== before.request.password)
    return new Failure('unauthorized')
  return present.request.closedAt === undefined || before.request.closedAt !== undefined ? undefined : nothingMore()
}

export const nothingMore = () => new Failure('gone', 'nothing more is taken in here')
