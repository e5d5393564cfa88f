import { isBlocked } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { onlyAt } from '../access/rules.ts'
import { nameOf, type Path, parentOf, parsePath, pathBelow, rootPath } from '../base/paths.ts'
import { ownerOf } from '../files/principal-of.ts'
import type { LinkView } from '../state/views.ts'

/** Where a link leads, by the present rights of its owner. The disk has not been asked. */
export type Target = Readonly<{
  /** The owner, limited to the link: sees and downloads what is shared, and nothing else. */
  principal: Principal
  /** Of what is shared, as a path of the principal: '/', or the name of a file. */
  path: Path
  /** '' for the root of the owner's scope, whose name only administrators may know. */
  name: string
}>

/**
 * A shared folder is the principal's base. The base of a shared file is its folder, of which a last rule blocks all other paths.
 * @returns undefined when what is shared is in the trash, the owner is gone, may no longer share or download, or no longer sees the path
 */
export function targetOf({ link, owner: user, settings }: LinkView): Target | undefined {
  if (link.suspended !== undefined) return undefined
  if (!user.perm.share || !user.perm.download) return undefined
  const owner = ownerOf(user, settings.rules)
  const ruled = pathBelow(owner.scope, link.path as Path)
  if (ruled === undefined || isBlocked(owner, ruled)) return undefined
  const permissions = { ...noPermissions, download: true }
  const name = nameOf(ruled)
  if (link.isDir) return { principal: { ...owner, permissions, base: ruled }, path: rootPath, name }
  const rules = onlyAt(ruled, owner.rules)
  return { principal: { ...owner, permissions, rules, base: parentOf(ruled) }, path: parsePath(name), name }
}
