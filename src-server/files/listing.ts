import type { Path } from '../base/paths.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import type { Resource, ResourceItem } from '../contract/files.ts'
import type { Sorting } from '../contract/users.ts'
import type { Entry } from '../disk/disk.ts'
import { CompactEntries } from './compact-entries.ts'
import { itemOf, type ShownEntry } from './resource.ts'

type ListingParts = Readonly<{
  folder: Entry
  /** Sorted, and without what the principal may not see. */
  entries: readonly Entry[]
  sorting: Sorting
  subtitlesOf(entry: ShownEntry): Path[]
}>

/** A folder with its items, which are made on demand. */
export class Listing {
  /** The folder itself. */
  readonly folder: Omit<Resource, 'items'>
  readonly #entries: CompactEntries
  readonly #subtitlesOf: ListingParts['subtitlesOf']

  /** @throws the signal's reason when it is aborted meanwhile */
  static async of(parts: ListingParts, signal?: AbortSignal): Promise<Listing> {
    const compact = new CompactEntries(parts.folder.path, parts.entries.length)
    let numDirs = 0
    const add = (entry: Entry) => {
      compact.add(entry)
      if (entry.isDir) numDirs++
    }
    await eachYielding(parts.entries, add, signal)
    return new Listing(parts, compact, numDirs)
  }

  private constructor({ folder, sorting, subtitlesOf }: ListingParts, entries: CompactEntries, numDirs: number) {
    this.folder = { ...itemOf(folder), numDirs, numFiles: entries.length - numDirs, sorting: { ...sorting } }
    this.#entries = entries
    this.#subtitlesOf = subtitlesOf
  }

  get length(): number {
    return this.#entries.length
  }

  /** At most `count` items from a position on. */
  items(from = 0, count = this.length): ResourceItem[] {
    const length = Math.max(0, Math.min(count, this.length - from))
    return Array.from({ length }, (_, index) => {
      const entry = this.#entries.at(from + index)
      return itemOf(entry, this.#subtitlesOf(entry))
    })
  }

  /** All of it at once. */
  whole(): Resource {
    return { ...this.folder, items: this.items() }
  }
}
