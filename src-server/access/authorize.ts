// The only maker of capabilities: every decision about what a principal may do at a path is taken here.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Need } from '../contract/permissions.ts'
import type { Permissions } from './permissions.ts'
import { type Principal, pathsOf } from './principal.ts'
import { blockedBy } from './rules.ts'

const stamp = Symbol('stamp')

/**
 * Proof that one principal may do one thing at one path. Only authorize() makes one, and the disk takes nothing else.
 * The private member keeps look-alike objects from compiling; check() refuses a cast or a borrowed prototype at run time.
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
   * The path that the capability is good for, and a way to ask about where a link on the way leads.
   * @throws TypeError for anything that authorize() did not make, and for a capability to something else.
   */
  static check<N extends Need>(capability: Capability<N>, ...needs: readonly NoInfer<N>[]): Grant {
    const isReal = typeof capability === 'object' && capability !== null && #path in capability
    if (!isReal || !needs.includes(capability.#need)) throw new TypeError(`No capability to ${needs.join(' or ')}`)
    const principal = capability.#principal
    return { path: capability.#path, need: capability.#need, isBlocked: (path) => isBlocked(principal, path) }
  }
}

/** What a capability that was checked says. */
export type Grant = Readonly<{
  path: Path
  need: Need
  /** Whether the principal's rules block another path, which counts from the same folder: where a link leads. */
  isBlocked(path: Path): boolean
}>

/** @throws Failure('forbidden') from the path's text and the principal's permissions alone: the disk is not touched. */
export function authorize<N extends Need>(principal: Principal, need: N, path: Path): Capability<N> {
  if (isBlocked(principal, path)) throw new Failure('forbidden')
  if (!mayDo(principal.permissions, need)) throw new Failure('forbidden', `you may not ${need} here`)
  return new Capability(stamp, principal, need, path)
}

function mayDo(permissions: Permissions, need: Need) {
  return need === 'see' || permissions[need]
}

/** Whether the principal's rules hide a path. */
export function isBlocked(principal: Principal, path: Path): boolean {
  return principal.rules.length > 0 && blockedBy(principal.rules, pathsOf(principal, path).ruled)
}
