import type { Principal } from '../access/authorize.ts'
import { compileRule, type Rule } from '../access/rules.ts'
import type { StoredUser } from '../state/state-data.ts'

/** A stored user as the admission knows somebody: the global rules first, then the user's own. */
export function principalOf(user: StoredUser, globalRules: readonly Rule[]): Principal {
  const known = principals.get(user)
  if (known?.globalRules === globalRules) return known.principal
  const rules = [...globalRules, ...user.rules].map(compileRule)
  const principal = { name: user.username, permissions: user.perm, rules }
  principals.set(user, { globalRules, principal })
  return principal
}

/** Stored records are frozen and replaced when they change, so that what was compiled for one stays true of it. */
const principals = new WeakMap<StoredUser, { globalRules: readonly Rule[]; principal: Principal }>()
