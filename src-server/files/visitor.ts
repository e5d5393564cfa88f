import type { Visitor } from '../access/admission.ts'
import { compileRule, type Rule } from '../access/rules.ts'
import type { StoredUser } from '../state/state-data.ts'

/** A stored user as the admission knows somebody: the global rules first, then the user's own. */
export function visitorOf(user: StoredUser, globalRules: readonly Rule[]): Visitor {
  const known = visitors.get(user)
  if (known?.globalRules === globalRules) return known.visitor
  const rules = [...globalRules, ...user.rules].map(compileRule)
  const visitor = { name: user.username, permissions: user.perm, rules }
  visitors.set(user, { globalRules, visitor })
  return visitor
}

/** Stored records are frozen and replaced when they change, so that what was compiled for one stays true of it. */
const visitors = new WeakMap<StoredUser, { globalRules: readonly Rule[]; visitor: Visitor }>()
