// Makes the capabilities: every decision about what a principal may do at a path is taken here.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Action } from '../contract/permissions.ts'
import type { Permissions } from './permissions.ts'
import { type Principal, pathsOf } from './principal.ts'

const stamp = Symbol('stamp')

/**
 * Proof that one principal may do one thing at one path. Only authorize() makes one; the methods of the disk require it.
 * Objects of the same shape do not compile because of the private member, and check() refuses casts at run time.
 */
export class Capability<out N extends Action = Action> {
  readonly #path: Path
  readonly #principal: Principal
  readonly #action: N

  constructor(proof: typeof stamp, principal: Principal, action: N, path: Path) {
    if (proof !== stamp) throw new TypeError('Only authorize() makes capabilities')
    this.#path = path
    this.#principal = principal
    this.#action = action
  }

  get action(): N {
    return this.#action
  }

  /**
   * Checks a capability when the disk uses it.
   * @returns its path, and the check for the true paths that links on the way lead to
   * @throws TypeError for anything that authorize() did not make, and for a capability for other needs
   */
  static check<N extends Action>(capability: Capability<N>, ...actions: readonly NoInfer<N>[]): Grant {
    const isReal = typeof capability === 'object' && capability !== null && #path in capability
    if (!isReal || !actions.includes(capability.#action)) throw new TypeError(`No capability to ${actions.join(' or ')}`)
    const principal = capability.#principal
    return { path: capability.#path, action: capability.#action, isBlocked: (path) => isBlocked(principal, path) }
  }
}

/** The content of a checked capability. */
export type Grant = Readonly<{
  path: Path
  action: Action
  /** Whether the principal's rules block another path, such as the target of a link. It counts from the principal's base too. */
  isBlocked(path: Path): boolean
}>

/** Decides from the text of the path, the rules and the permissions; the disk is not touched. @throws Failure('forbidden') */
export function authorize<N extends Action>(principal: Principal, action: N, path: Path): Capability<N> {
  if (isBlocked(principal, path)) throw new Failure('forbidden')
  checkPermissions(principal.permissions, [action])
  return new Capability(stamp, principal, action, path)
}

/** @throws Failure('forbidden') when one of the permissions is missing, which are then missing at every path */
export function checkPermissions(permissions: Permissions, actions: readonly Action[]): void {
  const missing = actions.find((action) => !isPermitted(permissions, action))
  if (missing === undefined) return
  // Who may not download what a link leads to may not share it.
  throw new Failure('forbidden', actions.includes('share') ? 'you may not share' : `you may not ${missing} here`)
}

/** Whether authorize() makes a capability: for many questions, each of which would cost an error. */
export function isAllowed(principal: Principal, action: Action, path: Path): boolean {
  return !isBlocked(principal, path) && isPermitted(principal.permissions, action)
}

function isPermitted(permissions: Permissions, action: Action): boolean {
  return action === 'read' || permissions[action]
}

/** Whether the principal's rules block a path. */
export function isBlocked(principal: Principal, path: Path): boolean {
  return !principal.rules.isEmpty && principal.rules.isBlocked(pathsOf(principal, path).ruled)
}

/** Whether the principal's rules may block something below a path that they do not block. */
export function mayBlockBelow(principal: Principal, path: Path): boolean {
  return !principal.rules.isEmpty && principal.rules.mayBlockBelow(pathsOf(principal, path).ruled)
}
