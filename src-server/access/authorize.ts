// Makes the capabilities: every decision about what a principal may do at a path is taken here.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Need } from '../contract/permissions.ts'
import type { Permissions } from './permissions.ts'
import { type Principal, pathsOf } from './principal.ts'

const stamp = Symbol('stamp')

/**
 * Proof that one principal may do one thing at one path. Only authorize() makes one; the methods of the disk require it.
 * Objects of the same shape do not compile because of the private member, and check() refuses casts at run time.
 */
export class Capability<out N extends Need = Need> {
  readonly #path: Path
  readonly #principal: Principal
  readonly #need: N

  constructor(proof: typeof stamp, principal: Principal, need: N, path: Path) {
    if (proof !== stamp) throw new TypeError('Only authorize() makes capabilities')
    this.#path = path
    this.#principal = principal
    this.#need = need
  }

  get need(): N {
    return this.#need
  }

  /**
   * Checks a capability when the disk uses it.
   * @returns its path, and the check for the true paths that links on the way lead to
   * @throws TypeError for anything that authorize() did not make, and for a capability for other needs
   */
  static check<N extends Need>(capability: Capability<N>, ...needs: readonly NoInfer<N>[]): Grant {
    const isReal = typeof capability === 'object' && capability !== null && #path in capability
    if (!isReal || !needs.includes(capability.#need)) throw new TypeError(`No capability to ${needs.join(' or ')}`)
    const principal = capability.#principal
    return { path: capability.#path, need: capability.#need, isBlocked: (path) => isBlocked(principal, path) }
  }
}

/** The content of a checked capability. */
export type Grant = Readonly<{
  path: Path
  need: Need
  /** Whether the principal's rules block another path, such as the target of a link. It counts from the principal's base too. */
  isBlocked(path: Path): boolean
}>

/** Decides from the text of the path, the rules and the permissions; the disk is not touched. @throws Failure('forbidden') */
export function authorize<N extends Need>(principal: Principal, need: N, path: Path): Capability<N> {
  if (isBlocked(principal, path)) throw new Failure('forbidden')
  checkPermissions(principal.permissions, [need])
  return new Capability(stamp, principal, need, path)
}

/** @throws Failure('forbidden') when one of the permissions is missing, which are then missing at every path */
export function checkPermissions(permissions: Permissions, needs: readonly Need[]): void {
  const missing = needs.find((need) => need !== 'see' && !permissions[need])
  if (missing === undefined) return
  // Who may not download what a link leads to may not share it.
  throw new Failure('forbidden', needs.includes('share') ? 'you may not share' : `you may not ${missing} here`)
}

/** Whether the principal's rules block a path. */
export function isBlocked(principal: Principal, path: Path): boolean {
  return !principal.rules.isEmpty && principal.rules.isBlocked(pathsOf(principal, path).ruled)
}
