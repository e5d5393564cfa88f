import type { UserRule as Rule, ShownRule, User } from '../../src-server/contract/users.ts'
import type { Permission } from '../core/workspace.ts'

/** What a form about a user holds: texts as they are typed. */
export type UserDraft = {
  username: string
  password: string
  scope: string
  locale: string
  lockPassword: boolean
  perm: User['perm']
  /** Separated by spaces. */
  commands: string
  rules: readonly RuleDraft[]
}

/** A rule in a form. */
export type RuleDraft = {
  /** Unique in the form. */
  key: number
  allow: boolean
  /** Whether `text` is a regular expression, or a path. */
  regex: boolean
  text: string
  /** Why the stored rule, which is still the text, cannot be applied. */
  problem?: string | undefined
}

let lastKey = 0
const nextKey = () => ++lastKey

/** What *New* adds: it allows, and names no path yet. */
export const newRule = (): RuleDraft => ({ key: nextKey(), allow: true, regex: false, text: '' })

export const ruleDrafts = (rules: readonly ShownRule[]): RuleDraft[] =>
  rules.map(({ allow, regex, path, regexp, problem }) => {
    const draft = { key: nextKey(), allow, regex, text: regex ? regexp.raw : path }
    return problem === undefined ? draft : { ...draft, problem }
  })

/** The rules as they are stored. Rows in which nothing was typed are left out. */
export const rulesOf = (drafts: readonly RuleDraft[]): Rule[] =>
  filled(drafts).map(({ allow, regex, text }) => ({
    allow,
    regex,
    path: regex ? '' : text.trim(),
    regexp: { raw: regex ? text : '' },
  }))

/** The rows that are stored. */
export const filled = (drafts: readonly RuleDraft[]): RuleDraft[] => drafts.filter(({ text }) => text.trim() !== '')

/** The parts of a text between its spaces. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export function draftOf({ username, password, scope, locale, lockPassword, perm, commands, rules }: User): UserDraft {
  const texts = { username, password, scope, locale }
  return { ...texts, lockPassword, perm, commands: commands.join(' '), rules: ruleDrafts(rules) }
}

/** The permissions beside *Administrator*, in the order of the form. */
export const permissions = [
  'create',
  'delete',
  'download',
  'modify',
  'execute',
  'rename',
  'share',
] as const satisfies Permission[]

/** An administrator has every permission, and no locked password. Without it the permissions stay as they were. */
export function withAdministrator<T extends { perm: User['perm']; lockPassword?: boolean }>(draft: T, admin: boolean): T {
  if (!admin) return { ...draft, perm: { ...draft.perm, admin } }
  const all = Object.fromEntries(permissions.map((permission) => [permission, true]))
  return { ...draft, perm: { ...draft.perm, ...all, admin }, ...('lockPassword' in draft && { lockPassword: false }) }
}
