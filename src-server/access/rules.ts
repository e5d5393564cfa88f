import { isWithin, type Path, parsePath } from '../base/paths.ts'
import { compileExpression, Expressions } from './expressions.ts'
import { PathRules } from './path-rules.ts'

/** A rule as it is stored and as the API sends and receives it. */
export type Rule = {
  allow: boolean
  /** Whole segments, from the user's scope root; used when `regex` is false. */
  path: string
  regex: boolean
  regexp: { raw: string }
}

/**
 * Rules that can be applied. The last matching rule decides; a path that none matches is allowed. A rule for a folder applies to
 * everything below it.
 */
export type Rules = Readonly<{
  /** Whether there is none. */
  isEmpty: boolean
  isBlocked(path: Path): boolean
}>

/** Whether a single rule matches a path. @throws Failure('invalid') when it is no path, or no expression */
export function matcherOf(rule: Rule): (path: Path) => boolean {
  if (rule.regex) return compileExpression(rule.regexp.raw)
  const ruled = parsePath(rule.path)
  return (path) => isWithin(path, ruled)
}

/** Compiles rules, in their order. @throws Failure('invalid') naming the expression or path that does not compile */
export function compileRules(rules: readonly Rule[]): Rules {
  const paths = new PathRules()
  const positions: number[] = []
  const sources: string[] = []
  for (const [position, { regex, regexp, path }] of rules.entries()) {
    if (!regex) paths.add(parsePath(path), position)
    else {
      positions.push(position)
      sources.push(regexp.raw)
    }
  }
  const expressions = new Expressions(sources)
  const isBlocked = (path: Path) => {
    const byPath = paths.lastMatch(path)
    // Only later ones can decide otherwise.
    const from = positions.findIndex((position) => position > byPath)
    const found = from < 0 ? -1 : expressions.lastMatch(path, from)
    return rules[positions[found] ?? byPath]?.allow === false
  }
  return { isEmpty: rules.length === 0, isBlocked }
}

/** The rules, and all paths but one blocked. */
export function onlyAt(only: Path, rules: Rules): Rules {
  return { isEmpty: false, isBlocked: (path) => path !== only || rules.isBlocked(path) }
}

export const noRules: Rules = compileRules([])
