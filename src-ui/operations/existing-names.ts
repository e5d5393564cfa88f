import { call } from '../api/http.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { currentPath, listingState, sortedEntries } from '../listing/listing.ts'
import type { Existing } from '../uploads/upload-jobs.ts'
import { pathIn } from './file-name.ts'

/** What stands in a folder, by name. */
type Names = Pick<ReadonlyMap<string, Existing>, 'get'>

const noNames: Names = new Map()

/**
 * Looks what stands already where things are to go, in a folder and in those below it: what the page shows is not asked
 * for, nor what lies in a folder that is not there. What cannot be read counts as nothing: the server refuses to replace.
 */
export class ExistingNames {
  readonly #top: string
  readonly #folders = new Map<string, Promise<Names>>()

  /** @param top the folder that things go to; it is there */
  constructor(top: string) {
    this.#top = top
  }

  /** @returns what stands at each of the paths, for as many as something does */
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
    const shown = listedNames(folder)
    if (shown) return shown
    if (folder !== this.#top) {
      const above = await this.#namesIn(parentOf(folder))
      if (!above.get(nameOf(folder))?.isDir) return noNames
    }
    const { items = [] } = await call('GET /api/resources/*', { path: folder }).catch(() => ({ items: [] }))
    return new Map(items.map((item) => [item.name, item]))
  }
}

// The names of the folder that the page shows: there may be 100,000 of them, and the order finds each at once.
function listedNames(folder: string): Names | undefined {
  if (listingState.value.kind !== 'folder' || listingState.value.path !== folder || currentPath.value !== folder) return undefined
  const { entries, indexOf } = sortedEntries.value
  return { get: (name) => entries[indexOf(pathIn(folder, name)) ?? -1] }
}
