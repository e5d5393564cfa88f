import { call } from '../api/http.ts'
import { whenServed } from '../api/when-served.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { nameOf, parentOf, pathIn } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import type { Existing } from './conflicts.ts'

/** The entries of a folder, by name. */
type Names = Pick<ReadonlyMap<string, Existing>, 'get'>

const noNames: Names = new Map()

/**
 * Finds existing entries at target paths, in a folder and below it. A folder that the page shows or that does not exist is not
 * requested. A folder that cannot be read counts as empty: the server then refuses to replace anything.
 */
export class ExistingNames {
  readonly #workspace: Workspace
  readonly #top: string
  readonly #folders = new Map<string, Promise<Names>>()

  /** @param top the folder that entries go to; it exists */
  constructor(workspace: Workspace, top: string) {
    this.#workspace = workspace
    this.#top = top
  }

  /** @returns the existing entries at these paths */
  async at(paths: readonly string[]): Promise<ReadonlyMap<string, Existing>> {
    const there = new Map<string, Existing>()
    const names = new Map<string, Names>()
    for (const folder of new Set(paths.map(parentOf))) names.set(folder, await this.#namesIn(folder))
    for (const path of paths) {
      const existing = names.get(parentOf(path))?.get(nameOf(path))
      if (existing) there.set(path, existing)
    }
    return there
  }

  #namesIn(folder: string): Promise<Names> {
    const known = this.#folders.get(folder)
    if (known) return known
    const names = this.#read(folder)
    this.#folders.set(folder, names)
    return names
  }

  async #read(folder: string): Promise<Names> {
    const shown = listedNames(this.#workspace, folder)
    if (shown) return shown
    if (folder !== this.#top) {
      const above = await this.#namesIn(parentOf(folder))
      if (!above.get(nameOf(folder))?.isDir) return noNames
    }
    const { signal } = this.#workspace
    const asked = whenServed(() => call('GET /api/resources/*', { path: folder, signal }), signal)
    const { items = [] } = await asked.catch(() => ({ items: [] }))
    return new Map(items.map((item) => [item.name, item]))
  }
}

// Uses the index of the shown folder, which may have 100,000 entries.
function listedNames(workspace: Workspace, folder: string): Names | undefined {
  const { state, currentPath, sortedEntries } = workspace.use(entryViewSlice)
  if (state.value.kind !== 'folder' || state.value.path !== folder || currentPath.value !== folder) return undefined
  const { entries, indexOf } = sortedEntries.value
  return { get: (name) => entries[indexOf(pathIn(folder, name)) ?? -1] }
}
