import type { ResourceItem } from '../contract/files.ts'
import type { ChangedItems } from '../files/following.ts'

/** How many names are remembered: those that changed last. */
const most = 256

/** Remembers what was sent of a folder last, so that one change that is reported several times is sent once. */
export class SentItems {
  readonly #states = new Map<string, string | undefined>()

  /** What differs from what was sent. It counts as sent from now on. */
  newsOf({ items, removed }: ChangedItems): { items: readonly ResourceItem[]; removed: readonly string[] } {
    return {
      items: items.filter(({ item, state }) => this.#isNew(item.name, state)).map(({ item }) => item),
      removed: removed.filter((name) => this.#isNew(name, undefined)),
    }
  }

  clear(): void {
    this.#states.clear()
  }

  #isNew(name: string, state: string | undefined): boolean {
    const isNew = !this.#states.has(name) || this.#states.get(name) !== state
    this.#states.delete(name)
    this.#states.set(name, state)
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= most) break
      this.#states.delete(oldest)
    }
    return isNew
  }
}
