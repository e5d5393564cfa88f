import { HttpFailure } from '../api/http.ts'
import { givenReason } from '../core/failure-reason.ts'
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
 * Finds the field that a refusal is about. The server's sentence names the field or quotes the rule.
 * @returns undefined when it is about none of them: a notice says it then
 */
export function problemsOf(failure: unknown, rules: readonly RuleDraft[]): FieldProblems | undefined {
  if (!(failure instanceof HttpFailure)) return undefined
  const reason = givenReason(failure.message) ?? ''
  if (failure.status === 409) return { username: t('users.taken') }
  if (failure.status !== 400) return undefined
  const rule = rules.find(({ text }) => text !== '' && reason.includes(`"${text}"`))
  if (rule) return { rule: { key: rule.key, text: rule.regex ? t('users.rules.invalid') : t('cause.other', { said: reason }) } }
  const field = fields.find((name) => reason.includes(name))
  if (!field && /\bname\b/.test(reason)) return { username: t('cause.other', { said: reason }) }
  return field && { [field]: t('cause.other', { said: reason }) }
}
