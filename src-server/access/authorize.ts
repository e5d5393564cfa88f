// The only maker of tickets: every decision about what a visitor may do at a path is taken here.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Need } from '../contract/permissions.ts'
import type { Permissions } from './permissions.ts'
import { blockedBy, type CompiledRule } from './rules.ts'

/** Somebody who asks for files: a user, or the owner behind a link. */
export type Principal = Readonly<{
  name: string
  permissions: Permissions
  /** Global rules, then the user's own; the last match wins. */
  rules: readonly CompiledRule[]
}>

const stamp = Symbol('stamp')

/**
 * Proof that one visitor may do one thing at one path. Only admit() makes one, and the disk takes nothing else.
 * The private member keeps look-alike objects from compiling; check() meets a cast or a borrowed prototype at run time.
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
   * The path that the ticket is good for, and a way to ask about where a link on the way leads.
   * @throws TypeError for anything that admit() did not make, and for a ticket to something else.
   */
  static check<N extends Need>(capability: Capability<N>, ...needs: readonly NoInfer<N>[]): Grant {
    const isReal = typeof capability === 'object' && capability !== null && #path in capability
    if (!isReal || !needs.includes(capability.#need)) throw new TypeError(`No capability to ${needs.join(' or ')}`)
    const principal = capability.#principal
    return { path: capability.#path, need: capability.#need, isBlocked: (path) => blockedBy(principal.rules, path) }
  }
}

/** What a redeemed ticket says. */
export type Grant = Readonly<{
  path: Path
  need: Need
  /** Whether the visitor's rules block another path: asked about what a link leads to. */
  isBlocked(path: Path): boolean
}>

/** @throws Failure('forbidden') from the path's text and the visitor's permissions alone: the disk is not touched. */
export function authorize<N extends Need>(principal: Principal, need: N, path: Path): Capability<N> {
  if (blockedBy(principal.rules, path)) throw new Failure('forbidden')
  if (!mayDo(principal.permissions, need)) throw new Failure('forbidden', `you may not ${need} here`)
  return new Capability(stamp, principal, need, path)
}

function mayDo(permissions: Permissions, need: Need) {
  return need === 'see' || permissions[need]
}

/** Whether the visitor's rules hide a path. */
export function isBlocked(principal: Principal, path: Path): boolean {
  return blockedBy(principal.rules, path)
}
