import { type Path, partsOf } from '../base/paths.ts'
import type { PathHandle } from './path-handle.ts'

/** Folders that are kept open at a time, beside those in use and those at every 32nd depth. */
const mostKept = 64
/** Kept longer than others, so that a way back up through many nested folders never begins at the root. */
const landmarkDepth = 32

type Kept = {
  handle: PathHandle
  isLandmark: boolean
  /** The number of walks and changes that use it. */
  users: number
  hasChanged: boolean
  isForgotten: boolean
}

/**
 * Folders that are kept open during many changes in one tree, so that no path is resolved from the root again, and synced once.
 * Only folders that are reached without a link are kept, so that their path is their true path.
 */
export class KeptFolders {
  readonly #sync: (folder: PathHandle) => Promise<void>
  /** By path, in the order of their last use. */
  readonly #folders = new Map<string, Kept>()
  readonly #borrowed = new WeakMap<PathHandle, Kept>()
  /** Changed folders that are not kept open by this object, such as the root. */
  readonly #others = new Set<PathHandle>()

  /** @param sync makes the names in a folder durable */
  constructor(sync: (folder: PathHandle) => Promise<void>) {
    this.#sync = sync
  }

  /** The nearest folder above a path that is kept, to be closed by the caller. */
  nearestAbove(path: Path): { names: string[]; handle: PathHandle } | undefined {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end)
      const kept = this.#folders.get(above)
      if (kept) return { names: partsOf(above as Path), handle: this.#borrow(above, kept) }
    }
    return undefined
  }

  /** Keeps a folder from now on. @returns the same folder, to be closed by the caller in place of `handle` */
  async keep(names: readonly string[], handle: PathHandle): Promise<PathHandle> {
    const path = `/${names.join('/')}`
    const known = this.#folders.get(path)
    if (known?.handle.identity === handle.identity) {
      handle.close()
      return this.#borrow(path, known)
    }
    if (known) await this.#drop(path, known)
    const isLandmark = names.length % landmarkDepth === 0
    const borrowed = this.#borrow(path, { handle, isLandmark, users: 0, hasChanged: false, isForgotten: false })
    await this.#makeRoom()
    return borrowed
  }

  isKept(folder: PathHandle): boolean {
    return this.#borrowed.has(folder)
  }

  /** Records that the names in a folder have changed: they are synced when it is no longer kept. @returns whether it is kept */
  noteChange(folder: PathHandle): boolean {
    const kept = this.#borrowed.get(folder)
    if (kept) kept.hasChanged = true
    return kept !== undefined
  }

  /** As `noteChange`, for a folder that stays open until `end`. */
  noteChangeOfRoot(folder: PathHandle): void {
    this.#others.add(folder)
  }

  /** Closes a removed folder. */
  async forget(path: Path): Promise<void> {
    const kept = this.#folders.get(path)
    if (!kept) return
    kept.hasChanged = false
    await this.#drop(path, kept)
  }

  /** Syncs what has changed and closes all. @throws the first error of a sync */
  async end(): Promise<void> {
    const synced = await Promise.allSettled([
      ...[...this.#folders].map(([path, kept]) => this.#drop(path, kept)),
      ...[...this.#others].map((folder) => this.#sync(folder)),
    ])
    for (const outcome of synced) if (outcome.status === 'rejected') throw outcome.reason
  }

  #borrow(path: string, kept: Kept): PathHandle {
    this.#folders.delete(path)
    this.#folders.set(path, kept)
    kept.users++
    let isOpen = true
    const close = () => {
      if (!isOpen) return
      isOpen = false
      kept.users--
      closeUnused(kept)
    }
    const borrowed = { ...kept.handle, close }
    this.#borrowed.set(borrowed, kept)
    return borrowed
  }

  async #makeRoom() {
    if (this.#folders.size <= mostKept) return
    const isTooFull = this.#folders.size > 2 * mostKept
    for (const [path, kept] of this.#folders) {
      if (kept.users === 0 && (isTooFull || !kept.isLandmark)) return this.#drop(path, kept)
    }
  }

  async #drop(path: string, kept: Kept) {
    this.#folders.delete(path)
    try {
      if (kept.hasChanged) await this.#sync(kept.handle)
    } finally {
      kept.isForgotten = true
      closeUnused(kept)
    }
  }
}

function closeUnused({ handle, users, isForgotten }: Kept) {
  if (isForgotten && users === 0) handle.close()
}
