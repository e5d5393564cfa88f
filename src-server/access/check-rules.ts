import { Failure } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { mostOf } from '../contract/users.ts'
import { compileRule, type Rule } from './rules.ts'

/** Checks a list of rules before it is stored. @throws Failure('invalid') naming the rule that cannot be applied */
export function checkRules(rules: readonly Rule[]): void {
  const expressions = rules.filter(({ regex }) => regex).length
  if (expressions > mostOf.expressions) throw new Failure('invalid', `rules: at most ${mostOf.expressions} expressions`)
  if (rules.length - expressions > mostOf.pathRules) throw new Failure('invalid', `rules: at most ${mostOf.pathRules} paths`)
  for (const [index, rule] of rules.entries()) checkRule(rule, index)
}

function checkRule(rule: Rule, index: number) {
  // An empty text would match everything, which nobody means.
  if ((rule.regex ? rule.regexp.raw : rule.path) === '') throw new Failure('invalid', `rules.${index} is empty`)
  try {
    compileRule(rule)
    if (!rule.regex) parsePath(rule.path)
  } catch (cause) {
    throw new Failure('invalid', `rules.${index}: ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}
