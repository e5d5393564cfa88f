// Whether an expression needs the slash that File Browser had behind the paths of folders, where paths have none here. It is decided by what
// the expression matches, and not by how it is written: all that it may be in the middle of after a part of a path is followed at once.
import { RE2JS } from 're2js'

/** An instruction of a compiled expression. */
type Instruction = Readonly<{ op: number; out: number; arg: number; runes: ArrayLike<number>; matchRune(rune: number): boolean }>
type Program = Readonly<{ inst: readonly Instruction[]; start: number }>

/** Kinds of instructions, as RE2 numbers them. Those between the first and the last rune read one character. */
const op = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  rune: 8,
  lastRune: 11,
}

/** After a part of a text that has no match so far: one like its last character, and the instructions to go on with. */
type Position = Readonly<{ last: number; pending: readonly number[] }>

/** In place of a character: the begin or the end of the text. */
const outside = -1
const slash = 0x2f

/** Steps of one expression: some milliseconds. */
const mostSteps = 50_000

/** Stand for all that may be in a folder. */
const anyNames = ['x', 'Zq9', 'a b.c-d é']

/**
 * Whether the expression matches the path of some folder only with a slash behind it, and not all that is in the folder either.
 * Yes also for one that takes too long to tell.
 * @param raw an expression that compiles
 */
export function needsSlash(raw: string): boolean {
  try {
    return new PathSearch(RE2JS.compile(raw).re2Input.prog).needsSlash()
  } catch (error) {
    if (error instanceof Undecided) return true
    throw error
  }
}

class Undecided extends Error {}

class PathSearch {
  readonly #program: Program
  readonly #letters: readonly number[]
  #steps = 0

  constructor(program: Program) {
    this.#program = program
    this.#letters = lettersOf(program)
  }

  needsSlash(): boolean {
    const root = this.#after({ last: outside, pending: [] }, slash)
    const [queue, seen] = [[{ at: root, isName: false }], new Set<string>()]
    const add = (at: Position | undefined, isName: boolean) => {
      const key = `${at?.last},${isName},${at?.pending.join()}`
      if (at !== undefined && !seen.has(key)) queue.push({ at, isName })
      seen.add(key)
    }
    for (const { at, isName } of queue) {
      if (at === undefined) continue
      for (const letter of this.#letters) add(this.#after(at, letter), true)
      // What is below a folder that matches is blocked with it.
      if (!isName || this.#ends(at)) continue
      const folder = this.#after(at, slash)
      if (folder === undefined) continue
      if (this.#ends(folder) && !anyNames.every((name) => this.#matches(folder, name))) return true
      add(folder, false)
    }
    return false
  }

  #matches(from: Position, text: string): boolean {
    let at: Position | undefined = from
    for (const letter of text) {
      at = this.#after(at, letter.codePointAt(0) ?? 0)
      if (at === undefined) return true
    }
    return this.#ends(at)
  }

  /** @returns undefined when a match ends before the character: whatever follows, there is one */
  #after(at: Position, letter: number): Position | undefined {
    const { isMatch, runes } = this.#reachable(at, letter)
    if (isMatch) return undefined
    const pending = new Set<number>()
    for (const instruction of runes) if (instruction.matchRune(letter)) pending.add(instruction.out)
    return { last: alike(letter), pending: [...pending].toSorted((one, other) => one - other) }
  }

  #ends(at: Position): boolean {
    return this.#reachable(at, outside).isMatch
  }

  /** What is reached without reading a character. @param next the character that follows */
  #reachable({ last, pending }: Position, next: number): { isMatch: boolean; runes: Instruction[] } {
    const { inst, start } = this.#program
    const holding = conditionsBetween(last, next)
    // A match may begin at each character.
    const [queue, runes] = [new Set([...pending, start]), [] as Instruction[]]
    let isMatch = false
    for (const number of queue) {
      this.#steps += 1
      const instruction = inst[number]
      if (instruction === undefined || this.#steps > mostSteps) throw new Undecided()
      const { op: kind, out, arg } = instruction
      if (kind === op.match) isMatch = true
      else if (kind >= op.rune && kind <= op.lastRune) runes.push(instruction)
      else if (kind === op.alternative || kind === op.alternativeMatch) queue.add(out).add(arg)
      else if (kind === op.capture || kind === op.nothing || (kind === op.emptyWidth && (arg & ~holding) === 0)) queue.add(out)
      else if (kind > op.lastRune) throw new Undecided()
    }
    this.#steps += runes.length
    return { isMatch, runes }
  }
}

/** The conditions of RE2 that hold between two characters, as bits. */
function conditionsBetween(last: number, next: number): number {
  const isLineBreak = 0x0a
  const begin = (last === outside ? 4 : 0) | (last === outside || last === isLineBreak ? 1 : 0)
  const end = (next === outside ? 8 : 0) | (next === outside || next === isLineBreak ? 2 : 0)
  return begin | end | (isOfWord(last) === isOfWord(next) ? 32 : 16)
}

/** One character for all that make no difference to conditions, so that fewer positions are different ones. */
const alike = (letter: number) => (isOfWord(letter) ? 0x78 : letter === 0x0a ? letter : slash)

const isOfWord = (letter: number) => letter >= 0 && /\w/.test(String.fromCodePoint(letter))

/** More say hardly more. */
const mostLetters = 150

/** Characters of names that the expression tells apart, and usual ones. */
function lettersOf({ inst }: Program): number[] {
  const usual = ['x', 'Z', '9', '_', '.', '-', ' ', 'é', '\n'].map((letter) => letter.codePointAt(0) ?? 0)
  const edges = inst.flatMap(({ runes }) =>
    Array.from(runes).flatMap((rune, index) => (index % 2 === 0 ? [rune, rune - 1] : [rune, rune + 1])),
  )
  const isPossible = (letter: number) =>
    letter > 0 && letter !== slash && letter <= 0x10ffff && !(letter >= 0xd800 && letter <= 0xdfff)
  return [...new Set([...usual, ...edges])].filter(isPossible).slice(0, mostLetters)
}
