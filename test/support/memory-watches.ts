// The watches of folders of the disk in memory.
import { nameOf, type Path, parentOf } from '../../src-server/base/paths.ts'
import type { FolderWatch } from '../../src-server/disk/disk.ts'
import { FolderChanges } from '../../src-server/disk/folder-changes.ts'

type Watched = Readonly<{ folder: Path; changes: FolderChanges }>

export class MemoryWatches {
  readonly #watches = new Set<Watched>()

  watch(folder: Path, signal: AbortSignal): FolderWatch {
    const changes = new FolderChanges()
    const watch = { folder, changes }
    this.#watches.add(watch)
    const close = () => {
      changes.end()
      this.#watches.delete(watch)
    }
    signal.addEventListener('abort', close, { once: true })
    return { folder: Symbol.for(`memory:${folder}`), isComplete: true, next: () => changes.next(), close }
  }

  /** Reports that the entry at a path was created, changed or removed (`isThere` is false). */
  tell(path: Path, isThere: boolean): void {
    for (const { folder, changes } of this.#watches) {
      if (path === folder && !isThere) changes.end()
      else if (path !== '/' && parentOf(path) === folder) changes.add(nameOf(path))
    }
  }
}
