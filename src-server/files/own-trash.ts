// What one person may see in the trash, put back, and delete for good.
import { authorize, checkPermissions, isBlocked, mayBlockBelow } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { neverAborted } from '../base/or-aborted.ts'
import { nameOf, type Path, parentOf, pathBelow, rootPath } from '../base/paths.ts'
import { eachYielding, mapYielding } from '../base/yield-to-event-loop.ts'
import type { WhenTaken } from '../contract/jobs.ts'
import type { TrashItem, TrashList } from '../contract/trash.ts'
import type { Disk, Entry, KeepHow, OpenFile, TrashedItem } from '../disk/disk.ts'
import type { FileAct, Source } from '../events/events.ts'
import { fold } from '../search/fold.ts'
import { termsOf } from '../search/read-terms.ts'
import type { Trash, TrashSettings } from '../trash/trash.ts'
import { noteReplaced, noteRestored, noteTrashed } from './deeds.ts'
import { ensureFolder, withoutLinks } from './folders.ts'
import { freeNameFor, takingFree, untilFree } from './free-name.ts'
import { kindByName } from './kinds.ts'
import { noteReplacedBefore } from './replaced.ts'
import { existing, intoTrash } from './steps.ts'
import { trashOrder, withUnknownSizes } from './trash-order.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

export type OwnTrashParts = Readonly<{
  context: FileContext
  operation: Operation
  trash: Trash
  source: Source
  settings: TrashSettings
  /** When an item goes for good, in milliseconds since the epoch. */
  dueAt(item: TrashedItem): number
  /** Of the order of names. */
  locale: string
  /** Whether there is still a user with an id. */
  isUser(id: number): Promise<boolean>
  /** Tells the listeners of a change. @param act with the paths of the principal */
  announce(act: FileAct, work: (context: FileContext) => Promise<unknown>): Promise<unknown>
}>

export type ListTrash = Readonly<{
  by: 'date' | 'name' | 'size'
  asc: boolean
  /** Words and texts in quotes, as in a search: each must occur in the path, in any case. */
  filter: string
  /** Only what had this path. */
  path: Path | undefined
  from: number
  limit: number
}>

/** An item with the path that it had, as one of the person's own. */
export type SeenItem = Readonly<{ item: TrashedItem; path: Path; mayPurge: boolean; isOthers: boolean }>

/** What tells whether a person sees what another has deleted: the own root folder, as `Disk.identify` says it, and who is a user still. */
type Facts = Readonly<{ scope: string; users: ReadonlySet<number> }>

/** With these nothing is seen of what another has deleted. */
const noFacts: Facts = { scope: '', users: new Set() }

/** What is to be put back, and what has its place now. */
type Displacing = Readonly<{ item: TrashedItem; present: Entry }>

/** What became of an item that was to be put back. */
export type RestoreOutcome = Readonly<{ kind: 'restored' | 'taken' | 'skipped'; path: Path }>

export class OwnTrash {
  readonly #parts: OwnTrashParts
  readonly #served: Path
  #scope: Promise<string> | undefined

  constructor(parts: OwnTrashParts) {
    this.#parts = parts
    this.#served = pathsOf(parts.context.principal, rootPath).served
  }

  /** @throws Failure('forbidden') when the person may not see the trash: who may download and create does; or not do what is asked */
  assertMay(action: 'create' | 'delete' = 'create'): void {
    checkPermissions(this.#parts.context.principal.permissions, ['download', 'create', action])
  }

  /** Some of what the person may see. @throws as `assertMay` */
  async list({ by, asc, filter, path: only, from, limit }: ListTrash): Promise<TrashList> {
    const { settings, dueAt, locale, trash } = this.#parts
    const { principal, signal } = this.#parts.context
    this.assertMay()
    const words = termsOf(filter)
      .slice(0, mostWords)
      .map(({ text }) => fold(text))
    const served = only && pathsOf(principal, only).served
    const listed = await trash.sorted(trashOrder(by, asc, locale), { others: principal.permissions.admin })
    // Its place would tell the size of a folder that has none for this person.
    const hides = by === 'size' && !principal.rules.isEmpty
    const sorted = hides ? await withUnknownSizes(listed, { asc, signal, isUnknown: (item) => this.#isSizeHidden(item) }) : listed
    const facts = principal.permissions.admin ? noFacts : await this.#factsOf(trash.userIds())
    const [items, all, own] = [[] as SeenItem[], { items: 0, bytes: 0 }, { items: 0, bytes: 0 }]
    const count = (sum: typeof all, one: SeenItem) => {
      sum.items++
      sum.bytes += sizeFor(principal, one) ?? 0
    }
    await eachYielding(
      sorted,
      ({ item }) => {
        if (served !== undefined && item.path !== served) return
        const one = this.#see(item, facts)
        if (!one || !holdsAll(one.path, words)) return
        if (all.items >= from && items.length < limit) items.push(one)
        count(all, one)
        if (one.mayPurge && !one.isOthers) count(own, one)
      },
      signal,
    )
    const { days, isOn } = settings
    const isNews = isOn && settings.isNews && principal.permissions.admin
    const rows = items.map((one) => shown(one, dueAt, sizeFor(principal, one)))
    return { items: rows, total: all.items, bytes: all.bytes, own, days, isOn, ...(isNews && { isNews }) }
  }

  /** All of this installation that the person may delete for good. @throws as `assertMay` */
  async purgeable(): Promise<SeenItem[]> {
    this.assertMay()
    const all = await this.#parts.trash.listed()
    const purgeableOf = (item: TrashedItem) => {
      const seen = this.#see(item)
      return seen?.mayPurge ? seen : undefined
    }
    return mapYielding(all, purgeableOf, this.#parts.context.signal)
  }

  /** Opens a file, which the operation closes. @throws Failure('notFound'), Failure('forbidden') for what is no file */
  async open(id: string): Promise<OpenFile> {
    return this.#parts.operation.own(await this.openBriefly(id))
  }

  /** What a file is. @throws as `open` */
  async entryOf(id: string): Promise<Entry> {
    const file = await this.openBriefly(id)
    await file.close()
    return file.entry
  }

  /** As `open`, of a file that is closed by whoever opens it. @throws as `open` */
  async openBriefly(id: string): Promise<OpenFile> {
    const { principal, disk, signal } = this.#parts.context
    const { item, path } = await this.#find(id)
    return disk.openTrashed(authorize(principal, 'download', path), item, signal)
  }

  /**
   * Puts an item back where it was, with the folders above it that are missing.
   * @param taken what is done where another entry has its name
   * @throws Failure('notFound'), Failure('forbidden') when something below is hidden from the person, Failure('conflict')
   */
  async restore(id: string, taken: WhenTaken): Promise<RestoreOutcome> {
    const { context } = this.#parts
    const { item, path } = await this.#find(id)
    authorize(context.principal, 'create', path)
    const outcome = { kind: 'restored', path } as { kind: RestoreOutcome['kind']; path: Path }
    await untilFree(taken === 'number', async () => {
      const present = await entryAt(context, path)
      if (present && (taken === 'ask' || taken === 'skip')) outcome.kind = taken === 'ask' ? 'taken' : 'skipped'
      else {
        outcome.path = present && taken === 'number' ? await freeNameFor(context, path) : path
        await this.#putBack(item, { from: path, to: outcome.path, replaces: present !== undefined && taken === 'replace' })
      }
    })
    return outcome
  }

  /**
   * Puts an item back, for who tells the listeners and has seen to the rights to the name.
   * @param replacing how the file that has the name is kept; without it the name is free
   * @throws Failure('notFound'), Failure('forbidden'), Failure('conflict'), NoTrash
   */
  async putBack(id: string, to: Path, context: FileContext, replacing?: KeepHow): Promise<void> {
    const { trash } = this.#parts
    const { item, path } = await this.#find(id)
    const target = authorize(context.principal, 'create', to)
    await this.#assertSeen(item, path, to)
    await trash.take(
      id,
      async () => {
        await ensureFolder(context, parentOf(to))
        await context.disk.fromTrash(item, target, context.signal, replacing)
      },
      true,
    )
  }

  /**
   * Puts an item back under a name.
   * @param replaces whether what has the name by now goes into the trash
   * @throws as `restore` does, Failure('conflict') when the name is taken
   */
  async restoreAs(id: string, to: Path, replaces: boolean): Promise<void> {
    const { context } = this.#parts
    const { item, path } = await this.#find(id)
    authorize(context.principal, 'create', to)
    const isTaken = (await entryAt(context, to)) !== undefined
    if (isTaken && !replaces) throw new Failure('conflict', 'the name is taken')
    await this.#putBack(item, { from: path, to, replaces: isTaken })
  }

  /** What the person may see of an item. @throws Failure('notFound'), Failure('forbidden') as `assertMay` */
  seen(id: string): Promise<SeenItem> {
    return this.#find(id)
  }

  /** Whether an item is in the trash, as far as the disks say. @param places paths of the served root, on the disks of which it may be */
  async isThere(id: string, places: readonly string[] = [rootPath]): Promise<boolean> {
    const { trash, context } = this.#parts
    const find = () => trash.find(id, { others: context.principal.permissions.admin })
    const known = await find()
    // The server may have ended before it was noted.
    if (!known) await trash.compareAt(places as Path[], context.signal)
    const item = known ?? (await find())
    if (!item) return false
    const isThere = await trash.isThere(item)
    if (!isThere) trash.left(item)
    return isThere
  }

  /**
   * Removes an item for good.
   * @throws Failure('notFound'), Failure('forbidden') when another person has deleted it, or the rules hide something below it
   */
  async purge(id: string): Promise<void> {
    const { context, trash, source } = this.#parts
    const { userId, name } = context.principal
    const { item, path, mayPurge } = await this.#find(id)
    authorize(context.principal, 'delete', path)
    if (!mayPurge) throw new Failure('forbidden', 'only who has deleted it, or an administrator, may delete it for good')
    await this.#assertSeen(item, path)
    await trash.purge(id, { by: { id: userId, name }, ...source })
  }

  async #putBack(item: TrashedItem, { from, to, replaces }: { from: Path; to: Path; replaces: boolean }): Promise<void> {
    const { context, trash, announce } = this.#parts
    const { principal, signal } = context
    const target = authorize(principal, 'create', to)
    if (replaces) authorize(principal, 'modify', to)
    await this.#assertSeen(item, from, to)
    const act = { kind: 'restore', path: from, to, isDir: item.isDir, trash: item.id } as const
    const size = item.isDir || item.size === undefined ? {} : { bytes: item.size }
    const work = () =>
      announce({ ...act, ...size }, (doing) =>
        doing.disk.batch(async (inner) => {
          signal.throwIfAborted()
          // Whoever asked for it may leave: what was changed by then is noted all the same.
          const lasting = { ...doing, disk: inner, signal: neverAborted }
          const present = replaces ? await existing(lasting, to) : undefined
          if (present && !isEnterable(present) && !item.isDir) return this.#replace(lasting, { item, present })
          const displaced = present && (await this.#makeWay(lasting, { present, item }))
          if (!replaces) await ensureFolder(lasting, parentOf(to))
          try {
            await takingFree(inner.fromTrash(item, target, neverAborted))
          } catch (error) {
            const isBack = displaced && (await this.#putBackDisplaced(inner, displaced.id, target))
            if (displaced && !isBack) noteTrashed(lasting, present, displaced)
            throw error
          }
          if (displaced) noteTrashed(lasting, present, displaced)
          // What has made way before this broke off.
          else await noteReplacedBefore(lasting, to)
          await noteRestored(lasting, to, item)
        }),
      )
    await trash.take(item.id, work, true)
  }

  /** A file gets the name of another at once: at no moment has nothing the name. */
  async #replace(context: FileContext, { item, present }: Displacing): Promise<void> {
    const { trash } = this.#parts
    const { principal, disk, signal } = context
    const { userId: id, name } = principal
    let kept: TrashedItem | undefined
    const onKept = (one: TrashedItem) => {
      kept = one
    }
    const how = { ...trash.keeping({ id, name }, { onKept, id: context.replacedAs?.(present.path) }), isRequired: true }
    await disk.fromTrash(item, authorize(principal, 'create', present.path), signal, how)
    await noteReplaced(context, present, kept)
    await noteRestored(context, present.path, item)
  }

  /** What has the name goes into the trash too, where one of both is a folder; whoever asks for it notes that. */
  async #makeWay({ note: _, ...context }: FileContext, { present, item }: Displacing): Promise<TrashedItem> {
    const { trash } = this.#parts
    // Another program may have taken out what is to be put back: then nothing makes way for it.
    if (!(await trash.isThere(item))) throw new Failure('notFound')
    const { userId: id, name } = context.principal
    // A file is replaced, as by an upload; a folder with what is in it is deleted.
    const action = isEnterable(present) ? 'delete' : 'modify'
    // Also while nothing is put into the trash otherwise.
    const using = context.trash ?? { trash, person: { id, name }, largest: 1 }
    const how = trash.howFor({ id, name }, context.replacedAs?.(present.path))
    return intoTrash({ ...context, trash: using }, present, { action, how })
  }

  /** @returns whether it has its place again; it stays in the trash when another entry has that by now */
  async #putBackDisplaced(disk: Disk, id: string, target: ReturnType<typeof authorize<'create'>>): Promise<boolean> {
    const back = this.#parts.trash.take(id, (displaced) => disk.fromTrash(displaced, target))
    return back.then(
      () => true,
      () => false,
    )
  }

  /** @throws Failure('notFound'), also for what the person may not see */
  async #find(id: string): Promise<SeenItem> {
    this.assertMay()
    const { trash, context } = this.#parts
    const item = await trash.find(id, { others: context.principal.permissions.admin })
    // Of who has deleted it is asked only where that decides.
    const seen = item && (this.#see(item) ?? this.#see(item, await this.#factsOf([item.by.id])))
    if (!seen) throw new Failure('notFound')
    return seen
  }

  /** @returns undefined for what is none of the person's */
  #see(item: TrashedItem, { scope, users } = noFacts): SeenItem | undefined {
    const { context, trash } = this.#parts
    const { principal } = context
    const path = pathBelow(this.#served, item.path)
    if (path === undefined || path === rootPath || isBlocked(principal, path)) return undefined
    const { name, formerNames = [] } = principal
    // Once an older state is restored an id may be given again: the name tells, too, that it is the same person.
    const isOthers = trash.isOthers(item)
    if (isOthers) return principal.permissions.admin ? { item, path, mayPurge: true, isOthers } : undefined
    const isOwn = item.by.id === principal.userId && [name, ...formerNames].includes(item.by.name)
    if (isOwn || principal.permissions.admin) return { item, path, mayPurge: true, isOthers }
    // Another folder may have the path of the person's scope by now, and what was deleted in the old one was somebody else's.
    if (scope === '' || !item.above.includes(scope) || !users.has(item.by.id)) return undefined
    return { item, path, mayPurge: false, isOthers }
  }

  /** @param ids of whom it is asked whether they are users still */
  async #factsOf(ids: readonly number[]): Promise<Facts> {
    const { context, isUser } = this.#parts
    const { principal, disk, signal } = context
    this.#scope ??= disk.identify(authorize(principal, 'read', rootPath), signal)
    const [scope, ...are] = await Promise.all([this.#scope, ...ids.map(isUser)])
    return { scope, users: new Set(ids.filter((_, index) => are[index])) }
  }

  #isSizeHidden({ isDir, path: served }: TrashedItem): boolean {
    const path = isDir ? pathBelow(this.#served, served) : undefined
    return path !== undefined && mayBlockBelow(this.#parts.context.principal, path)
  }

  /**
   * @param to where it is put back: the rules count for what is below that too, and without links on the way
   * @throws Failure('forbidden') when the rules hide something below a folder from the person, who would get it back, or lose it, unseen
   */
  async #assertSeen(item: TrashedItem, path: Path, to?: Path): Promise<void> {
    const { context } = this.#parts
    const { principal, disk, signal } = context
    if (!item.isDir || principal.rules.isEmpty) return
    const ends = to === undefined ? [] : [to, await withoutLinks(context, to)]
    const starts = [...new Set([path, ...ends])].filter((start) => mayBlockBelow(principal, start))
    if (starts.length === 0) return
    const check = (part: { path: string }) => {
      if (!starts.some((start) => isBlocked(principal, `${start}${part.path}` as Path))) return
      throw new Failure('forbidden', 'the folder holds something that is not yours to change')
    }
    await disk.walkTrashed(authorize(principal, 'read', path), item, check, signal)
  }
}

/** Of a filter that are looked for: each is, in each path. */
const mostWords = 16

/** @param words folded */
function holdsAll(path: Path, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const folded = fold(path)
  return words.every((word) => folded.includes(word))
}

/** What is counted of a folder is all that it holds: who may not see some of it is told no size. */
function sizeFor(principal: Principal, { item: { isDir, size }, path }: SeenItem): number | undefined {
  return isDir && mayBlockBelow(principal, path) ? undefined : size
}

function shown(
  { item, path, mayPurge, isOthers }: SeenItem,
  dueAt: OwnTrashParts['dueAt'],
  size: number | null = null,
): TrashItem {
  const { id, isDir, at, by, why, modified } = item
  const name = nameOf(path)
  const type = isDir ? '' : kindByName(name)
  const due = isOthers ? null : dueAt(item)
  const own = isDir || modified === undefined ? {} : { modified }
  const shown = { id, name, path, isDir, size, type, ...own, deletedAt: at, dueAt: due, by: by.name, why, mayPurge }
  return isOthers ? { ...shown, isOthers } : shown
}
