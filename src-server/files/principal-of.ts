import type { Principal } from '../access/principal.ts'
import { compileRule, type Rule } from '../access/rules.ts'
import { parsePath, rootPath } from '../base/paths.ts'
import type { StoredUser } from '../state/state-data.ts'

/** A stored user as a principal: the global rules first, then the user's own. */
export function principalOf(user: StoredUser, globalRules: readonly Rule[]): Principal {
  const known = principals.get(user)
  if (known?.globalRules === globalRules) return known.principal
  const rules = [...globalRules, ...user.rules].map(compileRule)
  const scope = parsePath(user.scope)
  const principal = { userId: user.id, name: user.username, permissions: user.perm, rules, scope, base: rootPath }
  principals.set(user, { globalRules, principal })
  return principal
}

/** Stored records are frozen and replaced when they change, so that the rules compiled for one stay valid. */
const principals = new WeakMap<StoredUser, { globalRules: readonly Rule[]; principal: Principal }>()
