// What other installations have left in trashes of the same folders: administrators see it, and nobody else. It counts towards nothing,
// and nothing of it is removed without being asked for.

import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { rootPath } from '../base/paths.ts'
import type { Disk, TrashedItem, TrashPlace } from '../disk/disk.ts'
import { placeKeyOf } from '../state/trash-records.ts'

/** Items of all of them that are known at a time: each takes up to four kilobytes. */
const mostItems = 10_000

type OthersParts = Readonly<{
  /** Of this state. */
  instance: string
  principal: Principal
  withDisk<T>(work: (disk: Disk, signal: AbortSignal) => Promise<T>): Promise<T>
  /** Whether an item of this installation has the id. */
  isOwn(id: string): boolean
  added(item: TrashedItem): void
  gone(item: TrashedItem): void
  report(error: unknown): void
}>

type ReadPlace = { place: TrashPlace; stamp: string; ids: string[] }

export class OthersTrash {
  readonly #parts: OthersParts
  readonly #items = new Map<string, TrashedItem>()
  readonly #places = new Map<string, ReadPlace>()
  #reading: Promise<void> | undefined

  constructor(parts: OthersParts) {
    this.#parts = parts
  }

  get(id: string): TrashedItem | undefined {
    return this.#items.get(id)
  }

  items(): Iterable<TrashedItem> {
    return this.#items.values()
  }

  placeOf(item: Pick<TrashPlace, 'top' | 'owner'>): TrashPlace | undefined {
    return this.#places.get(placeKeyOf(item))?.place
  }

  drop(id: string): void {
    const item = this.#items.get(id)
    if (!item) return
    this.#items.delete(id)
    this.#parts.gone(item)
  }

  /** Looks at the folders in which there may be some. @param tops of the host, besides the served root */
  read(tops: readonly string[]): Promise<void> {
    this.#reading ??= this.#read(tops)
      .catch(this.#parts.report)
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  async #read(tops: readonly string[]): Promise<void> {
    const { instance, principal, withDisk } = this.#parts
    await withDisk(async (disk, signal) => {
      const asked = authorize(principal, 'read', rootPath)
      const found = await disk.othersTrashes(asked, tops, instance, signal)
      const keys = new Set(found.map(placeKeyOf))
      for (const [key, known] of this.#places) if (!keys.has(key)) this.#forget(key, known)
      for (const place of found) await this.#readOne(disk, place, signal)
    })
  }

  async #readOne(disk: Disk, place: TrashPlace, signal: AbortSignal): Promise<void> {
    const key = placeKeyOf(place)
    const known = this.#places.get(key)
    const most = mostItems - this.#items.size + (known?.ids.length ?? 0)
    const how = { unless: known?.stamp, most }
    // One that belongs to somebody else, or is no folder, is not looked into.
    const found = await disk
      .trashed(authorize(this.#parts.principal, 'read', rootPath), place, how, signal)
      .catch(() => undefined)
    signal.throwIfAborted()
    if (found?.isSame) return
    if (known) this.#forget(key, known)
    const items = (found?.items ?? []).filter(({ id }) => !this.#parts.isOwn(id) && !this.#items.has(id))
    for (const item of items) {
      this.#items.set(item.id, item)
      this.#parts.added(item)
    }
    this.#places.set(key, { place, stamp: found?.stamp ?? '', ids: items.map(({ id }) => id) })
  }

  #forget(key: string, { ids }: ReadPlace) {
    this.#places.delete(key)
    for (const id of ids) this.drop(id)
  }
}
