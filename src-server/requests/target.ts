import { isBlocked } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { type Path, pathBelow } from '../base/paths.ts'
import { ownerOf } from '../files/principal-of.ts'
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
