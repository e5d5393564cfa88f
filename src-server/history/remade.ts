// Which entries are others by now: folders that were made again, and what came back from another file system.
import type { Remade } from '../state/history-store.ts'

/** How many are remembered. */
const most = 2000

export class RemadeEntries {
  /** What identified them, and what does now. */
  readonly #present = new Map<string, string>()

  /** @returns whether that is something new */
  add({ was, is }: Remade): boolean {
    if (was === '' || is === '' || was === is) return false
    this.#present.set(was, is)
    // It may have been this one before: what follows from it would lead past it.
    this.#present.delete(is)
    const [oldest] = this.#present.keys()
    if (this.#present.size > most && oldest !== undefined) this.#present.delete(oldest)
    return true
  }

  present(was: string): string {
    let found = was
    // One that was made again twice.
    for (let next = this.#present.get(found); next !== undefined; next = this.#present.get(found)) found = next
    return found
  }
}
