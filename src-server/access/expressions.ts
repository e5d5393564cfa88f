import { RE2JS, RE2Set } from 're2js'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'

/** Fewer are asked one after another. */
const fewestTogether = 8
/** Instructions of expressions that are asked together, and characters of a path: more could take long for one path. */
const mostInstructions = 5000
const longestText = 512
/** Bytes of the tables for asking together. */
const mostMemory = 1 << 20
/** Milliseconds that asking together may take for a path: it usually takes a hundredth of it. */
const allowance = 0.1
/** Milliseconds beyond the allowance after which the expressions are asked one after another. */
const mostExcess = 100

/** Whether a text has a match of an expression. */
export type Matches = (text: string) => boolean

/**
 * Compiles one expression. Regular expressions are RE2's, which match in linear time: a JavaScript RegExp can block the server (31 s
 * for 28 characters).
 * @throws Failure('invalid') naming the expression
 */
export function compileExpression(raw: string): Matches {
  try {
    const pattern = RE2JS.compile(raw)
    return (text) => pattern.matcher(text).find()
  } catch (cause) {
    throw new Failure('invalid', `the rule "${raw}" is not a regular expression of RE2`, { cause })
  }
}

/**
 * Expressions that are asked in one pass over the text, which takes as long as a few of them. A hundred expressions can be such that
 * some texts take a hundred times as long in one pass as one after another; this is noticed, and they are no longer asked together.
 */
export class Expressions {
  readonly #sources: readonly string[]
  readonly #now: () => number
  #together: RE2Set | undefined
  #each: readonly Matches[] | undefined
  #excess = 0

  /** @param now milliseconds @throws Failure('invalid') naming the expression that does not compile */
  constructor(sources: readonly string[], now = () => performance.now()) {
    this.#sources = sources
    this.#now = now
    this.#together = together(sources)
    if (!this.#together) this.#each = sources.map(compileExpression)
  }

  /** The position of the last expression that matches; -1 when none does. @param from of the first that is asked */
  lastMatch(path: Path, from: number): number {
    if (from >= this.#sources.length) return -1
    if (this.#together === undefined || path.length > longestText) return this.#oneByOne(path, from)
    const began = this.#now()
    const last = Math.max(-1, ...this.#together.match(path))
    this.#excess = Math.max(0, this.#excess + this.#now() - began - allowance)
    if (this.#excess > mostExcess) this.#together = undefined
    return last >= from ? last : -1
  }

  #oneByOne(path: Path, from: number): number {
    this.#each ??= this.#sources.map(compileExpression)
    for (let at = this.#each.length - 1; at >= from; at--) if (this.#each[at]?.(path)) return at
    return -1
  }
}

/** Undefined when they are few, too large together, or one of them does not compile. */
function together(sources: readonly string[]): RE2Set | undefined {
  if (sources.length < fewestTogether) return undefined
  try {
    const set = new RE2Set(RE2Set.UNANCHORED, 0, mostMemory)
    for (const source of sources) set.add(source)
    set.compile()
    return set.prog.numInst() <= mostInstructions ? set : undefined
  } catch {
    return undefined
  }
}
