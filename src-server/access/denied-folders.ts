import type { Path } from '../base/paths.ts'
import { Expressions } from './expressions.ts'

/** Folders whose answer is kept: the entries of a listing share theirs, and a walk goes on below it. */
const mostKnown = 512
/**
 * Characters of all folders above a path together whose answer is not kept: of more, asking many expressions could take seconds.
 * Few expressions may be asked about more: about a million, divided by their number.
 */
const mostCharacters = 65_536
const mostCharactersOfOne = 1 << 20

/**
 * Denying expressions, which hold for everything below what they match. Only those that ask where a path ends are asked about the
 * folders above it: any other that matches a folder matches what is below it too.
 */
export class DeniedFolders {
  readonly #positions: readonly number[]
  readonly #expressions: Expressions
  readonly #known = new Map<string, number>()
  /** Beyond so many some are forgotten. Those above a deep folder stay, so that it may be more than `mostKnown`. */
  #room = mostKnown

  /** @param denying expressions with their positions, in the order of the rules */
  constructor(denying: readonly Readonly<{ raw: string; position: number }>[]) {
    const asked = denying.filter(({ raw }) => endPattern.test(raw))
    this.#positions = asked.map(({ position }) => position)
    this.#expressions = new Expressions(asked.map(({ raw }) => raw))
  }

  /** The position of the last one that matches a folder above a path, other than the root; -1 when there is none. */
  lastAbove(path: Path): number {
    const last = this.#positions.at(-1)
    if (last === undefined) return -1
    const folder = path.slice(0, path.lastIndexOf('/'))
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    // It may be denied, so it counts as denied: nobody has such paths but who tries how long this takes.
    const most = Math.max(mostCharacters, mostCharactersOfOne / this.#positions.length)
    return this.#unknownCharacters(folder, most) > most ? last : this.#lastMatch(folder)
  }

  /** Of a folder and those above it. @param folder '' for the root, which is not asked */
  #lastMatch(folder: string): number {
    if (folder === '') return -1
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const above = this.#lastMatch(folder.slice(0, folder.lastIndexOf('/')))
    const found = Math.max(above, this.#positions[this.#expressions.lastMatch(folder as Path, 0)] ?? -1)
    if (this.#known.size >= this.#room) this.#forgetBut(folder)
    this.#known.set(folder, found)
    return found
  }

  /** Keeps the folders above one: a walk asks about what is below them again. */
  #forgetBut(folder: string) {
    for (const known of this.#known.keys()) if (!folder.startsWith(`${known}/`)) this.#known.delete(known)
    this.#room = this.#known.size + mostKnown
  }

  /** Of a folder and those above it, counted until they are too many. */
  #unknownCharacters(folder: string, most: number): number {
    let sum = 0
    for (let end = folder.length; end > 0 && sum <= most; end = folder.lastIndexOf('/', end - 1)) {
      if (this.#known.has(folder.slice(0, end))) break
      sum += end
    }
    return sum
  }
}

/** What asks for the end of a text, perhaps among other things: `$` and `\z`. */
const endPattern = /\$|\\z/
