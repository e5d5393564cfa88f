// What is in the trash of all persons, beside the state: so that nobody has to read a disk to know it.
import { type Path, parsePath } from '../base/paths.ts'
import type { DiskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { Log } from './log.ts'

/** An entry of a trash, as `TrashedItem` of the disk says it. */
export type TrashRecord = Readonly<{
  id: string
  top: string
  owner: string
  name: string
  path: Path
  isDir: boolean
  /** Bytes; of a folder undefined until they are counted. */
  size: number | undefined
  /** Milliseconds since the epoch: when it was changed last; undefined where that is not known. */
  modified?: number | undefined
  at: number
  why: 'delete' | 'replace'
  by: Readonly<{ id: number; name: string }>
  above: readonly string[]
  identity: string
}>

/** Where there is a trash, as `TrashPlace` of the disk says it. */
export type TrashPlaceRecord = Readonly<{ top: string; topPath: Path; owner: string; topIdentity: string }>

/** Told of changes of the records, in memory. */
type Following = Readonly<{ added(record: TrashRecord): void; gone(record: TrashRecord): void }>

type Line = { add: TrashRecord } | { drop: string; isRestored?: boolean } | { size: number; of: string }

/** Folders whose numbers are shared. */
const mostShared = 10_000

/** Lines beyond twice the entries after which the file is written anew. */
const mostSpare = 1000

/** Ids that are known although their entries were put back. */
const mostRestored = 500

/** Places that are known although there is no trash any more: what other installations have there is found by them. */
const mostGone = 100

/**
 * The entries and the places of trashes. A place is durable before anything is put there; the entries are read again from there when
 * their lines are lost.
 */
export class TrashRecords {
  readonly #log: Log<Line>
  readonly #placeLog: Log<TrashPlaceRecord>
  readonly #items = new Map<string, TrashRecord>()
  readonly #byPath = new Map<Path, Set<string>>()
  /** By place and by the name there, with the bytes of all. */
  readonly #byPlace = new Map<string, { bytes: number; items: Map<string, TrashRecord> }>()
  /** Folders above, by their text: many items have the same, and each would be in memory for each of them. */
  readonly #above = new Map<string, readonly string[]>()
  readonly #places = new Map<string, { place: TrashPlaceRecord; written: Promise<void> }>()
  readonly #report: (error: unknown) => void
  #follow: Following | undefined
  readonly #restored = new Set<string>()
  #lines = 0

  /** @param report called when a line cannot be written, which then stands in memory only @throws StartupError as `Log.read` */
  constructor(stateFile: string, report: (error: unknown) => void, system?: DiskSystem) {
    const options = { family: stateFile, system }
    this.#report = report
    this.#log = new Log(besideState(stateFile, 'trash'), { ...options, isEntry: isLine })
    this.#placeLog = new Log(besideState(stateFile, 'trash-places'), { ...options, isEntry: isPlace })
    for (const place of this.#placeLog.read()) this.#places.set(placeKeyOf(place), { place, written: Promise.resolve() })
    // It can be read again from the disks, and is no reason not to start.
    try {
      for (const line of this.#log.read()) this.#apply(line)
    } catch (error) {
      report(error)
    }
  }

  /** In no order. */
  places(): TrashPlaceRecord[] {
    return [...this.#places.values()].map(({ place }) => place)
  }

  /** Resolves when the place is durable. @throws the errno of what failed */
  notePlace(place: TrashPlaceRecord): Promise<void> {
    const known = this.#places.get(placeKeyOf(place))
    if (known && known.place.topIdentity === place.topIdentity) return known.written
    const written = this.#placeLog.append(place, true)
    this.#places.set(placeKeyOf(place), { place, written })
    written.catch(() => this.#places.delete(placeKeyOf(place)))
    return written
  }

  /**
   * Forgets places where there is no trash any more, the oldest first, until few are left. @param gone without entries
   * @throws the errno of what failed: they are known again after the next start
   */
  async forgetPlaces(gone: readonly TrashPlaceRecord[]): Promise<void> {
    if (gone.length <= mostGone) return
    for (const place of gone.slice(0, gone.length - mostGone)) this.#places.delete(placeKeyOf(place))
    await this.#placeLog.replace(this.places())
  }

  /** Calls the listener, of which there is one, with each record that comes, and each that goes or is changed. */
  follow(listener: Following): void {
    this.#follow = listener
  }

  get size(): number {
    return this.#items.size
  }

  items(): IterableIterator<TrashRecord> {
    return this.#items.values()
  }

  get(id: string): TrashRecord | undefined {
    return this.#items.get(id)
  }

  /** All that had a path, in no order. */
  at(path: Path): TrashRecord[] {
    return [...(this.#byPath.get(path) ?? [])].flatMap((id) => this.#items.get(id) ?? [])
  }

  /** How many items one trash has, and the bytes of those that are counted. */
  sumAt(place: Pick<TrashPlaceRecord, 'top' | 'owner'>): Readonly<{ bytes: number; items: number }> {
    const { bytes = 0, items } = this.#byPlace.get(placeKeyOf(place)) ?? {}
    return { bytes, items: items?.size ?? 0 }
  }

  /** What is in one trash by its name there, as it is at any moment from now on. */
  in(place: Pick<TrashPlaceRecord, 'top' | 'owner'>): ReadonlyMap<string, TrashRecord> {
    return this.#byPlace.get(placeKeyOf(place))?.items ?? new Map()
  }

  add(item: TrashRecord): void {
    if (!this.#items.has(item.id)) this.#write({ add: item })
  }

  /** @param isRestored whether it was put back */
  drop(id: string, isRestored = false): void {
    if (this.#items.has(id)) this.#write({ drop: id, ...(isRestored && { isRestored }) })
  }

  /** It was put back by another program. */
  noteRestored(id: string): void {
    if (!this.#items.has(id) && !this.#restored.has(id)) this.#write({ drop: id, isRestored: true })
  }

  /** Whether it was put back, unless that was long ago. */
  isRestored(id: string): boolean {
    return this.#restored.has(id)
  }

  /** @param size bytes of all that is below a folder */
  measured(id: string, size: number): void {
    if (this.#items.has(id)) this.#write({ of: id, size })
  }

  /** @returns when all lines are written */
  async close(): Promise<void> {
    await this.#log.close()
    await this.#placeLog.close()
  }

  #write(line: Line) {
    this.#apply(line)
    const isFull = this.#lines > 2 * this.#items.size + mostSpare
    if (isFull) this.#lines = this.#items.size + this.#restored.size
    const write = async () => (isFull ? this.#log.replace(this.#all()) : this.#log.append(line))
    write().catch(this.#report)
  }

  #all(): Line[] {
    const restored = [...this.#restored].map((drop) => ({ drop, isRestored: true }))
    return [...restored, ...[...this.#items.values()].map((add) => ({ add }))]
  }

  #apply(line: Line) {
    this.#lines++
    if ('add' in line) this.#set({ ...line.add, path: parsePath(line.add.path) })
    else if ('drop' in line) {
      this.#unset(line.drop)
      if (line.isRestored) this.#addRestored(line.drop)
    } else {
      const item = this.#items.get(line.of)
      if (item) this.#set({ ...item, size: line.size })
    }
  }

  #set(item: TrashRecord) {
    this.#unset(item.id)
    // Another program has taken out what had the name before.
    const former = this.in(item).get(item.name)
    if (former) this.#unset(former.id)
    const record = { ...item, above: this.#shared(item.above) }
    this.#items.set(item.id, record)
    this.#restored.delete(item.id)
    const ids = this.#byPath.get(item.path) ?? new Set()
    this.#byPath.set(item.path, ids.add(item.id))
    const place = this.#byPlace.get(placeKeyOf(item)) ?? { bytes: 0, items: new Map() }
    place.bytes += item.size ?? 0
    place.items.set(item.name, record)
    this.#byPlace.set(placeKeyOf(item), place)
    this.#follow?.added(record)
  }

  #addRestored(id: string) {
    this.#restored.add(id)
    const [oldest] = this.#restored
    if (this.#restored.size > mostRestored && oldest !== undefined) this.#restored.delete(oldest)
  }

  #unset(id: string) {
    const item = this.#items.get(id)
    if (!item) return
    this.#items.delete(id)
    const ids = this.#byPath.get(item.path)
    ids?.delete(id)
    if (ids?.size === 0) this.#byPath.delete(item.path)
    const place = this.#byPlace.get(placeKeyOf(item))
    if (place) {
      place.bytes -= item.size ?? 0
      if (place.items.get(item.name) === item) place.items.delete(item.name)
      if (place.items.size === 0) this.#byPlace.delete(placeKeyOf(item))
    }
    this.#follow?.gone(item)
  }

  #shared(above: readonly string[]): readonly string[] {
    const key = above.join(' ')
    const known = this.#above.get(key) ?? above
    // Those of before are shared no more, and go with their items.
    if (this.#above.size >= mostShared) this.#above.clear()
    this.#above.set(key, known)
    return known
  }
}

/** What tells the trash of a person in one folder from all others. */
export function placeKeyOf({ top, owner }: Pick<TrashPlaceRecord, 'top' | 'owner'>): string {
  return `${owner}\0${top}`
}

const isText = (value: unknown) => typeof value === 'string'

function isLine(value: unknown): value is Line {
  const line = (value ?? {}) as { add?: Partial<TrashRecord>; drop?: unknown; of?: unknown; size?: unknown }
  if (line.add) {
    const { id, top, owner, name, path, by, at, above } = line.add
    return [id, top, owner, name, path, by?.name].every(isText) && Number.isFinite(at) && Array.isArray(above)
  }
  return isText(line.drop) || (isText(line.of) && Number.isInteger(line.size))
}

function isPlace(value: unknown): value is TrashPlaceRecord {
  const { top, topPath, owner, topIdentity } = (value ?? {}) as Partial<TrashPlaceRecord>
  return [top, topPath, owner, topIdentity].every(isText)
}
