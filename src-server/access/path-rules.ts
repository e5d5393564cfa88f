import type { Path } from '../base/paths.ts'

/** The positions of rules with a path. A path is looked up by its beginnings, so that the number of rules does not matter. */
export class PathRules {
  readonly #positions = new Map<string, number>()
  #longest = 0
  /** The folder that was asked about last, and the answer: the entries of a listing share theirs. */
  #folder: string | undefined
  #ofFolder = -1

  /** Called in the order of the rules: the last one for a path counts. */
  add(path: Path, position: number): void {
    this.#positions.set(path, position)
    this.#longest = Math.max(this.#longest, path.length)
    this.#folder = undefined
  }

  /** The position of the last rule whose path is this one or a folder above it; -1 when there is none. */
  lastMatch(path: Path): number {
    if (this.#positions.size === 0) return -1
    const folder = path.slice(0, path.lastIndexOf('/'))
    if (folder !== this.#folder) {
      this.#folder = folder
      this.#ofFolder = this.#lastAbove(folder)
    }
    return path.length > this.#longest ? this.#ofFolder : Math.max(this.#ofFolder, this.#at(path))
  }

  /** @param folder without the last '/', so '' for the root */
  #lastAbove(folder: string): number {
    let last = this.#at('/')
    const end = Math.min(folder.length, this.#longest)
    for (let slash = folder.indexOf('/', 1); slash > 0 && slash <= end; slash = folder.indexOf('/', slash + 1)) {
      last = Math.max(last, this.#at(folder.slice(0, slash)))
    }
    return folder.length > this.#longest ? last : Math.max(last, this.#at(folder))
  }

  #at(path: string): number {
    return this.#positions.get(path) ?? -1
  }
}
