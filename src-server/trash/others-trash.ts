// What other installations have left in trashes of the same folders: administrators see it, and nobody else. It counts towards nothing,
// and nothing of it is removed without being asked for.

import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { orAborted } from '../base/or-aborted.ts'
import { rootPath } from '../base/paths.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import type { Disk, TrashedItem, TrashFound, TrashPlace } from '../disk/disk.ts'
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
  /** Milliseconds after which a reading is given up. */
  longestReading?: number
}>

/** See `OthersParts.longestReading`. */
const usuallyLongest = 30_000

/**
 * `items`: by their names there. `nextAnew`: as `performance.now` counts, until when what has a known name is not read again: it may be
 * another one by then.
 */
type ReadPlace = { place: TrashPlace; stamp: string; items: Map<string, TrashedItem>; nextAnew: number }

/** Of the time that a reading of all took, until all is read anew. */
const restFactor = 10

export class OthersTrash {
  readonly #parts: OthersParts
  readonly #items = new Map<string, TrashedItem>()
  readonly #places = new Map<string, ReadPlace>()
  #reading: Promise<void> | undefined
  #isRead = false

  constructor(parts: OthersParts) {
    this.#parts = parts
  }

  get(id: string): TrashedItem | undefined {
    return this.#items.get(id)
  }

  /** Whether all folders were looked at since the start. */
  get isRead(): boolean {
    return this.#isRead
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
    const items = this.#places.get(placeKeyOf(item))?.items
    if (items?.get(item.name) === item) items.delete(item.name)
    this.#parts.gone(item)
  }

  /** An item of this installation has an id, which stands for that one alone from now on. */
  freeId(id: string): void {
    const item = this.#items.get(id)
    const known = item && this.#places.get(placeKeyOf(item))
    this.drop(id)
    // It is read again once the id is free.
    if (known) known.stamp = ''
  }

  /** Looks at the folders in which there may be some. @param tops of the host, besides the served root */
  read(tops: readonly string[]): Promise<void> {
    this.#reading ??= this.#readInTime(tops)
      .catch(this.#parts.report)
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  /** A disk may not answer at all: then a later reading asks it again. */
  #readInTime(tops: readonly string[]): Promise<void> {
    const limit = AbortSignal.timeout(this.#parts.longestReading ?? usuallyLongest)
    return orAborted(this.#read(tops, limit), limit)
  }

  async #read(tops: readonly string[], limit: AbortSignal): Promise<void> {
    const { instance, principal, withDisk } = this.#parts
    await withDisk(async (disk, ended) => {
      const signal = AbortSignal.any([ended, limit])
      const asked = authorize(principal, 'read', rootPath)
      const found = await disk.othersTrashes(asked, tops, instance, signal)
      signal.throwIfAborted()
      const keys = new Set(found.map(placeKeyOf))
      for (const [key, known] of this.#places) if (!keys.has(key)) await this.#forget(key, known)
      for (const place of found) await this.#readOne(disk, place, signal)
      this.#isRead = true
    })
  }

  async #readOne(disk: Disk, place: TrashPlace, signal: AbortSignal): Promise<void> {
    const key = placeKeyOf(place)
    const before = this.#places.get(key)
    const begun = performance.now()
    const isAnew = !before || begun >= before.nextAnew
    const most = mostItems - this.#items.size + (before?.items.size ?? 0)
    const how = { unless: before?.stamp, most, ...(!isAnew && { known: before.items }) }
    // One that belongs to somebody else, or is no folder, is not looked into.
    const found = await disk
      .trashed(authorize(this.#parts.principal, 'read', rootPath), place, how, signal)
      .catch(() => undefined)
    signal.throwIfAborted()
    if (found?.isSame) return
    const now = performance.now()
    const nextAnew = isAnew ? now + restFactor * (now - begun) : before.nextAnew
    const known: ReadPlace = { place, stamp: found?.stamp ?? '', items: before?.items ?? new Map(), nextAnew }
    this.#places.set(key, known)
    await this.#apply(known, { names: found?.names ?? new Set(), items: found?.items ?? [] }, isAnew)
  }

  /** Only what has changed: each change moves what follows it in all the orders. @param isAnew whether all was read */
  async #apply(known: ReadPlace, found: Pick<TrashFound, 'names' | 'items'>, isAnew: boolean): Promise<void> {
    const { items } = known
    const read = new Map(found.items.map((item) => [item.name, item]))
    const isGone = ({ name, id }: TrashedItem) => {
      const now = read.get(name)
      return now ? now.id !== id : isAnew || !found.names.has(name)
    }
    const drop = (item: TrashedItem) => {
      if (isGone(item)) this.drop(item.id)
    }
    await eachYielding([...items.values()], drop, undefined, 1)
    const add = (item: TrashedItem) => {
      const holder = this.#items.get(item.id)
      // Of several with one id the first is known. Once it is gone the place is read again, although nothing changes there.
      if (this.#parts.isOwn(item.id) || (holder && holder !== items.get(item.name))) known.stamp = ''
      if (this.#parts.isOwn(item.id) || holder) return
      this.#items.set(item.id, item)
      items.set(item.name, item)
      this.#parts.added(item)
    }
    await eachYielding(found.items, add, undefined, 1)
  }

  async #forget(key: string, { items }: ReadPlace): Promise<void> {
    await eachYielding([...items.values()], ({ id }) => this.drop(id), undefined, 1)
    this.#places.delete(key)
  }
}
