import { permissionNames } from '../contract/permissions.ts'
import type { StoredSettings, StoredUser } from '../state/state-data.ts'

/** What decides about the files of a person: the record and the rules of the server. */
export type Rights = Readonly<{ user: StoredUser; globalRules: StoredSettings['rules'] }>

/** @param view of somebody who is there still @returns their rights in it */
export const rightsOf = (view: Readonly<{ user?: StoredUser | undefined; settings: StoredSettings }>): Rights => ({
  user: view.user as StoredUser,
  globalRules: view.settings.rules,
})

/** Whether what was begun with some rights may go on with others: nothing was taken away, and the files are still the same. */
export function mayGoOn(before: Rights, now: Rights): boolean {
  if (before.user === now.user && before.globalRules === now.globalRules) return true
  const isTaken =
    permissionNames.some((name) => before.user.perm[name] && !now.user.perm[name]) ||
    before.user.commands.some((name) => !now.user.commands.includes(name))
  return !isTaken && before.user.scope === now.user.scope && haveSameRules(before, now)
}

/** Whether a page that shows what some rights allow need not follow. What people change of their own, such as the view, is left out. */
export function isSameForPage(before: Rights, now: Rights): boolean {
  if (before.user === now.user && before.globalRules === now.globalRules) return true
  return pageTextOf(before) === pageTextOf(now) && haveSameRules(before, now)
}

function haveSameRules(before: Rights, now: Rights) {
  return areSame(before.globalRules, now.globalRules) && areSame(before.user.rules, now.user.rules)
}

type Rules = StoredSettings['rules']

/** What lists were compared with last: a change of the rules for everybody is asked about for each request that runs. */
const compared = new WeakMap<Rules, Readonly<{ now: Rules; areSame: boolean }>>()

/** Mostly nothing of the rules has changed, and there may be thousands. */
function areSame(before: Rules, now: Rules): boolean {
  if (before === now) return true
  const known = compared.get(before)
  if (known?.now === now) return known.areSame
  const verdict = { now, areSame: JSON.stringify(before) === JSON.stringify(now) }
  compared.set(before, verdict)
  return verdict.areSame
}

function pageTextOf(rights: Rights) {
  const { username, scope, lockPassword, perm, commands } = rights.user
  return JSON.stringify([username, scope, lockPassword, perm, commands])
}
