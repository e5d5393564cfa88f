import { joined, type Path } from '../base/paths.ts'
import type { Permissions } from './permissions.ts'
import type { Rules } from './rules.ts'

/** Who acts on files: a user, or the owner of a public link with the link's base and fewer permissions. */
export type Principal = Readonly<{
  userId: number
  name: string
  /** Names that the user had before. */
  formerNames?: readonly string[] | undefined
  permissions: Permissions
  /** Global rules, then the user's own; the last match wins. Their paths count from the scope. */
  rules: Rules
  /** The folder below the served root that the user's own paths count from. */
  scope: Path
  /** The folder below the scope that this principal's paths count from: '/' for a user, the shared folder for a link. */
  base: Path
}>

/**
 * Converts a path of a principal to the path for the rules and the path below the served root. The disk of a principal opens at
 * the `served` path of '/'.
 */
export function pathsOf({ scope, base }: Pick<Principal, 'scope' | 'base'>, path: Path): { ruled: Path; served: Path } {
  const ruled = joined(base, path)
  return {
    /** From the scope: rules are checked with it. */
    ruled,
    /** From the served root: events carry it. */
    served: joined(scope, ruled),
  }
}
