// The watches of folders of the disk in memory.
import { nameOf, type Path, parentOf } from '../../src-server/base/paths.ts'
import type { FolderChange } from '../../src-server/disk/disk.ts'
import { Changes } from '../../src-server/disk/watch.ts'

export class MemoryWatches {
  readonly #watches = new Set<Readonly<{ folder: Path; changes: Changes }>>()

  async *watch(folder: Path, signal: AbortSignal): AsyncGenerator<FolderChange> {
    const watch = { folder, changes: new Changes() }
    this.#watches.add(watch)
    try {
      yield {}
      for (let names = await watch.changes.next(signal); names; names = await watch.changes.next(signal)) {
        for (const name of names) yield name === undefined ? {} : { name }
      }
    } finally {
      this.#watches.delete(watch)
    }
  }

  /** Reports that the entry at a path was created, changed or removed (`isThere` is false). */
  tell(path: Path, isThere: boolean): void {
    for (const { folder, changes } of this.#watches) {
      if (path === folder && !isThere) changes.end()
      else if (path !== '/' && parentOf(path) === folder) changes.add(nameOf(path))
    }
  }
}
