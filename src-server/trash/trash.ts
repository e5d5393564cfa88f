// What is in the trash of all persons: it is known without a look at any disk, and compared with a disk before it is listed.
import { authorize } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { noRules } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { orAborted } from '../base/or-aborted.ts'
import { type Path, rootPath } from '../base/paths.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import {
  type Disk,
  type KeepHow,
  newItemId,
  type TidyPart,
  type TrashedItem,
  type TrashHow,
  type TrashPlace,
} from '../disk/disk.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import { placeKeyOf, type TrashRecords } from '../state/trash-records.ts'
import { ComparedDisks } from './compared-disks.ts'
import { OthersTrash } from './others-trash.ts'
import { Saves } from './saves.ts'
import { SortedItems, type TrashOrder } from './sorted-items.ts'
import { TidiedPlaces } from './tidied-places.ts'
import { sizeOf, TrashSizes } from './trash-sizes.ts'

/** How long something is kept, and how much of a file system it may take; `isNews` while administrators are still told of it. */
export type TrashSettings = Readonly<{ isOn: boolean; days: number; percent: number; isNews: boolean }>

export type TrashParts = Readonly<{
  records: TrashRecords
  /** Opens the disk of a principal, which the operation owns. */
  diskFor(principal: Principal, operation: Operation): Disk
  events: Events
  /** Of the state: several servers may use one disk. */
  instance: string
  now(): number
  /** Called when background work has failed, which is tried again later. */
  report(error: unknown): void
  /** Items up to which a listing waits for the comparison with the disks. */
  mostAwaited?: number
  /** Milliseconds for which a listing waits for that. */
  longestAwaited?: number | undefined
}>

/** Who puts something into the trash. */
export type TrashOwner = Readonly<{ id: number; name: string }>

/** The server itself, which removes what is due: nothing is hidden from it. */
const server: Principal = {
  ...{ userId: 0, name: '', scope: rootPath, base: rootPath, rules: noRules },
  permissions: { ...noPermissions, delete: true },
}

/** Where the server's own work comes from. */
const own: Source = { address: '', way: 'job' }

/** `onKept` is told of what was kept. `unlessVersion` is not kept. `id`: as that of `howFor`. */
export type KeepingHow = Readonly<Partial<Record<'unlessVersion' | 'id', string | undefined>> & Pick<KeepHow, 'onKept'>>

const [usuallyAwaited, usuallyWaited] = [2000, 10_000]
/** Milliseconds for which a listing waits for what other installations have. */
const longestLook = 1000

/** What is told when an item is removed for good. */
export type Purger = Readonly<{ by: Actor } & Source>

export class Trash {
  readonly #parts: TrashParts
  readonly saves: Saves
  readonly restored: Pick<TrashRecords, 'isRestored' | 'noteRestored'>
  readonly #tidied: TidiedPlaces
  /** By item: it is put back, or removed for good, once. */
  readonly #queue = new SerialQueue()
  readonly #sizes: TrashSizes
  readonly #sorted: SortedItems
  readonly #others: OthersTrash
  /** Places into which something is, or was, put since the start. */
  readonly #used = new Set<string>()
  /** By place: of its last comparison. */
  readonly #stamps = new Map<string, string>()
  readonly #ended = new AbortController()
  readonly #compared: ComparedDisks
  /** Called with what has come into the trash. */
  readonly #onAdded: ((item: TrashedItem) => void)[] = []

  constructor(parts: TrashParts) {
    this.#parts = parts
    this.saves = new Saves(parts.now)
    this.restored = parts.records
    const measure = (item: TrashedItem) => sizeOf((onPart) => this.walk(item, onPart))
    const onMeasured = (item: TrashedItem) => this.#tell(item)
    this.#sizes = new TrashSizes({ records: parts.records, measure, onMeasured, report: parts.report })
    this.#sorted = new SortedItems(() => [...this.known(), ...this.#others.items()])
    const added = (item: TrashedItem) => this.#sorted.add(item)
    const gone = (item: TrashedItem) => this.#sorted.drop(item)
    const addedOwn = (item: TrashedItem) => {
      this.#others.freeId(item.id)
      added(item)
    }
    parts.records.follow({ added: addedOwn, gone })
    const isOwn = (id: string) => parts.records.get(id) !== undefined
    const withDisk = this.#withDisk.bind(this)
    const { instance, report } = parts
    const tidy = (place: TrashPlace, part: TidyPart) =>
      this.#withDisk((disk, signal) => disk.tidyTrash(authorize(server, 'delete', rootPath), place, part, signal))
    this.#tidied = new TidiedPlaces({ tidy, report, ended: this.#ended.signal })
    const longestAwaited = parts.longestAwaited ?? usuallyWaited
    const compare = this.#compare.bind(this)
    this.#compared = new ComparedDisks({ places: () => this.places(), compare, longestAwaited })
    this.#others = new OthersTrash({ instance, principal: server, withDisk, isOwn, report, added, gone })
  }

  /** Adds a listener that is called when something has come into the trash, and once more when a folder is counted. */
  onAdded(listener: (item: TrashedItem) => void): void {
    this.#onAdded.push(listener)
  }

  /** The name of a person's own folder in a trash. */
  ownerOf(userId: number): string {
    return `${this.#parts.instance}-${userId}`
  }

  /** How a person puts an entry into the trash, with an id of its own. @param wanted the id that it gets, unless another entry has it */
  howFor(by: TrashOwner, wanted?: string): TrashHow & { id: string } {
    const { now } = this.#parts
    return {
      owner: this.ownerOf(by.id),
      by: { id: by.id, name: by.name },
      at: now(),
      id: wanted !== undefined && !this.get(wanted) ? wanted : newItemId(),
      notePlace: (place) => this.#notePlace(place),
    }
  }

  /** The same for what is replaced. @param how.onKept told of what was kept @param how.unlessVersion a version that is not kept */
  keeping(by: TrashOwner, { onKept, unlessVersion, id }: KeepingHow): KeepHow {
    const added = (item: TrashedItem) => {
      this.added(item)
      onKept?.(item)
    }
    const how = this.howFor(by, id)
    // Each that is kept with it gets its own id, unless one is wanted.
    return { ...how, id: how.id === id ? id : undefined, onKept: added, unlessVersion }
  }

  /** Something is in the trash now. */
  added(item: TrashedItem): void {
    this.#parts.records.add(item)
    this.#tell(item)
    if (item.isDir) this.#sizes.count(item)
  }

  /** Something is not in the trash any more. */
  left(item: TrashedItem, isRestored = false): void {
    if (this.isOthers(item)) this.#others.drop(item.id)
    else this.#parts.records.drop(item.id, isRestored)
  }

  /** All that is in it, as far as it is known, in no order. */
  known(): Iterable<TrashedItem> {
    return this.#parts.records.items()
  }

  /** All that had a path, in no order. */
  at(path: Path): TrashedItem[] {
    return this.#parts.records.at(path)
  }

  /** How many items one trash has, and the bytes of those that are counted. */
  sumAt(place: Pick<TrashPlace, 'top' | 'owner'>): Readonly<{ bytes: number; items: number }> {
    return this.#parts.records.sumAt(place)
  }

  places(): TrashPlace[] {
    return this.#parts.records.places()
  }

  /** Whether an item is of another installation. */
  isOthers({ owner }: Pick<TrashedItem, 'owner'>): boolean {
    return !owner.startsWith(`${this.#parts.instance}-`)
  }

  /** The ids of the persons who may have put something into it. */
  userIds(): number[] {
    return [...new Set(this.places().map(({ owner }) => Number(owner.slice(owner.lastIndexOf('-') + 1))))]
  }

  /**
   * All that is in it and, with `others`, what other installations have left, in an order. It was compared with the disks, unless there
   * is much: then that begins, and a later call has what came of it.
   */
  async sorted<Key>(
    order: TrashOrder<Key>,
    { others }: { others: boolean },
  ): Promise<readonly Readonly<{ item: TrashedItem }>[]> {
    const isMuch = this.#parts.records.size > (this.#parts.mostAwaited ?? usuallyAwaited)
    if (isMuch) this.#compared.begin()
    else await this.#compared.briefly()
    if (others) await this.#lookAtOthers()
    return this.#sorted.in(order)
  }

  /**
   * Compares what is known with what the disks have: other programs use the same folders. A disk that does not answer lets only those
   * wait who ask for what is on it. @param paths of the served root: what they ask for is there, or below @throws the signal's reason
   */
  compareAt(paths: readonly Path[], signal?: AbortSignal): Promise<void> {
    return orAborted(this.#compared.at(paths), signal)
  }

  /** All that is in it, compared with what the disks have as far as they answer soon: otherwise what is known of one counts. */
  async listed(): Promise<TrashedItem[]> {
    await this.#compared.briefly()
    return [...this.known()]
  }

  /** @returns undefined when there is none */
  get(id: string): TrashedItem | undefined {
    return this.#parts.records.get(id) ?? this.#others.get(id)
  }

  /** As `get`. @param others whether it may be of another installation, of which nothing may have been read since the start */
  async find(id: string, { others }: { others: boolean }): Promise<TrashedItem | undefined> {
    if (others && !this.get(id) && !this.#others.isRead) await this.#lookAtOthers()
    return this.get(id)
  }

  /** Does what takes an item out of the trash, once. @throws Failure('notFound') when it is not there any more, and what the work throws */
  async take<T>(id: string, work: (item: TrashedItem) => Promise<T>, isRestored = false): Promise<T> {
    return this.#queue.run(async () => {
      const known = this.get(id)
      if (!known) throw new Failure('notFound')
      await this.#untilTidied(known)
      const item = this.get(id)
      if (!item) throw new Failure('notFound')
      try {
        const result = await work(item)
        this.left(item, isRestored)
        return result
      } catch (error) {
        // Another program has taken it out.
        if (error instanceof Failure && error.code === 'notFound' && !(await this.isThere(item))) this.left(item)
        throw error
      }
    }, id)
  }

  /** Whether it is being put back or removed for good. */
  isLeaving({ id }: TrashedItem): boolean {
    return this.#queue.has(id)
  }

  /** Whether it is there still, as far as its disk says. What a kill has left half done is not. */
  async isThere(item: TrashedItem): Promise<boolean> {
    const place = this.#placeOf(item) ?? this.#others.placeOf(item)
    if (!place) return false
    await this.#untilTidied(item)
    const found = await this.#look(place, item)
    return !found || found.names.has(item.name)
  }

  /** Whether the disk of an item is connected. */
  async isConnected(item: TrashedItem): Promise<boolean> {
    const place = this.#placeOf(item)
    return place !== undefined && (await this.#look(place, item)) !== undefined
  }

  /** Looks for one item: a trash may hold very many. @returns undefined while its disk is not connected, or cannot be read */
  #look(place: TrashPlace, { name }: Pick<TrashedItem, 'name'>) {
    const asked = authorize(server, 'read', rootPath)
    return this.#withDisk((disk) => disk.trashed(asked, place, { only: name })).catch(() => undefined)
  }

  /** Removes an item for good. @param purger without one the server itself @throws Failure('notFound') */
  async purge(id: string, { by, ...source }: Purger = { by: { name: '' }, ...own }): Promise<void> {
    await this.take(id, async (item) => {
      const act = { kind: 'purge', path: item.path, isDir: item.isDir, trash: id } as const
      await this.#parts.events.around({ ...act, by, ...source }, () =>
        this.#withDisk((disk, signal) => disk.purge(authorize(server, 'delete', item.path), item, signal)),
      )
    })
  }

  /** Tells what is in an item. @param onPart what it throws ends that @throws Failure('notFound') */
  walk(item: TrashedItem, onPart: Parameters<Disk['walkTrashed']>[2]): Promise<void> {
    return this.#withDisk((disk, signal) => disk.walkTrashed(authorize(server, 'read', item.path), item, onPart, signal))
  }

  /** Of the file system of a trash. */
  usage({ topPath }: Pick<TrashPlace, 'topPath'>): ReturnType<Disk['usage']> {
    return this.#withDisk((disk, signal) => disk.usage(authorize(server, 'read', topPath), signal))
  }

  /** Ends what a kill has interrupted, in every trash that is connected; each disk by itself, of which one may not answer. */
  async tidyAll(): Promise<void> {
    await this.#compared.all((places) => this.#countIn(places)).catch(this.#parts.report)
  }

  async close(): Promise<void> {
    this.#sizes.close()
    this.#ended.abort()
    await this.#tidied.close()
    await this.#parts.records.close()
  }

  #countIn(places: readonly TrashPlace[]) {
    for (const place of places)
      for (const item of this.#parts.records.in(place).values())
        if (item.isDir && item.size === undefined) this.#sizes.count(item)
  }

  #tell(item: TrashedItem) {
    for (const listener of this.#onAdded) listener(item)
  }

  /** Of its files nothing is read where there are none of others yet. */
  #readOthers(): Promise<void> {
    return this.#others.read(this.places().map(({ top }) => top))
  }

  /** One of the disks may not answer: then what they have is known later. */
  async #lookAtOthers(): Promise<void> {
    await orAborted(this.#readOthers(), AbortSignal.timeout(longestLook)).catch(() => {})
  }

  #placeOf(at: Pick<TrashPlace, 'top' | 'owner'>): TrashPlace | undefined {
    const key = placeKeyOf(at)
    return this.places().find((one) => placeKeyOf(one) === key)
  }

  /** A kill may have left it at its place too: what is put back or listed before that is ended would be there twice. */
  async #untilTidied(item: TrashedItem): Promise<void> {
    const place = this.#placeOf(item)
    if (place) await this.#tidied.tidy(place).catch(() => {})
  }

  async #notePlace(place: TrashPlace): Promise<void> {
    this.#used.add(placeKeyOf(place))
    await this.#parts.records.notePlace(place)
    await this.#tidied.use(place)
  }

  async #compare(places: readonly TrashPlace[]): Promise<void> {
    const { records, report } = this.#parts
    const gone: TrashPlace[] = []
    for (const place of places) {
      // What a kill has left half done is no item.
      await this.#tidied.tidy(place).catch(() => {})
      const known = records.in(place)
      const before = [...known.values()]
      const unless = this.#stamps.get(placeKeyOf(place))
      try {
        const found = await this.#withDisk((disk, signal) =>
          disk.trashed(authorize(server, 'read', rootPath), place, { known, unless }, signal),
        )
        // Not connected: what it holds is known, and nothing is said about it.
        if (!found || found.isSame) continue
        const add = (item: TrashedItem) => {
          if (!records.get(item.id)) this.added(item)
        }
        await eachYielding(found.items, add, undefined, 1)
        await eachYielding(before, ({ id, name }) => {
          if (!found.names.has(name)) records.drop(id)
        })
        if (found.stamp === undefined) gone.push(place)
        this.#stamps.set(placeKeyOf(place), found.stamp ?? '')
      } catch (error) {
        report(error)
      }
    }
    // Its place is noted before there is a trash.
    const unused = gone.filter((place) => !this.#used.has(placeKeyOf(place)) && records.in(place).size === 0)
    await records.forgetPlaces(unused).catch(report)
  }

  async #withDisk<T>(work: (disk: Disk, signal: AbortSignal) => Promise<T>): Promise<T> {
    const operation = new Operation({ within: this.#ended.signal })
    try {
      return await work(this.#parts.diskFor(server, operation), operation.signal)
    } finally {
      await operation.end()
    }
  }
}
