import { collectAllSoon } from '../base/collect-garbage.ts'
import type { Path } from '../base/paths.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import type { Resource, ResourceItem } from '../contract/files.ts'
import type { Sorting } from '../contract/users.ts'
import type { Entry, Unreachable } from '../disk/disk.ts'
import { itemOf, type ShownEntry } from './resource.ts'

type ListingParts = Readonly<{
  folder: Entry
  /** Sorted, and without what the principal may not see. */
  entries: readonly Entry[]
  sorting: Sorting
  /** Why nothing goes from it into the trash. */
  noTrash?: string | undefined
  subtitlesOf(entry: ShownEntry): Path[]
}>

/** Entries of a listing whose making leaves so much that it is worth the time to give it back. */
export const manyEntries = 20_000

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
    // What it is made of takes some 500 bytes for each entry, and clients that read slowly have others made after it.
    if (parts.entries.length >= manyEntries) collectAllSoon()
    return new Listing(parts, compact, numDirs)
  }

  private constructor({ folder, sorting, noTrash, subtitlesOf }: ListingParts, entries: CompactEntries, numDirs: number) {
    const trash = noTrash !== undefined && ({ trash: false, noTrash } as const)
    this.folder = { ...itemOf(folder), numDirs, numFiles: entries.length - numDirs, sorting: { ...sorting }, ...trash }
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

const billion = 1_000_000_000n
const reasonCodes: Readonly<Record<Unreachable, number>> = { outside: 1, broken: 2, special: 3, name: 4, unanswered: 5 }
const reasons = new Map(Object.entries(reasonCodes).map(([reason, code]) => [code, reason as Unreachable]))
const [folderBit, linkBit, reasonShift] = [1, 2, 2]

/**
 * The entries of one folder in a tenth of the memory, because the server keeps them for as long as the client reads its listing
 * slowly, or not at all.
 */
class CompactEntries {
  readonly #start: string
  readonly #names: string[] = []
  readonly #sizes: Float64Array
  readonly #seconds: Float64Array
  readonly #nanoseconds: Int32Array
  readonly #modes: Uint32Array
  readonly #flags: Uint8Array

  /**
   * @param folder whose entries they are: their paths are its path and their names
   * @param length how many will be added at most
   */
  constructor(folder: Path, length: number) {
    this.#start = folder === '/' ? '/' : `${folder}/`
    this.#sizes = new Float64Array(length)
    this.#seconds = new Float64Array(length)
    this.#nanoseconds = new Int32Array(length)
    this.#modes = new Uint32Array(length)
    this.#flags = new Uint8Array(length)
  }

  get length(): number {
    return this.#names.length
  }

  /** Adds one at the end. */
  add({ name, isDir, isSymlink, unreachable, size, modified, mode }: Entry): void {
    const index = this.#names.push(name) - 1
    this.#sizes[index] = size
    this.#seconds[index] = Number(modified / billion)
    this.#nanoseconds[index] = Number(modified % billion)
    this.#modes[index] = mode
    const reason = unreachable ? reasonCodes[unreachable] : 0
    this.#flags[index] = (isDir ? folderBit : 0) | (isSymlink ? linkBit : 0) | (reason << reasonShift)
  }

  /** An entry, without its version. */
  at(index: number): ShownEntry {
    const name = this.#names[index] ?? ''
    const flags = this.#flags[index] ?? 0
    const unreachable = reasons.get(flags >> reasonShift)
    return {
      name,
      path: (this.#start + name) as Path,
      isDir: (flags & folderBit) !== 0,
      isSymlink: (flags & linkBit) !== 0,
      size: this.#sizes[index] ?? 0,
      modified: BigInt(this.#seconds[index] ?? 0) * billion + BigInt(this.#nanoseconds[index] ?? 0),
      mode: this.#modes[index] ?? 0,
      ...(unreachable && { unreachable }),
    }
  }
}
