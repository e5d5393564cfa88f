import { Failure } from '../base/failure.ts'
import { isWithin, type Path, parentOf, parsePath, rootPath } from '../base/paths.ts'
import { DeniedFolders } from './denied-folders.ts'
import { compileExpression, Expressions } from './expressions.ts'
import { PathRules } from './path-rules.ts'

/** Rules of one user, and of all. More would make each listing slow. */
export const mostPathRules = 1000
export const mostExpressions = 100

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
 * everything below it, and so does a denying expression that matches a folder.
 */
export type Rules = Readonly<{
  /** Whether there is none. */
  isEmpty: boolean
  isBlocked(path: Path): boolean
  /** Whether something below a path that is not blocked itself may be; yes also where only a look at each entry could tell. */
  mayBlockBelow(path: Path): boolean
}>

/** Whether a single rule matches a path. @throws Failure('invalid') when it is no path, or no expression */
export function matcherOf(rule: Rule): (path: Path) => boolean {
  if (rule.regex) {
    const matches = compileExpression(rule.regexp.raw)
    return rule.allow ? matches : (path) => matches(path) || foldersAbove(path).some(matches)
  }
  const ruled = parsePath(rule.path)
  return (path) => isWithin(path, ruled)
}

/** Without the root: an expression that matches it alone does not hold for everything. */
function foldersAbove(path: Path): Path[] {
  const parent = parentOf(path)
  return parent === rootPath ? [] : [parent, ...foldersAbove(parent)]
}

/** Compiles rules, in their order. @throws Failure('invalid') naming the expression or path that does not compile */
export function compileRules(rules: readonly Rule[]): Rules {
  const paths = new PathRules()
  const positions: number[] = []
  const sources: string[] = []
  const denying: { raw: string; position: number }[] = []
  for (const [position, { allow, regex, regexp, path }] of rules.entries()) {
    if (!regex) paths.add(parsePath(path), position)
    else {
      positions.push(position)
      sources.push(regexp.raw)
      if (!allow) denying.push({ raw: regexp.raw, position })
    }
  }
  const expressions = new Expressions(sources)
  const folders = new DeniedFolders(denying)
  const isBlocked = (path: Path) => {
    const byPath = paths.lastMatch(path)
    // Only later ones can decide otherwise.
    const from = positions.findIndex((position) => position > byPath)
    const found = from < 0 ? -1 : expressions.lastMatch(path, from)
    return rules[Math.max(positions[found] ?? byPath, folders.lastAbove(path))]?.allow === false
  }
  const deniedPaths = rules.filter(({ allow, regex }) => !allow && !regex).map(({ path }) => parsePath(path))
  const denies = deniedPaths.length > 0 || denying.length > 0
  // What a path rule at the path or above it decides holds below, unless an expression or a rule further down decides otherwise.
  const mayBlockBelow = (path: Path) =>
    denies && (positions.length > 0 || deniedPaths.some((denied) => denied !== path && isWithin(denied, path)))
  return { isEmpty: rules.length === 0, isBlocked, mayBlockBelow }
}

/** Why a rule cannot be applied, such as one that was written into the state by hand; undefined when it can be. */
export function faultOf(rule: Rule): string | undefined {
  if (!faults.has(rule)) faults.set(rule, findFault(rule))
  return faults.get(rule)
}

/** Stored rules are frozen: what is known of one stays true. */
const faults = new WeakMap<Rule, string | undefined>()

function findFault(rule: Rule): string | undefined {
  try {
    matcherOf(rule)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return rule.regex ? error.message : `the rule "${rule.path}" is no path`
    throw error
  }
}

/** A rule for an answer, with why it cannot be applied. */
export function shownRule(rule: Rule): Rule & { problem?: string } {
  const problem = faultOf(rule)
  return { ...rule, regexp: { ...rule.regexp }, ...(problem !== undefined && { problem }) }
}

/** In place of rules that cannot be applied: what the others decide is not what was meant. Each question throws Failure('busy'). */
export function unusableRules(reason: string): Rules {
  const refuse = () => {
    throw new Failure('busy', reason)
  }
  return { isEmpty: false, isBlocked: refuse, mayBlockBelow: refuse }
}

/** The rules, and all paths but one blocked. */
export function onlyAt(only: Path, rules: Rules): Rules {
  return { isEmpty: false, isBlocked: (path) => path !== only || rules.isBlocked(path), mayBlockBelow: () => true }
}

/** The rules, and all paths but a folder and what is directly in it blocked. */
export function onlyChildren(folder: Path, rules: Rules): Rules {
  const isInside = (path: Path) => path === folder || parentOf(path) === folder
  return { isEmpty: false, isBlocked: (path) => !isInside(path) || rules.isBlocked(path), mayBlockBelow: () => true }
}

export const noRules: Rules = compileRules([])
