// Which number the next file of a name gets in a folder where names are numbered.
import { nameOf, type Path, parentOf } from '../base/paths.ts'
import type { UserFiles } from '../files/user-files.ts'

/** Names that are remembered. */
const mostNames = 10_000

export class Numbers {
  /** The path with the name of which there are several → the number to try next. The last that was asked for is the last. */
  readonly #next = new Map<string, number>()

  /**
   * A free path for a name, which nobody else who asks here gets: a thousand files of one name are not looked for a thousand times each.
   * @param path with the name that is wanted @param served the same in the served root
   */
  async freePath({ writing }: Pick<UserFiles, 'writing'>, path: Path, served: Path): Promise<Path> {
    const key = `${parentOf(served)}/${nameOf(path)}`
    for (;;) {
      const from = this.#next.get(key) ?? 0
      const found = await writing.freeName(path, from)
      // Somebody else may have got it meanwhile.
      if (found.number >= (this.#next.get(key) ?? 0)) {
        this.#remember(key, found.number + 1)
        return found.path
      }
    }
  }

  #remember(key: string, next: number) {
    this.#next.delete(key)
    this.#next.set(key, next)
    const [oldest = key] = this.#next.keys()
    if (this.#next.size > mostNames) this.#next.delete(oldest)
  }
}
