import { RE2JS } from 're2js'
import { Failure } from '../base/failure.ts'
import { isWithin, type Path, parsePath } from '../base/paths.ts'

/** A rule as it is stored and as the API sends and receives it. */
export type Rule = {
  allow: boolean
  /** Whole segments, from the user's scope root; used when `regex` is false. */
  path: string
  regex: boolean
  regexp: { raw: string }
}

/** A rule that can be applied. */
export type CompiledRule = Readonly<{ allow: boolean; matches(path: Path): boolean }>

/**
 * Regular expressions are RE2's, which match in linear time: a JavaScript RegExp can block the server (31 s for 28 characters).
 * @throws Failure('invalid') naming the pattern that does not compile
 */
export function compileRule(rule: Rule): CompiledRule {
  return { allow: rule.allow, matches: rule.regex ? regexMatcher(rule.regexp.raw) : pathMatcher(rule.path) }
}

function pathMatcher(text: string): (path: Path) => boolean {
  const ruled = parsePath(text)
  return (path) => isWithin(path, ruled)
}

function regexMatcher(raw: string): (path: Path) => boolean {
  try {
    const pattern = RE2JS.compile(raw)
    return (path) => pattern.matcher(path).find()
  } catch (cause) {
    throw new Failure('invalid', `the rule "${raw}" is not a regular expression of RE2`, { cause })
  }
}

/** The last matching rule decides; a path that no rule matches is allowed. A rule for a folder applies to everything below it. */
export function blockedBy(rules: readonly CompiledRule[], path: Path): boolean {
  return rules.findLast((rule) => rule.matches(path))?.allow === false
}
