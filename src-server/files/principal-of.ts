import type { Principal } from '../access/principal.ts'
import { compileRules, type Rule, type Rules } from '../access/rules.ts'
import { parsePath, rootPath } from '../base/paths.ts'
import type { StoredUser } from '../state/state-data.ts'

/** A stored user as a principal: the global rules first, then the user's own. */
export function principalOf(user: StoredUser, globalRules: readonly Rule[]): Principal {
  const known = principals.get(user)
  if (known?.globalRules === globalRules) return known.principal
  const rules = compiled(globalRules, user.rules)
  const scope = parsePath(user.scope)
  const principal = { userId: user.id, name: user.username, permissions: user.perm, rules, scope, base: rootPath }
  principals.set(user, { globalRules, principal })
  return principal
}

/** The rules stay the same object as long as no rule changes, whatever else changes of the user. */
function compiled(globalRules: readonly Rule[], own: readonly Rule[]): Rules {
  const known = compiledRules.get(own)
  if (known?.globalRules === globalRules) return known.rules
  const rules = compileRules([...globalRules, ...own])
  compiledRules.set(own, { globalRules, rules })
  return rules
}

const compiledRules = new WeakMap<readonly Rule[], { globalRules: readonly Rule[]; rules: Rules }>()

/** Stored records are frozen and replaced when they change, so that the rules compiled for one stay valid. */
const principals = new WeakMap<StoredUser, { globalRules: readonly Rule[]; principal: Principal }>()
