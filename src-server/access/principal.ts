import { joined, type Path } from '../base/paths.ts'
import type { Permissions } from './permissions.ts'
import type { CompiledRule } from './rules.ts'

/** Somebody who asks for files: a user, or the owner behind a link, who then has the link's base and fewer permissions. */
export type Principal = Readonly<{
  userId: number
  name: string
  permissions: Permissions
  /** Global rules, then the user's own; the last match wins. Their paths count from the scope. */
  rules: readonly CompiledRule[]
  /** The folder below the served root that the user's own paths count from. */
  scope: Path
  /** The folder below the scope that this principal's paths count from: '/' for a user, the shared folder for a link. */
  base: Path
}>

/**
 * A path as a principal writes it, in the two other places that speak of it. The disk of a principal opens at the `served` path
 * of its '/'.
 */
export function pathsOf({ scope, base }: Pick<Principal, 'scope' | 'base'>, path: Path): { ruled: Path; served: Path } {
  const ruled = joined(base, path)
  return {
    /** From the scope: what the rules are asked about. */
    ruled,
    /** From the served root: what events carry. */
    served: joined(scope, ruled),
  }
}
