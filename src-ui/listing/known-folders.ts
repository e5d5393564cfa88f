import type { ListingState } from '../core/entry-view.ts'
import { parentOf } from '../core/paths.ts'

export type FolderState = ListingState & { kind: 'folder' }

/** How many entries are kept, of all folders together. */
export const mostEntries = 200_000

/** The folders that one person has seen, by path: they are shown at once on Back and read anew behind. The oldest are forgotten. */
export class KnownFolders {
  readonly #states = new Map<string, FolderState>()
  readonly #most: number
  #size = 0

  constructor(most = mostEntries) {
    this.#most = most
  }

  get(path: string): FolderState | undefined {
    return this.#states.get(path)
  }

  keep(state: FolderState): void {
    this.#remove(state.path)
    this.#states.set(state.path, state)
    this.#size += sizeOf(state)
    this.#forgetMissing(state)
    for (const path of this.#states.keys()) {
      if (this.#size <= this.#most) return
      this.#remove(path)
    }
  }

  /** Forgets a folder that cannot be read any more, and those below it. */
  forget(path: string): void {
    const below = path === '/' ? '/' : `${path}/`
    for (const known of [...this.#states.keys()]) if (known === path || known.startsWith(below)) this.#remove(known)
  }

  /** Forgets the folders in this one that it no longer has: another of the same name may come in their place. */
  #forgetMissing({ path, entries }: FolderState): void {
    const children = [...this.#states.keys()].filter((known) => known !== '/' && parentOf(known) === path)
    if (children.length === 0) return
    const present = new Set(entries.filter(({ isDir }) => isDir).map((entry) => entry.path))
    for (const child of children) if (!present.has(child)) this.forget(child)
  }

  #remove(path: string): void {
    const state = this.#states.get(path)
    if (!state) return
    this.#states.delete(path)
    this.#size -= sizeOf(state)
  }
}

// An empty folder takes some memory too.
const sizeOf = ({ entries }: FolderState): number => entries.length + 1
