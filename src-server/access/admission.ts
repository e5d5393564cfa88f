// The only maker of tickets: every decision about what a visitor may do at a path is taken here.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Need } from '../contract/permissions.ts'
import type { Permissions } from './permissions.ts'
import { blockedBy, type CompiledRule } from './rules.ts'

/** Somebody who asks for files: a user, or the owner behind a link. */
export type Visitor = Readonly<{
  name: string
  permissions: Permissions
  /** Global rules, then the user's own; the last match wins. */
  rules: readonly CompiledRule[]
}>

const stamp = Symbol('stamp')

/**
 * Proof that one visitor may do one thing at one path. Only admit() makes one, and the disk takes nothing else.
 * The private member keeps look-alike objects from compiling; redeem() meets a cast or a borrowed prototype at run time.
 */
export class Ticket<out N extends Need = Need> {
  readonly #path: Path
  readonly #visitor: Visitor
  readonly #need: N

  constructor(proof: typeof stamp, visitor: Visitor, need: N, path: Path) {
    if (proof !== stamp) throw new TypeError('Only admit() makes tickets')
    this.#path = path
    this.#visitor = visitor
    this.#need = need
  }

  get need(): N {
    return this.#need
  }

  /**
   * The path that the ticket is good for, and a way to ask about where a link on the way leads.
   * @throws TypeError for anything that admit() did not make, and for a ticket to something else.
   */
  static redeem<N extends Need>(ticket: Ticket<N>, ...needs: readonly NoInfer<N>[]): Admitted {
    const isReal = typeof ticket === 'object' && ticket !== null && #path in ticket
    if (!isReal || !needs.includes(ticket.#need)) throw new TypeError(`No ticket to ${needs.join(' or ')}`)
    const visitor = ticket.#visitor
    return { path: ticket.#path, need: ticket.#need, isBlocked: (path) => blockedBy(visitor.rules, path) }
  }
}

/** What a redeemed ticket says. */
export type Admitted = Readonly<{
  path: Path
  need: Need
  /** Whether the visitor's rules block another path: asked about what a link leads to. */
  isBlocked(path: Path): boolean
}>

/** @throws Failure('forbidden') from the path's text and the visitor's permissions alone: the disk is not touched. */
export function admit<N extends Need>(visitor: Visitor, need: N, path: Path): Ticket<N> {
  if (blockedBy(visitor.rules, path)) throw new Failure('forbidden')
  if (!mayDo(visitor.permissions, need)) throw new Failure('forbidden', `you may not ${need} here`)
  return new Ticket(stamp, visitor, need, path)
}

function mayDo(permissions: Permissions, need: Need) {
  return need === 'see' || permissions[need]
}

/** Whether the visitor's rules hide a path. */
export function isBlocked(visitor: Visitor, path: Path): boolean {
  return blockedBy(visitor.rules, path)
}
