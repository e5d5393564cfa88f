import { HttpFailure } from '../api/http.ts'
import { givenReason } from '../core/failure-reason.ts'
import { t } from '../i18n/t.ts'
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
 * Finds the field that a refusal is about. The server's sentence begins with the name of the field, or quotes the rule.
 * @param names the fields of the card
 * @returns undefined when the settings were not refused: a notice says it then
 */
export function globalProblemsOf(
  failure: unknown,
  { names, rules = [] }: { names: readonly string[]; rules?: readonly RuleDraft[] },
): GlobalProblems | undefined {
  if (!(failure instanceof HttpFailure) || failure.status !== 400) return undefined
  const said = givenReason(failure.message) ?? failure.message
  if (said.startsWith('rules')) {
    const rule = rules.find(({ text }) => text !== '' && said.includes(`"${text.trim()}"`))
    if (rule)
      return { fields: {}, rule: { key: rule.key, text: t(rule.regex ? 'users.rules.invalid' : 'settings.global.noPath') } }
  }
  const name = names.find((field) => new RegExp(`^${field.replaceAll('.', '\\.')}\\b`).test(said))
  return name ? { fields: { [name]: sentenceFor(name, said) } } : { fields: {}, other: t('cause.other', { said }) }
}

function sentenceFor(name: string, said: string): string {
  if (name === 'branding.files') return t('settings.global.noFolder')
  if (name === 'branding.color') return t('settings.global.noColor')
  if (name in hookLimits) return t('settings.hooks.wholeNumber', hookLimits[name as keyof typeof hookLimits])
  return t('cause.other', { said })
}

/** What the server takes. */
const hookLimits = {
  'hookLimits.seconds': { least: 1, most: 600 },
  'hookLimits.kilobytes': { least: 1, most: 1024 },
}
