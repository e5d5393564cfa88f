import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { orAborted } from '../base/or-aborted.ts'
import { type Path, partsOf } from '../base/paths.ts'
import { nextTurn } from '../base/turns.ts'
import { mapYielding } from '../base/yield-to-event-loop.ts'
import type { DiskContext, GrantedPath, Position } from './disk-context.ts'
import type { Entry, ListHow, OnGone } from './driver.ts'
import { entryOf, lostLink, makeEntry, present, unansweredEntry } from './entry.ts'
import { isUnanswered } from './errno.ts'
import { type FileSystem, fileSystemBelow, fileSystemOf, mountPointNames } from './file-systems.ts'
import { mapLimit } from './map-limit.ts'
import { below, type PathHandle } from './path-handle.ts'
import { assertRemovableNames } from './remove.ts'
import { hiddenNames } from './reserved-names.ts'
import { startPathWalk, withPathWalk } from './resolve-beneath.ts'

const readdir = promisify(fs.readdir)

/** Milliseconds for which one slice of synchronous calls may block the event loop. */
const longestTurn = 2
/** When a disk answers fewer calls in a slice it is slow, and the next calls go through the thread pool. */
const fewestAnswers = 50
const nextOnes = 250
/** Milliseconds within which a mount point must answer, and one that has not answered another call yet. */
const [longestOfMount, longestOfAsked] = [2000, 200]
/** Concurrent calls in the pool, which other requests need too. */
const atOnce = 8

/** A name as its bytes, one character each, and as text; whether the bytes are not UTF-8. */
export type Name = Readonly<{ bytes: string; text: string; isBroken: boolean }>
type Link = Readonly<{ index: number; stats: fs.BigIntStats }>

/** Everything in a folder but reserved names and protected paths, in the order of the disk. @throws Failure('invalid') when it is no folder */
export async function list(context: DiskContext, asked: GrantedPath, how: ListHow = {}): Promise<Entry[]> {
  const opened = await openFolder(context, asked)
  try {
    const listing = new FolderListing(context, asked, opened)
    const names = await listing.names()
    if (how.forRemoval) await assertRemovableNames(context, opened.folder, names, how)
    return await listing.entriesOf(names)
  } finally {
    opened.close()
  }
}

/** Opens a folder for its listing. @throws Failure('invalid') when it is none */
export async function openFolder(context: DiskContext, asked: GrantedPath): Promise<ListedFolder & { close(): void }> {
  const walk = await startPathWalk(context, asked)
  try {
    const resolved = await walk.to(partsOf(asked.path), true)
    const found = present(resolved)
    if (found.kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const folder = await walk.keep(found)
    await context.protectedPaths.refreshState()
    const fileSystem = await fileSystemOf(folder, asked.signal)
    const { truePath } = resolved
    return { folder, fileSystem, truePath, position: walk.position, close: () => walk.close() }
  } catch (error) {
    walk.close()
    throw error
  }
}

/** An open folder; `position` is where links in it start. */
export type ListedFolder = Readonly<{
  folder: PathHandle
  fileSystem: FileSystem
  truePath: Path | undefined
  position: Position
}>

/** The entries of one folder. */
export class FolderListing {
  readonly #context: DiskContext
  readonly #asked: GrantedPath
  readonly #listed: ListedFolder
  readonly #onGone: OnGone | undefined
  /** What the paths of the entries begin with. */
  readonly #start: string
  readonly #trueStart: string | undefined
  /** The folder's address with a slash, as its bytes. */
  readonly #address: string
  readonly #entries: Entry[] = []
  readonly #links: Link[] = []

  constructor(context: DiskContext, asked: GrantedPath, listed: ListedFolder, onGone?: OnGone) {
    this.#context = context
    this.#asked = asked
    this.#listed = listed
    this.#onGone = onGone
    this.#start = asPrefix(asked.path)
    this.#trueStart = listed.truePath && asPrefix(listed.truePath)
    this.#address = latin1(below(listed.folder, ''))
  }

  /** The names in the folder as their bytes, one character each, also those that are not shown. */
  names(): Promise<string[]> {
    const { folder, fileSystem } = this.#listed
    return fileSystem.timed(() => readdir(folder.address, { encoding: 'latin1' }), this.#asked.signal)
  }

  /** The entries with names as `names` gives them. */
  async entriesOf(names: readonly string[]): Promise<Entry[]> {
    return this.describe(await this.#shown(names))
  }

  /** The entries with these names; those that have gone meanwhile and protected ones are left out. */
  async describe(names: readonly Name[]): Promise<Entry[]> {
    await this.#askAll(names)
    await mapLimit(this.#links, atOnce, (link) => this.#follow(link))
    return this.#entries
  }

  #shown(all: readonly string[]): Promise<Name[]> {
    const isHidden = hiddenNames(this.#context, this.#listed.folder.identity)
    const shown = (bytes: string) => {
      const name = nameOf(bytes)
      return isHidden(name.text) ? undefined : name
    }
    return mapYielding(all, shown, this.#asked.signal)
  }

  /**
   * Calls the system for each name: in short slices on the main thread as long as the disk answers from memory, which takes a third
   * of the time of the thread pool (10,000 entries: 30 ms instead of 100 ms), and through the pool as soon as it does not.
   * Each result is used at once: keeping 100,000 of them costs more time for garbage collection than the calls.
   */
  async #askAll(names: readonly Name[]) {
    let asked = 0
    while (asked < names.length) {
      this.#asked.signal?.throwIfAborted()
      const before = asked
      if (this.#listed.fileSystem.isFast) asked = this.#askForATurn(names, asked)
      if (asked - before < fewestAnswers) asked = await this.#askPool(names, asked)
      else if (asked < names.length) await nextTurn()
    }
  }

  /** @returns the number of names done so far */
  #askForATurn(names: readonly Name[], from: number): number {
    const { now } = this.#context.strategy
    const mounts = mountPointNames()
    if (!now || !mounts) return from
    const end = performance.now() + longestTurn
    let index = from
    now.within(this.#listed.folder, () => {
      // A mount point is another file system, which may hang.
      while (index < names.length && !mounts.has((names[index] as Name).text)) {
        this.#ask(names[index++] as Name, now.lstat)
        if (performance.now() > end) return
      }
    })
    return index
  }

  #ask(name: Name, lstat: (address: Buffer) => fs.BigIntStats | undefined) {
    try {
      this.#take(name, lstat(Buffer.from(name.bytes, 'latin1')))
    } catch (error) {
      this.#takeError(name, error)
    }
  }

  async #askPool(names: readonly Name[], from: number): Promise<number> {
    const some = names.slice(from, from + nextOnes)
    const answers: (() => void)[] = []
    await mapLimit(some, atOnce, async (name, index) => {
      answers[index] = await this.#lstat(name).then(
        (stats) => () => this.#take(name, stats),
        (error: unknown) => () => this.#takeError(name, error),
      )
    })
    for (const answer of answers) answer()
    return from + some.length
  }

  /** Through the thread pool. A mount point that does not answer must not hold the listing of the folder around it. */
  #lstat(name: Name): Promise<fs.BigIntStats | undefined> {
    const { folder, fileSystem } = this.#listed
    const mount = fileSystemBelow(folder, fileSystem, name.text)
    const ask = (signal: AbortSignal | undefined) =>
      mount.timed(() => this.#context.strategy.lstat(this.#addressOf(name)), signal)
    if (mount === fileSystem) return ask(this.#asked.signal)
    return withinTime(ask, mount.isAsked ? longestOfAsked : longestOfMount, this.#asked.signal)
  }

  /** @param stats undefined for a name that has gone meanwhile */
  #take({ text, isBroken }: Name, stats: fs.BigIntStats | undefined) {
    // Not childOf(): names on the disk may be invalid in requests.
    const path = (this.#start + text) as Path
    const truePath = this.#truePathOf(text)
    if (!stats) return this.#onGone?.({ path, truePath })
    if (this.#context.protectedPaths.isProtectedObject(stats)) return
    const isSymlink = stats.isSymbolicLink()
    if (isSymlink && !isBroken) this.#links.push({ index: this.#entries.length, stats })
    const unreachable = isBroken ? 'name' : undefined
    this.#entries.push(makeEntry({ path, name: text, stats, isSymlink, unreachable, truePath }))
  }

  /** One unreadable entry must not make the whole listing fail. */
  #takeError({ text, isBroken }: Name, error: unknown) {
    if (!isUnanswered(error)) throw error
    const entry = unansweredEntry((this.#start + text) as Path, text, this.#truePathOf(text))
    this.#entries.push(isBroken ? { ...entry, unreachable: 'name' } : entry)
  }

  #truePathOf(name: string): Path | undefined {
    return this.#trueStart === undefined ? undefined : ((this.#trueStart + name) as Path)
  }

  /** Replaces the fields of a link by those of its target. */
  async #follow({ index, stats }: Link) {
    const { path, name, truePath } = this.#entries[index] as Entry
    const start = { folder: this.#listed.folder, position: this.#listed.position }
    const asked = { ...this.#asked, path }
    const found = withPathWalk(
      this.#context,
      asked,
      async (walk) => {
        const resolved = await walk.to([name], true)
        return entryOf({ path, resolved, stats: present(resolved).stats })
      },
      start,
    )
    this.#entries[index] = await found.catch((error: unknown) => lostLink(path, { stats, truePath }, error))
  }

  /** As bytes: names need not be UTF-8, and the packaged executable looks up every path that is text among its packed files first. */
  #addressOf({ bytes }: Name): Buffer {
    return Buffer.from(this.#address + bytes, 'latin1')
  }
}

/** @throws ETIMEDOUT when there is no answer in time */
async function withinTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  milliseconds: number,
  within: AbortSignal | undefined,
): Promise<T> {
  const late = new AbortController()
  const reason = Object.assign(new Error('the mount does not answer'), { code: 'ETIMEDOUT', syscall: 'lstat' })
  const timer = setTimeout(() => late.abort(reason), milliseconds)
  const signal = within ? AbortSignal.any([within, late.signal]) : late.signal
  try {
    return await orAborted(ask(signal), signal)
  } finally {
    clearTimeout(timer)
  }
}

/** A folder's path with a slash at its end. */
export function asPrefix(path: Path) {
  return path === '/' ? '/' : `${path}/`
}

const ascii = /^[\0-\x7f]*$/

/** @param bytes one character each. What is not UTF-8 is shown with U+FFFD; a name may hold that itself, so only its bytes tell. */
export function nameOf(bytes: string): Name {
  if (ascii.test(bytes)) return { bytes, text: bytes, isBroken: false }
  const raw = Buffer.from(bytes, 'latin1')
  const text = raw.toString()
  return { bytes, text, isBroken: text.includes('\ufffd') && !Buffer.from(text).equals(raw) }
}

/** The bytes of a text, one character each. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Entries that are described at a time. */
const inPart = 4000

/**
 * The same in parts. Between them the names of the others are kept, which takes a tenth of the
 * memory, and the folder is open: its entries are found after it was renamed too.
 * @param ask does work on the disk
 */
export async function* listInParts(
  ask: <T>(work: (context: DiskContext) => Promise<T>) => Promise<T>,
  asked: GrantedPath,
  how: ListHow = {},
): AsyncGenerator<Entry[], void, undefined> {
  const parts = new FolderParts(asked, how)
  try {
    do yield await ask((context) => parts.next(context))
    while (parts.areLeft)
  } finally {
    parts.close()
  }
}

class FolderParts {
  readonly #asked: GrantedPath
  readonly #how: ListHow
  #opened: (ListedFolder & { close(): void }) | undefined
  #names: readonly string[] = []
  #done = 0
  #running: Promise<unknown> = Promise.resolve()

  constructor(asked: GrantedPath, how: ListHow) {
    this.#asked = asked
    this.#how = how
  }

  get areLeft(): boolean {
    return this.#done < this.#names.length
  }

  next(context: DiskContext): Promise<Entry[]> {
    const part = this.#opened ? this.#following(context, this.#opened) : this.#first(context)
    this.#running = part
    return part
  }

  /** Work that nobody waits for after an abort still uses the folder. */
  close(): void {
    const close = () => this.#opened?.close()
    this.#running.then(close, close)
  }

  async #first(context: DiskContext): Promise<Entry[]> {
    this.#opened = await openFolder(context, this.#asked)
    const listing = new FolderListing(context, this.#asked, this.#opened)
    this.#names = await listing.names()
    if (this.#how.forRemoval) await assertRemovableNames(context, this.#opened.folder, this.#names, this.#how)
    // Where a folder is found by its path alone nothing in it is found any more after it was renamed.
    return this.#describe(listing, context.strategy.opensByAddress ? inPart : this.#names.length)
  }

  async #following(context: DiskContext, opened: ListedFolder): Promise<Entry[]> {
    await context.protectedPaths.refresh()
    await context.protectedPaths.refreshState()
    return this.#describe(new FolderListing(context, this.#asked, opened, this.#how.onGone), inPart)
  }

  async #describe(listing: FolderListing, count: number): Promise<Entry[]> {
    const names = this.#names.slice(this.#done, this.#done + count)
    this.#done += count
    const entries = await listing.entriesOf(names)
    if (!this.areLeft) this.#opened?.close()
    return entries
  }
}
