// What one person may see in the trash, put back, and delete for good.
import { authorize, checkPermissions, isBlocked, mayBlockBelow } from '../access/authorize.ts'
import { pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { nameOf, type Path, parentOf, pathBelow, rootPath } from '../base/paths.ts'
import { mapYielding, sortYielding } from '../base/yield-to-event-loop.ts'
import type { WhenTaken } from '../contract/jobs.ts'
import type { TrashItem, TrashList } from '../contract/trash.ts'
import type { Entry, OpenFile, TrashedItem } from '../disk/disk.ts'
import type { FileAct, Source } from '../events/events.ts'
import { fold } from '../search/fold.ts'
import { termsOf } from '../search/read-terms.ts'
import { dueAt } from '../trash/keeping.ts'
import type { Trash, TrashSettings } from '../trash/trash.ts'
import { noteReplaced, noteRestored } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { freeNameFor, untilFree } from './free-name.ts'
import { kindByName } from './kinds.ts'
import { nameOrder } from './sorting.ts'
import { existing, intoTrash } from './steps.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

export type OwnTrashParts = Readonly<{
  context: FileContext
  operation: Operation
  trash: Trash
  source: Source
  settings: TrashSettings
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
export type SeenItem = Readonly<{ item: TrashedItem; path: Path; mayPurge: boolean }>

/** What is to be put back, and what has its place now. */
type Displacing = Readonly<{ item: TrashedItem; present: Entry }>

/** What became of an item that was to be put back. */
export type RestoreOutcome = Readonly<{ kind: 'restored' | 'taken' | 'skipped'; path: Path }>

export class OwnTrash {
  readonly #parts: OwnTrashParts
  /** As `Disk.identify` says it, of the person's own root. */
  #scope: Promise<string> | undefined
  readonly #users = new Map<number, Promise<boolean>>()

  constructor(parts: OwnTrashParts) {
    this.#parts = parts
  }

  /** @throws Failure('forbidden') when the person may not see the trash: who may download and create does; or not do what is asked */
  assertMay(action: 'create' | 'delete' = 'create'): void {
    checkPermissions(this.#parts.context.principal.permissions, ['download', 'create', action])
  }

  /** All that the person may see, in no order. @throws as `assertMay` */
  async items(isAsked = (_item: TrashedItem) => true): Promise<SeenItem[]> {
    this.assertMay()
    const seen: SeenItem[] = []
    const { signal } = this.#parts.context
    for (const item of await mapYielding(await this.#parts.trash.items(), (one) => (isAsked(one) ? one : undefined), signal)) {
      const one = await this.#see(item)
      if (one) seen.push(one)
    }
    return seen
  }

  /** Some of what the person may see. @throws as `items` */
  async list({ by, asc, filter, path: only, from, limit }: ListTrash): Promise<TrashList> {
    const { settings, locale } = this.#parts
    const words = termsOf(filter)
      .slice(0, mostWords)
      .map(({ text }) => fold(text))
    const { served } = pathsOf(this.#parts.context.principal, only ?? rootPath)
    // Before it is asked who may see each of them: there may be many.
    const isAsked = ({ path }: TrashedItem) => only === undefined || path === served
    const { signal } = this.#parts.context
    const seen = await mapYielding(await this.items(isAsked), (one) => (holdsAll(one.path, words) ? one : undefined), signal)
    const order = nameOrder(locale)
    const keyed = await mapYielding(seen, (one) => ({ one, key: order.keyOf(nameOf(one.path)) }), signal)
    const byName = (a: (typeof keyed)[number], b: (typeof keyed)[number]) => order.compare(a.key, b.key)
    const direction = asc ? 1 : -1
    const compareAll = (a: (typeof keyed)[number], b: (typeof keyed)[number]) =>
      direction * (by === 'name' ? byName(a, b) : compare[by](a.one, b.one)) || byName(a, b)
    const sorted = await sortYielding(keyed, compareAll, signal)
    const { days, isOn } = settings
    const isNews = isOn && settings.isNews && this.#parts.context.principal.permissions.admin
    const items = sorted.slice(from, from + limit).map(({ one }) => shown(one, settings))
    return { items, total: seen.length, bytes: sumOf(seen), days, isOn, ...(isNews && { isNews }) }
  }

  /** The ids of all that the person may delete for good. @throws as `items` */
  async purgeable(): Promise<string[]> {
    return (await this.items()).flatMap(({ item, mayPurge }) => (mayPurge ? [item.id] : []))
  }

  /** Opens a file, which the operation closes. @throws Failure('notFound'), Failure('forbidden') for what is no file */
  async open(id: string): Promise<OpenFile> {
    const { context, operation } = this.#parts
    const { item, path } = await this.#find(id)
    return operation.own(await context.disk.openTrashed(authorize(context.principal, 'download', path), item, context.signal))
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
    await this.#assertSeen(item, path)
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
   * Puts an item back under a name that is free, for who tells the listeners and has seen to the rights to that name.
   * @throws Failure('notFound'), Failure('forbidden'), Failure('conflict')
   */
  async putBack(id: string, to: Path, context: FileContext): Promise<void> {
    const { trash } = this.#parts
    const { item, path } = await this.#find(id)
    const target = authorize(context.principal, 'create', to)
    await this.#assertSeen(item, path)
    await trash.take(id, async () => {
      await ensureFolder(context, parentOf(to))
      await context.disk.fromTrash(item, target, context.signal)
    })
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
    await this.#assertSeen(item, path)
    const isTaken = (await entryAt(context, to)) !== undefined
    if (isTaken && !replaces) throw new Failure('conflict', 'the name is taken')
    await this.#putBack(item, { from: path, to, replaces: isTaken })
  }

  /** What the person may see of an item. @throws Failure('notFound'), Failure('forbidden') as `assertMay` */
  seen(id: string): Promise<SeenItem> {
    return this.#find(id)
  }

  /** Whether an item is in the trash, as far as the disks say. */
  async isThere(id: string): Promise<boolean> {
    await this.#parts.trash.items()
    return this.#parts.trash.get(id) !== undefined
  }

  /** Removes an item for good. @throws Failure('notFound'), Failure('forbidden') when another person has deleted it */
  async purge(id: string): Promise<void> {
    const { context, trash, source } = this.#parts
    const { userId, name } = context.principal
    const { path, mayPurge } = await this.#find(id)
    authorize(context.principal, 'delete', path)
    if (!mayPurge) throw new Failure('forbidden', 'only who has deleted it, or an administrator, may delete it for good')
    await trash.purge(id, { by: { id: userId, name }, ...source })
  }

  async #putBack(item: TrashedItem, { from, to, replaces }: { from: Path; to: Path; replaces: boolean }): Promise<void> {
    const { context, trash, announce } = this.#parts
    const { principal, disk, signal } = context
    const target = authorize(principal, 'create', to)
    if (replaces) authorize(principal, 'modify', to)
    const act = { kind: 'restore', path: from, to, isDir: item.isDir, trash: item.id } as const
    const size = item.isDir || item.size === undefined ? {} : { bytes: item.size }
    await trash.take(item.id, () =>
      announce({ ...act, ...size }, async (doing) => {
        const present = replaces ? await existing(doing, to) : undefined
        if (present && !isEnterable(present) && !item.isDir) return this.#replace(doing, { item, present })
        const displaced = present && (await this.#makeWay(doing, { present, item }))
        if (!replaces) await ensureFolder(doing, parentOf(to))
        try {
          await disk.fromTrash(item, target, signal)
        } catch (error) {
          if (displaced) await this.#putBackDisplaced(displaced, target)
          throw error
        }
        await noteRestored(doing, to, item.id)
      }),
    )
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
    const how = { ...trash.keeping({ id, name }, { onKept }), isRequired: true }
    await disk.fromTrash(item, authorize(principal, 'create', present.path), signal, how)
    await noteReplaced(context, present, kept)
    await noteRestored(context, present.path, item.id)
  }

  /** What has the name goes into the trash too, where one of both is a folder. @returns the id that it has there */
  async #makeWay(context: FileContext, { present, item }: Displacing): Promise<string> {
    const { trash } = this.#parts
    // Another program may have taken out what is to be put back: then nothing makes way for it.
    if (!(await trash.isThere(item))) throw new Failure('notFound')
    const { userId: id, name } = context.principal
    // A file is replaced, as by an upload; a folder with what is in it is deleted.
    const action = isEnterable(present) ? 'delete' : 'modify'
    // Also while nothing is put into the trash otherwise.
    const using = context.trash ?? { trash, person: { id, name }, largest: 1 }
    const how = trash.howFor({ id, name })
    await intoTrash({ ...context, trash: using }, present, { action, how })
    return how.id
  }

  /** It has its place again, unless another entry has that by now; then it stays in the trash. */
  async #putBackDisplaced(id: string, target: ReturnType<typeof authorize<'create'>>): Promise<void> {
    const { context, trash } = this.#parts
    await trash.take(id, (displaced) => context.disk.fromTrash(displaced, target)).catch(() => {})
  }

  /** @throws Failure('notFound'), also for what the person may not see */
  async #find(id: string): Promise<SeenItem> {
    this.assertMay()
    const item = this.#parts.trash.get(id)
    const seen = item && (await this.#see(item))
    if (!seen) throw new Failure('notFound')
    return seen
  }

  /** @returns undefined for what is none of the person's */
  async #see(item: TrashedItem): Promise<SeenItem | undefined> {
    const { context } = this.#parts
    const { principal } = context
    const path = pathBelow(pathsOf(principal, rootPath).served, item.path)
    if (path === undefined || path === rootPath || isBlocked(principal, path)) return undefined
    const { name, formerNames = [] } = principal
    // Once an older state is restored an id may be given again: the name tells, too, that it is the same person.
    const isOwn = item.by.id === principal.userId && [name, ...formerNames].includes(item.by.name)
    if (isOwn || principal.permissions.admin) return { item, path, mayPurge: true }
    // Another folder may have the path of the person's scope by now, and what was deleted in the old one was somebody else's.
    const scope = await this.#scopeIdentity()
    if (scope === '' || !item.above.includes(scope) || !(await this.#isUser(item.by.id))) return undefined
    return { item, path, mayPurge: false }
  }

  /** Asked once for each person who has put something there. */
  #isUser(id: number): Promise<boolean> {
    const asked = this.#users.get(id) ?? this.#parts.isUser(id)
    this.#users.set(id, asked)
    return asked
  }

  #scopeIdentity(): Promise<string> {
    const { principal, disk, signal } = this.#parts.context
    this.#scope ??= disk.identify(authorize(principal, 'read', rootPath), signal)
    return this.#scope
  }

  /** @throws Failure('forbidden') when the rules hide something below a folder from the person, who would get it back unseen */
  async #assertSeen(item: TrashedItem, path: Path): Promise<void> {
    const { principal, disk, signal } = this.#parts.context
    if (!item.isDir || !mayBlockBelow(principal, path)) return
    const capability = authorize(principal, 'read', path)
    const check = (part: { path: string }) => {
      if (!isBlocked(principal, `${path}${part.path}` as Path)) return
      throw new Failure('forbidden', 'the folder holds something that is not yours to change')
    }
    await disk.walkTrashed(capability, item, check, signal)
  }
}

/** Of a filter that are looked for: each is, in each path. */
const mostWords = 16

const compare = {
  date: ({ item: one }: SeenItem, { item: other }: SeenItem) => one.at - other.at,
  size: ({ item: one }: SeenItem, { item: other }: SeenItem) => (one.size ?? -1) - (other.size ?? -1),
}

/** @param words folded */
function holdsAll(path: Path, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const folded = fold(path)
  return words.every((word) => folded.includes(word))
}

const sumOf = (seen: readonly SeenItem[]) => seen.reduce((sum, { item }) => sum + (item.size ?? 0), 0)

function shown({ item, path, mayPurge }: SeenItem, settings: TrashSettings): TrashItem {
  const { id, isDir, size = null, at, by, why } = item
  const name = nameOf(path)
  const type = isDir ? '' : kindByName(name)
  return { id, name, path, isDir, size, type, deletedAt: at, dueAt: dueAt(item, settings), by: by.name, why, mayPurge }
}
