// How long the trash keeps what is in it, and how much of a file system that may take: what is due, or too much, goes for good.
import { join } from 'node:path'
import { type Clock, dueAt, isDue } from '../base/clock.ts'
import { isWithin, type Path, parentOf, rootPath } from '../base/paths.ts'
import type { BytesLeft, RoomMade } from '../base/room.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { DiskUsage, TrashedItem, TrashPlace } from '../disk/disk.ts'
import { deviceFinder } from '../disk/mounts.ts'
import { placeKeyOf } from '../state/trash-records.ts'
import { DueItems, oldestFirst } from './due-items.ts'
import { ItemRoom, Prospect, useful } from './item-room.ts'
import type { Trash, TrashSettings } from './trash.ts'

export type KeepingParts = Readonly<{
  trash: Trash
  settings(): Promise<Pick<TrashSettings, 'days' | 'percent'>>
  clock: Clock
  report(error: unknown): void
  /** Items of one person in one trash. Each takes about a kilobyte of memory. */
  mostItems?: number
}>

/**
 * What a full disk lacks. `bytes`: what was to be written when it was found full; `left`: that and what follows, where that is known.
 * `isAgain`: it was full although there was so much space. `isWanted`: whether somebody waits for it still.
 */
export type Needed = Readonly<{
  writer: number
  bytes: number
  left?: BytesLeft | undefined
  isAgain?: boolean
  isWanted?(): boolean
}>

type Freeing = Needed & Readonly<{ path: Path; place: TrashPlace }>

/** What is being written to a path from the served root. */
type Reservation = Readonly<{ path: Path; writer: number; left: BytesLeft }>

/** Whether somebody can have so many bytes. */
type MayHave = (writer: number, bytes: number) => Promise<boolean>

/** Bytes that a file system may keep for its own use, so that it is full before all is written; and bytes that are made free at once. */
const [restOfDisk, mostAtOnce] = [2 ** 20, 64 * 2 ** 20]

/** Milliseconds for which nothing more goes while a file system has not given back what has gone: with a journal, when that is written. */
const givenBackWithin = 500

/** Milliseconds for which it is known how much of a disk the items of a trash take. */
const roomKnownFor = 5000

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** See `KeepingParts.mostItems`. One act may bring more than these in a day: up to so many times as many stay as long as that. */
const [usualItems, mostTimes] = [20_000, 5]

/** Replaced versions of one file. */
export const mostVersions = 20

/** When an item goes for good. @returns milliseconds since the epoch */
export function itemDueAt({ at }: TrashedItem, { days }: Pick<TrashSettings, 'days'>, clock: KeepingParts['clock']): number {
  return dueAt(clock, at, days * day)
}

export class Keeping {
  readonly #parts: KeepingParts
  readonly #mostItems: number
  /** One at a time for each trash: two would take twice what is too much. */
  readonly #queue = new SerialQueue()
  readonly #due: DueItems
  /** Items that could not be removed, with the moment of the next try, as `Clock.elapsed` counts. */
  readonly #refused = new Map<string, number>()
  readonly #checking = new Set<string>()
  /** By the folder of the trash: where there are too many items that are too young to go, at how many all are looked at again. */
  readonly #young = new Map<string, number>()
  /** What was removed and not given back yet, by the top of the trash. */
  readonly #coming = new Map<string, Readonly<{ bytes: number; free: number; until: number }>>()
  /** By the folder of the trash; `at`: milliseconds as `Clock.elapsed` counts them. */
  readonly #most = new Map<string, { bytes: number; at: number }>()
  /** By the top of the trash; `until`: as `Clock.elapsed` counts. */
  readonly #rooms = new Map<string, Readonly<{ room: ItemRoom; until: number }>>()
  readonly #reservations = new Set<Reservation>()
  #cancel: (() => void) | undefined
  #isClosed = false

  constructor(parts: KeepingParts) {
    this.#parts = parts
    this.#mostItems = parts.mostItems ?? usualItems
    const { trash, clock } = parts
    this.#due = new DueItems({ trash, clock, remove: (item) => this.#remove(item), isClosed: () => this.#isClosed })
    parts.trash.onAdded((item) => {
      void this.#check(item).catch((error) => this.#report(error))
    })
  }

  /** Removes what is due, from now on. @returns when that of this moment is gone */
  async start(): Promise<void> {
    // Not afterwards: a disk may not answer.
    if (!this.#isClosed) this.#cancel = this.#parts.clock.after(hour, () => void this.start())
    await this.removeDue().catch((error) => this.#report(error))
  }

  /** What the end of the server breaks off is done after the next start, and is no error. */
  #report(error: unknown): void {
    if (!this.#isClosed) this.#parts.report(error)
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  /** Removes what has been kept for as long as the settings say. */
  async removeDue(): Promise<void> {
    this.#young.clear()
    const { days } = await this.#parts.settings()
    await this.#due.remove(days)
  }

  /** Bytes that the items of one person may take in a trash. */
  async mostOf(place: TrashPlace): Promise<number> {
    const { trash, settings } = this.#parts
    const [{ percent }, { total }] = [await settings(), await trash.usage(place)]
    return total === 0 ? Number.POSITIVE_INFINITY : (total * percent) / 200
  }

  /**
   * Frees space where a disk was found full: first of what the writer has put into the trash there, then of what whoever holds most has,
   * but nothing of others that is younger than an hour. No more goes than is needed, and nothing where even all would not be enough
   * beside what others are writing.
   * @param path from the served root, which need not exist
   */
  makeRoom(path: Path, needed: Needed): Promise<RoomMade> {
    const place = this.#placeOf(path)
    if (!place) return Promise.resolve('none')
    return this.#queue.run(() => this.#freeFor({ path, place, ...needed }), place.top)
  }

  /**
   * Leaves room to what is being written to a path from the served root: nobody else gets room there who would take it, where it can
   * have enough itself. @returns ends it
   */
  reserve(path: Path, writer: number, left: BytesLeft): () => void {
    const one = { path, writer, left }
    this.#reservations.add(one)
    return () => void this.#reservations.delete(one)
  }

  /** The innermost trash above a path. */
  #placeOf(path: Path): TrashPlace | undefined {
    const places = this.#parts.trash.places().filter(({ topPath }) => isWithin(path, topPath))
    const inner = Math.max(...places.map(({ topPath }) => topPath.length))
    return places.find(({ topPath }) => topPath.length === inner)
  }

  async #freeFor(asked: Freeing): Promise<RoomMade> {
    const { path, place, writer, bytes, isAgain = false, left, isWanted = () => true } = asked
    const { trash, clock } = this.#parts
    const [{ device }, start] = [await trash.usage(place), await this.#usageAt(path)]
    // Another file system, which has no trash, whatever its size.
    if (device !== start.device) return 'none'
    const [items, room] = [this.#at(place), this.#roomAt(place)]
    const coming = this.#comingAt(place, start.free)
    const orderFor = (person: number) => this.#takingOrder(items, person).filter((item) => !this.#isRefused(item))
    const prospects = new Map<number, Prospect>()
    const mayHave = (person: number, wanted: number) => {
      const prospect = prospects.get(person) ?? new Prospect(start.free + coming, orderFor(person), room)
      prospects.set(person, prospect)
      return prospect.has(wanted)
    }
    const whole = Math.max(bytes, left?.bytes ?? 0)
    // What needs next to no space takes it from nobody.
    const others = whole > restOfDisk ? await this.#leftOfOthers(place, { device, left, mayHave }) : 0
    // Each file and folder takes one of the entries that a file system may have: what is missing is one of them.
    const lacksEntry = start.freeEntries === 0
    const isEnough = !lacksEntry && start.free >= Math.max(1, bytes + (isAgain ? restOfDisk : 0))
    if ((others > 0 || !isEnough) && !(await mayHave(writer, whole + others))) return this.#refuse(left)
    // Much takes long to be looked at.
    this.#rooms.set(place.top, { room, until: clock.elapsed() + roomKnownFor })
    // Somebody else has made room, or something else is missing.
    if (isEnough) return 'enough'
    // Nothing more goes before what has gone is given back.
    if (!lacksEntry && coming > 0 && start.free + coming >= Math.max(1, bytes)) return 'enough'
    const enough = lacksEntry ? 0 : Math.max(bytes, Math.min(whole, mostAtOnce))
    let [{ free, freeEntries = 0 }, removed, gone] = [start, 0, 0]
    for await (const item of whole > 0 && !lacksEntry ? useful(orderFor(writer), room) : orderFor(writer)) {
      // Some file systems free space later: that ends nobody's trash.
      if ((gone > 0 && (free >= enough || start.free + removed >= enough)) || this.#isClosed || !isWanted()) break
      if (!(await this.#remove(item))) {
        if (gone > 0) break
        // Without it all may be too little.
        return this.#freeFor(asked)
      }
      gone++
      removed += await room.of(item)
      ;({ free, freeEntries = 0 } = await this.#usageAt(path))
    }
    const back = free - start.free
    if (removed > back)
      this.#coming.set(place.top, { bytes: removed - Math.max(0, back), free, until: clock.elapsed() + givenBackWithin })
    return back > 0 || (lacksEntry && freeEntries > 0) ? 'freed' : gone > 0 ? 'enough' : 'none'
  }

  /** What is refused room leaves its own to others at once: not each of them is to be refused for all of the others. */
  #refuse(left: BytesLeft | undefined): RoomMade {
    for (const one of this.#reservations) if (one.left === left) this.#reservations.delete(one)
    return 'none'
  }

  /** What is known for a moment of the items of a trash: each further write to a full disk asks again. */
  #roomAt({ top }: TrashPlace): ItemRoom {
    const now = this.#parts.clock.elapsed()
    const known = this.#rooms.get(top)
    if (known && known.until > now) return known.room
    const room = new ItemRoom(this.#parts.trash)
    this.#rooms.set(top, { room, until: now + roomKnownFor })
    return room
  }

  /** Bytes that others have still to write on a file system, of those who can have so much at all. @param how.left of whoever asks */
  async #leftOfOthers(
    { top, topPath }: TrashPlace,
    { device, left, mayHave }: Readonly<{ device: string | undefined; left: BytesLeft | undefined; mayHave: MayHave }>,
  ): Promise<number> {
    let sum = 0
    const deviceOf = deviceFinder()
    // Another disk is not asked, which might not answer.
    const isElsewhere = (path: Path) =>
      deviceOf(join(top, path.slice(topPath === rootPath ? 0 : topPath.length))) !== deviceOf(top)
    for (const other of this.#reservations) {
      const isAnother = other.left !== left && other.left.bytes > 0 && this.#placeOf(other.path)?.top === top
      if (!isAnother || isElsewhere(other.path) || !(await mayHave(other.writer, other.left.bytes))) continue
      if ((await this.#usageAt(other.path)).device === device) sum += other.left.bytes
    }
    return sum
  }

  /** Bytes that were removed a moment ago, and that the file system has not given back yet. @param free that it has now */
  #comingAt({ top }: TrashPlace, free: number): number {
    const coming = this.#coming.get(top)
    if (!coming || coming.until < this.#parts.clock.elapsed()) return 0
    return Math.max(0, coming.bytes - Math.max(0, free - coming.free))
  }

  /** Of the file system of a path, or of the nearest folder above that exists. */
  async #usageAt(path: Path): Promise<DiskUsage> {
    try {
      return await this.#parts.trash.usage({ topPath: path })
    } catch (error) {
      if (path === rootPath) throw error
      return this.#usageAt(parentOf(path))
    }
  }

  #isRefused({ id }: TrashedItem): boolean {
    return (this.#refused.get(id) ?? 0) > this.#parts.clock.elapsed()
  }

  /** After something has come: of one file only so many versions are kept, and all of it takes only its part of the disk. */
  async #check(added: TrashedItem): Promise<void> {
    const { trash } = this.#parts
    if (added.why === 'replace') await this.#removeOldVersions(added)
    const places = trash.places().filter(({ top }) => top === added.top)
    const [place] = places
    if (!place || this.#checking.has(added.top)) return
    this.#checking.add(added.top)
    try {
      const ofOne = await this.#knownMost(place)
      const sum = places.reduce((all, one) => all + trash.sumAt(one).bytes, 0)
      const own = trash.sumAt(added)
      const mostItems = this.#young.get(placeKeyOf(added)) ?? this.#mostItems
      const isMuch = own.bytes > ofOne || own.items > mostItems || sum > 2 * ofOne
      if (isMuch) await this.#queue.run(() => this.#shrink(place, ofOne), added.top)
    } finally {
      this.#checking.delete(added.top)
    }
  }

  /** `mostOf`, as it was found out within the last minute. */
  async #knownMost(place: TrashPlace): Promise<number> {
    const now = this.#parts.clock.elapsed()
    const known = this.#most.get(place.top)
    if (known && now - known.at < minute) return known.bytes
    const bytes = await this.mostOf(place)
    this.#most.set(place.top, { bytes, at: now })
    return bytes
  }

  /** What is on its way out is not counted: where an undo exchanges two versions, one comes before the other has left. */
  async #removeOldVersions({ path, top }: TrashedItem): Promise<void> {
    const { trash } = this.#parts
    const isVersion = (item: TrashedItem) => item.why === 'replace' && item.top === top && !trash.isLeaving(item)
    const versions = oldestFirst(trash.at(path).filter(isVersion), this.#parts.clock)
    for (const item of versions.slice(0, Math.max(0, versions.length - mostVersions))) await this.#remove(item)
  }

  /** @param ofOne bytes that one person's may take */
  async #shrink(place: TrashPlace, ofOne: number): Promise<void> {
    this.#checking.delete(place.top)
    const isOld = ({ at }: TrashedItem) => isDue(this.#parts.clock, at, minute)
    // One that is too large alone would be gone at once, although nobody was asked: it stays until it is due, or the disk is full, and
    // nothing else goes because of it.
    const counted = () => this.#at(place).filter((item) => (item.size ?? 0) <= ofOne && !this.#parts.trash.isLeaving(item))
    for (const owner of new Set(this.#at(place).map((item) => item.owner))) {
      const all = this.#at(place).filter((item) => item.owner === owner)
      await this.#removeTooMany(all)
      const items = counted().filter((item) => item.owner === owner)
      await this.#removeUntil(oldestFirst(items.filter(isOld), this.#parts.clock), sumOf(items) - ofOne)
    }
    const items = counted()
    await this.#removeUntil(this.#takingOrder(items, undefined), sumOf(items) - 2 * ofOne)
  }

  /** Of more items of one person than are kept the oldest go: none of the last day, unless there are many times as many. */
  async #removeTooMany(items: readonly TrashedItem[]): Promise<void> {
    const key = items[0] && placeKeyOf(items[0])
    if (key === undefined || items.length <= (this.#young.get(key) ?? this.#mostItems)) return
    // A part of the most goes at once, so that not each item that comes looks at all.
    const surplus = (most: number) => (items.length > most ? items.length - Math.floor(most * 0.95) : 0)
    const surely = surplus(this.#mostItems * mostTimes)
    let left = items.length
    for (const [index, item] of oldestFirst(items, this.#parts.clock).slice(0, surplus(this.#mostItems)).entries()) {
      if (this.#isClosed || (index >= surely && !isDue(this.#parts.clock, item.at, day))) break
      if (await this.#remove(item)) left--
    }
    if (left <= this.#mostItems) this.#young.delete(key)
    else this.#young.set(key, Math.min(Math.ceil(left * 1.05), Math.max(left, this.#mostItems * mostTimes)))
  }

  /** Removes items in their order until so many bytes are gone. */
  async #removeUntil(items: Iterable<TrashedItem>, bytes: number): Promise<void> {
    let left = bytes
    for (const item of items) {
      if (left <= 0 || this.#isClosed) return
      if (await this.#remove(item)) left -= item.size ?? 0
    }
  }

  /** Whose items go first, the oldest of each before the others; of others none that is younger than an hour. */
  *#takingOrder(items: readonly TrashedItem[], writer: number | undefined): Generator<TrashedItem> {
    const byPerson = Map.groupBy(items, ({ by }) => by.id)
    const own = writer === undefined ? undefined : byPerson.get(writer)
    if (own) yield* oldestFirst(own, this.#parts.clock)
    const lists = [...byPerson].filter(([id]) => id !== writer).map(([, list]) => oldestFirst(list, this.#parts.clock))
    // What is left of each is not summed again: there may be many thousands.
    const others = lists.map((list) => ({ list, next: 0, bytes: sumOf(list) }))
    while (others.length > 0) {
      const most = others.reduce((one, other) => (other.bytes > one.bytes ? other : one))
      const oldest = most.list[most.next++]
      if (!oldest || !isDue(this.#parts.clock, oldest.at, hour)) others.splice(others.indexOf(most), 1)
      else {
        most.bytes -= oldest.size ?? 0
        yield oldest
      }
    }
  }

  #at({ top }: TrashPlace): TrashedItem[] {
    return [...this.#parts.trash.known()].filter((item) => item.top === top)
  }

  /** @returns whether it is gone */
  async #remove(item: TrashedItem): Promise<boolean> {
    const { trash, clock } = this.#parts
    const { id } = item
    if (this.#isRefused(item)) return false
    try {
      await trash.purge(id)
      this.#refused.delete(id)
      return true
    } catch (error) {
      if (!trash.get(id)) return true
      this.#refused.set(id, clock.elapsed() + day)
      this.#report(error)
      return false
    }
  }
}

function sumOf(items: readonly TrashedItem[]): number {
  return items.reduce((sum, { size = 0 }) => sum + size, 0)
}
