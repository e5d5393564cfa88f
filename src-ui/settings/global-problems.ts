import { HttpFailure } from '../api/http.ts'
import { saidBy } from '../core/failure-reason.ts'
import { refusedRule } from '../users/problems.ts'
import type { RuleDraft } from '../users/user-draft.ts'

/** What the server refused: the sentence by the name of the field, such as `branding.files`, and the rule that it is about. */
export type GlobalProblems = {
  fields: Readonly<Record<string, string>>
  rule?: { key: number; text: string }
  /** The sentence when it is about no field of the card. */
  other?: string
}

export const noProblems: GlobalProblems = { fields: {} }

/**
 * Finds the field or the rule that a refusal is about.
 * @param names the fields of the card
 * @returns undefined when the settings were not refused: a notice says it then
 */
export function globalProblemsOf(
  failure: unknown,
  { names, rules = [] }: { names: readonly string[]; rules?: readonly RuleDraft[] },
): GlobalProblems | undefined {
  if (!(failure instanceof HttpFailure) || failure.status !== 400) return undefined
  const rule = refusedRule(failure, rules)
  if (rule) return { fields: {}, rule: { key: rule.key, text: saidBy(failure) } }
  const name = names.find((field) => field === failure.refusal?.field)
  return name ? { fields: { [name]: saidBy(failure) } } : { fields: {}, other: saidBy(failure) }
}
