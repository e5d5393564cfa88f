import type { Principal } from '../access/principal.ts'
import { compileRules, faultOf, type Rule, type Rules, unusableRules } from '../access/rules.ts'
import { parsePath, rootPath } from '../base/paths.ts'
import type { StoredUser } from '../state/state-data.ts'

/**
 * A stored user as a principal: the global rules first, then the user's own. Where one of the user's own cannot be applied, or a
 * global one and the user is no administrator, each question about a path throws Failure('busy').
 */
export function principalOf(user: StoredUser, globalRules: readonly Rule[]): Principal {
  const cached = principals.get(user)
  if (cached?.globalRules === globalRules) return cached.principal
  const rules = compiled(globalRules, user.rules, user.perm.admin)
  const scope = parsePath(user.scope)
  const { id: userId, username: name, formerNames, perm: permissions } = user
  const principal = { userId, name, formerNames, permissions, rules, scope, base: rootPath }
  principals.set(user, { globalRules, principal })
  return principal
}

/** As `principalOf`, for those to whom a user opens files: they may not see what a rule that cannot be applied was to hide. */
export function ownerOf(user: StoredUser, globalRules: readonly Rule[]): Principal {
  const owner = principalOf(user, globalRules)
  return user.perm.admin ? { ...owner, rules: compiled(globalRules, user.rules, false) } : owner
}

/** The rules stay the same object as long as no rule changes, whatever else changes of the user. */
function compiled(globalRules: readonly Rule[], own: readonly Rule[], ignoresFaulty: boolean): Rules {
  const compiledRules = ignoresFaulty ? ofAdministrators : ofOthers
  const cached = compiledRules.get(own)
  if (cached?.globalRules === globalRules) return cached.rules
  const rules = usable(globalRules, own, ignoresFaulty)
  compiledRules.set(own, { globalRules, rules })
  return rules
}

/** Administrators, who could delete a faulty global rule, go on without it, so that they can mend it. */
function usable(globalRules: readonly Rule[], own: readonly Rule[], ignoresFaulty: boolean): Rules {
  if (own.some(faultOf)) return unusableRules('one of your rules is not valid; an administrator can correct it')
  const valid = globalRules.filter((rule) => faultOf(rule) === undefined)
  if (valid.length < globalRules.length && !ignoresFaulty) {
    return unusableRules('a rule of the server is not valid; an administrator can correct it')
  }
  return compileRules([...valid, ...own])
}

type CachedRules = { globalRules: readonly Rule[]; rules: Rules }
const ofAdministrators = new WeakMap<readonly Rule[], CachedRules>()
const ofOthers = new WeakMap<readonly Rule[], CachedRules>()

/** Stored records are frozen and replaced when they change, so that the rules compiled for one stay valid. */
const principals = new WeakMap<StoredUser, { globalRules: readonly Rule[]; principal: Principal }>()
