import type { Entry } from '../core/entries.ts'
import type { ListingState } from '../core/entry-view.ts'
import { parentOf } from '../core/paths.ts'

export type FolderState = ListingState & { kind: 'folder' }

/** Maximal number of kept entries of all folders. */
export const mostEntries = 200_000

/** The shown folders of one user, by path: on Back they are shown at once and refreshed in the background. The oldest are removed. */
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

  /** Removes a folder that can no longer be read, and those below it. */
  forget(path: string): void {
    const below = path === '/' ? '/' : `${path}/`
    for (const known of [...this.#states.keys()]) if (known === path || known.startsWith(below)) this.#remove(known)
  }

  /** Removes subfolders that no longer exist, because another folder may get their name. */
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

/** A file of a kept folder; not a text, which is shown in another way than the name may promise. */
export function knownFile(folder: FolderState | undefined, path: string): (ListingState & { kind: 'file' }) | undefined {
  const entry = folder?.entries.find((one) => one.path === path && !one.isDir && !one.unreachable)
  return entry && isMedia(entry) ? { kind: 'file', path, resource: entry } : undefined
}

const isMedia = ({ type }: Entry): boolean => ['image', 'video', 'audio', 'pdf', 'blob'].includes(type)

// An empty folder counts too, because it takes some memory.
const sizeOf = ({ entries }: FolderState): number => entries.length + 1
