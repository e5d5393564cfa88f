// Which changes are about the same paths.
import type { Deed } from '../state/history-store.ts'

/** Paths of changes that come before another one. */
export class SeenPaths {
  readonly #paths = new Set<string>()
  readonly #above = new Set<string>()

  /** @returns whether a change that came before is at, above or below one of the paths */
  add(deed: Deed): boolean {
    const paths = 'from' in deed ? [deed.at, deed.from] : [deed.at]
    const isRelated = paths.some((path) => this.#above.has(path) || above(path).some((one) => this.#paths.has(one)))
    for (const path of paths) {
      this.#paths.add(path)
      for (const one of above(path)) this.#above.add(one)
    }
    return isRelated
  }
}

/** A path and the folders above it. */
export function above(path: string): string[] {
  const found: string[] = []
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}
