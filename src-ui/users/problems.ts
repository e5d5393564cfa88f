import { HttpFailure } from '../api/http.ts'
import { saidBy } from '../core/failure-reason.ts'
import { t } from '../i18n/t.ts'
import type { RuleDraft } from './user-draft.ts'

/** What the server refused, for the field that it is about. */
export type FieldProblems = {
  username?: string
  password?: string
  scope?: string
  commands?: string
  rule?: { key: number; text: string }
}

const fields = ['username', 'password', 'scope', 'commands'] as const

/**
 * Finds the field that a refusal is about.
 * @returns undefined when it is about none of them: a notice says it then
 */
export function problemsOf(failure: unknown, rules: readonly RuleDraft[]): FieldProblems | undefined {
  if (!(failure instanceof HttpFailure)) return undefined
  const { status, refusal } = failure
  if (status === 409) return refusal?.field === 'scope' ? { scope: saidBy(failure) } : { username: t('users.taken') }
  if (status !== 400) return undefined
  const rule = refusedRule(failure, rules)
  if (rule) return { rule: { key: rule.key, text: saidBy(failure) } }
  const field = fields.find((name) => name === refusal?.field)
  return field && { [field]: saidBy(failure) }
}

/** The rule that a refusal quotes. */
export const refusedRule = ({ refusal }: HttpFailure, rules: readonly RuleDraft[]): RuleDraft | undefined =>
  refusal?.params.rule === undefined ? undefined : rules.find(({ text }) => text.trim() === refusal.params.rule)
