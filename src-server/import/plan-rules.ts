// Rules of File Browser as rules of ours. A path in a rule was the beginning of a text up to 2.63.0, and a whole name from 2.63.1 on, and
// nothing in a database says by which of them it was written last: whatever both would have blocked stays blocked.
import { matcherOf, mostExpressions, mostPathRules, type Rule } from '../access/rules.ts'
import { needsSlash } from '../access/trailing-slash.ts'
import { joined, type Path, parentOf, rootPath } from '../base/paths.ts'
import type { PlanBudget } from './plan-budget.ts'
import { listed, type PlanNotes, quoted } from './plan-notes.ts'
import { cleanedPath, type RootFacts } from './root-facts.ts'
import type { SourceUser } from './source-records.ts'

type SourceRule = NonNullable<SourceUser['rules']>[number]

/** What happens to a rule that cannot be applied here. */
export type UnusableRules = 'block' | 'leave-out'

type RuleParts = Readonly<{
  facts: RootFacts
  /** The folders that the rules count from. */
  scopes: readonly Path[]
  /** Whether 2.63.1 or later wrote the database. */
  hasWholeNames: boolean
  /** Whether its disk takes small and capital letters for the same, so that rules for paths did. */
  foldsCase?: boolean
  /** Undefined until the administrator has said it. */
  unusable: UnusableRules | undefined
  notes: PlanNotes
  budget: PlanBudget
  /** A rule behind all of them. */
  added?: Rule | undefined
}>

/** @param about whose rules they are, for notes */
export async function plannedRules(rules: readonly SourceRule[], about: string, parts: RuleParts): Promise<Rule[]> {
  const planned: Rule[] = []
  // Each expression is compiled, which takes a while.
  if (
    !isNumberPossible(
      rules.filter(({ regex }) => regex),
      about,
      parts,
    )
  )
    return planned
  for (const rule of rules) {
    const one = rule.regex ? ofExpression(rule, about, parts) : ofPath(rule, about, parts)
    if (one === undefined) continue
    planned.push(one)
  }
  if (parts.added) planned.push(parts.added)
  // Each difference is a look at the disk.
  if (!isNumberPossible(planned, parts.added ? `${about} (with the one that hides names that begin with a dot)` : about, parts))
    return planned
  for (const { regex, path, allow } of rules) {
    const name = regex ? undefined : cleanedPath(path)
    if (name === path) await tellDifferences(name, allow, about, parts)
  }
  return planned
}

/** Denies all names that begin with a dot, as a user had it who hides them. */
export const noDotFiles: Rule = { allow: false, regex: true, path: '', regexp: { raw: '/\\.[^/]*$' } }

function ofPath({ allow, path }: SourceRule, about: string, { hasWholeNames, foldsCase, notes }: RuleParts): Rule | undefined {
  const rule = ofPathAsWritten({ allow, path }, about, { hasWholeNames, notes })
  if (rule === undefined || rule.allow || !foldsCase || rule.path === rootPath) return rule
  // What an allowing one is about is known in its own letters alone.
  return expressionRule(false, `(?i)${rule.regex ? rule.regexp.raw : `^${escaped(rule.path)}(?:/|$)`}`)
}

function ofPathAsWritten(
  { allow, path }: Pick<SourceRule, 'allow' | 'path'>,
  about: string,
  { hasWholeNames, notes }: Pick<RuleParts, 'hasWholeNames' | 'notes'>,
): Rule | undefined {
  // An empty one was the beginning of every path.
  if (path !== '' && !path.startsWith('/')) {
    notes.left(about, `the rule for ${quoted(path)}: it begins with no slash, and so has never matched anything`)
    return undefined
  }
  const name = cleanedPath(path)
  if (name === rootPath && path.length < 2) return pathRule(allow, name)
  // The text was compared with clean paths as it is: cleaned, one for `/.` would be one for everything.
  if (name === undefined || name === rootPath || (path !== name && path !== `${name}/`))
    return ofOtherText(allow, path, about, notes)
  if (path.endsWith('/')) return ofFolder(allow, name, about, notes)
  return allow || hasWholeNames ? pathRule(allow, name) : expressionRule(false, `^${escaped(name)}`)
}

/** A text that is no clean path: what it denied stays denied, and what it allowed is none that can be named. */
function ofOtherText(allow: boolean, path: string, about: string, notes: PlanNotes): Rule | undefined {
  if (!allow) return expressionRule(false, `^${escaped(path)}`)
  notes.left(about, `the rule that allows ${quoted(path)}, which is no path`)
  return undefined
}

/** `/a/` was the beginning of what is in the folder alone. */
function ofFolder(allow: boolean, name: Path, about: string, notes: PlanNotes): Rule {
  if (!allow) {
    notes.changed(about, `the rule that denies ${quoted(`${name}/`)} blocks the folder too, and not only what is in it`)
    return pathRule(false, name)
  }
  notes.changed(about, `the rule that allows ${quoted(`${name}/`)} allows what is in the folder, and not the folder itself`)
  return expressionRule(true, `^${escaped(name)}/`)
}

function ofExpression(
  { allow, regexp }: SourceRule,
  about: string,
  { unusable: answer, notes, budget }: RuleParts,
): Rule | undefined {
  const raw = regexp?.raw
  const problem = raw === undefined ? 'that is missing' : expressionProblem(raw, budget)
  // No flag answers that: all that follow would be blocked or open alike.
  if (budget.isSpent('computing')) notes.stop(tooLong)
  if (raw !== undefined && problem === undefined) return expressionRule(allow, raw)
  const what = raw === undefined ? `the expression ${problem}` : `the expression ${quoted(raw)}, which ${problem}`
  return unusable({ allow, what, about, notes, answer })
}

/** Stops a plan whose time for expressions is over. */
export const tooLong = 'The expressions of the rules take too long: remove some of them in File Browser'

/** Characters: far more than people write. Longer ones take seconds to look at. */
const longestExpression = 1000

/** Those that were looked at: many users have the same. */
const problems = new WeakMap<PlanBudget, Map<string, string | undefined>>()

/** Why an expression cannot be applied here; undefined when it can. */
function expressionProblem(raw: string, budget: PlanBudget): string | undefined {
  if (raw.length > longestExpression) return `is longer than ${longestExpression} characters`
  const known = problems.get(budget) ?? new Map<string, string | undefined>()
  problems.set(budget, known)
  if (known.has(raw)) return known.get(raw)
  const found = budget.compute(() => {
    if (!compiles(expressionRule(false, raw))) return 'is none of RE2'
    return needsSlash(raw) ? 'needs a slash at the end of the path, where paths have none here' : undefined
  })
  if (found === undefined) return 'was not looked at, as the expressions of the rules take too long'
  known.set(raw, found.result)
  return found.result
}

type Unusable = Readonly<{ allow: boolean; what: string; about: string; notes: PlanNotes; answer: UnusableRules | undefined }>

/** An allowing rule that cannot be applied allows nothing. A denying one may hide what nobody should see. */
function unusable({ allow, what, about, notes, answer }: Unusable): Rule | undefined {
  if (allow || answer === 'leave-out') {
    notes.left(about, `${what} (${allow ? 'it allowed' : 'it denied'})`)
    return undefined
  }
  if (answer === 'block') {
    notes.changed(about, `${what}: it blocks everything until it is replaced`)
    return pathRule(false, rootPath)
  }
  notes.stop(
    `A rule of ${about} cannot be applied: ${what}: mend it in File Browser, or add --unusable-rules block (everything that the rule counts for ` +
      'is blocked until an administrator replaces it) or --unusable-rules leave-out (what it denied is open)',
  )
  return pathRule(false, rootPath)
}

const pathRule = (allow: boolean, path: Path): Rule => ({ allow, path, regex: false, regexp: { raw: '' } })
const expressionRule = (allow: boolean, raw: string): Rule => ({ allow, path: '', regex: true, regexp: { raw } })

/** As a part of an expression of RE2. */
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function compiles(rule: Rule): boolean {
  try {
    matcherOf(rule)
    return true
  } catch {
    return false
  }
}

/** Whether there are no more rules than a user or the settings may have. */
export function isNumberPossible(
  rules: readonly Pick<Rule, 'regex'>[],
  about: string,
  { notes, hasWholeNames }: Pick<RuleParts, 'notes' | 'hasWholeNames'>,
): boolean {
  const expressions = rules.filter(({ regex }) => regex).length
  const advice = hasWholeNames ? '' : ', or add --written-by 2.63.1 when that release or a later one was in use'
  if (expressions > mostExpressions)
    notes.stop(
      `The rules of ${about} would be ${expressions} expressions, and at most ${mostExpressions} are possible: remove some in File Browser${advice}`,
    )
  const paths = rules.length - expressions
  if (paths > mostPathRules)
    notes.stop(
      `The rules of ${about} have ${paths} paths, and at most ${mostPathRules} are possible: remove some in File Browser`,
    )
  return expressions <= mostExpressions && paths <= mostPathRules
}

/** Names that take as long as a look-up. */
const namesOfLookUp = 50

/** Names the paths that are there and on which the releases before and after 2.63.1 differ. */
async function tellDifferences(
  path: Path,
  allow: boolean,
  about: string,
  { facts, scopes, hasWholeNames, notes, budget }: RuleParts,
): Promise<void> {
  if (path === rootPath) return
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = parentOf(path)
  const found = new Set<string>()
  for (const scope of scopes) {
    if (!budget.take('folders')) return
    const names = await facts.namesIn(joined(scope, folder))
    budget.take('folders', names.length / namesOfLookUp)
    for (const other of names)
      if (other !== name && other.startsWith(name)) found.add(quoted(joined(folder, `/${other}` as Path)))
  }
  if (found.size === 0) return
  const paths = listed([...found].toSorted())
  if (allow)
    notes.changed(about, `the rule that allows ${quoted(path)} is about that alone: before 2.63.1 it was about ${paths} too`)
  else if (hasWholeNames)
    notes.changed(about, `the rule that denies ${quoted(path)} does not block ${paths}: before 2.63.1 it did`)
  else
    notes.changed(
      about,
      `the rule that denies ${quoted(path)} blocks ${paths} too, as before 2.63.1: add --written-by 2.63.1 when that or a later release was in use`,
    )
}
