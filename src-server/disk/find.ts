// Reads a whole tree, several folders at once, and asks the system only about the names that are wanted.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { type Path, partsOf } from '../base/paths.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import type { DiskContext, GrantedPath, Position } from './disk-context.ts'
import type { Entry, FindHow, NameKind } from './driver.ts'
import { present } from './entry.ts'
import { failureOf, isUnanswered } from './errno.ts'
import { fileSystemOf, fileSystemOn } from './file-systems.ts'
import { atOnce, describingSlots, openingSlots, readingSlots } from './folder-slots.ts'
import { asPrefix, FolderListing, type Name, nameOf } from './list.ts'
import { openChild } from './open-child.ts'
import { duplicateHandle, type PathHandle } from './path-handle.ts'
import { hiddenNames } from './reserved-names.ts'
import { withPathWalk, withResolvedPath } from './resolve-beneath.ts'

const readdir = promisify(fs.readdir)
const opendir = promisify(fs.opendir)

/** Bytes of a folder itself; a larger one has more than some 10,000 names, and is read in parts, so that none of them takes long. */
const largeFolder = 512 << 10
const namesInPart = 1000
/** Folders that stay open because folders in them are still to be read. */
const mostOpen = 256
/** Bytes of a path that a request may name. */
const longestPath = 4096

type FolderPaths = Readonly<{ path: Path; truePath: Path | undefined }>

type OpenFolder = FolderPaths & {
  /** Undefined while it is closed because too many are open. */
  handle: Promise<PathHandle> | PathHandle | undefined
  /** Names of folders in it that are still to be read. */
  readonly left: string[]
  /** How many uses of the handle there are. */
  users: number
}

/** Entries that were found and wait for their reader, after which no more folders are read. */
const mostUnread = 500

/** See `Disk.find`. @param run does work on the disk */
export async function* find(
  run: (work: (context: DiskContext) => Promise<void>) => Promise<void>,
  at: GrantedPath,
  how: FindHow,
): AsyncGenerator<readonly Entry[]> {
  const reader = new AbortController()
  const signal = AbortSignal.any([how.signal, reader.signal])
  const found = new Batches<Entry>(signal, mostUnread)
  const take = (entries: readonly Entry[]) => found.add(entries)
  // Not awaited at the end: a folder of a file system that hangs may still be being read.
  run((context) => findBelow(context, { ...at, signal }, { ...how, take })).then(
    () => found.end(),
    (error: unknown) => found.fail(error),
  )
  try {
    yield* found
  } finally {
    reader.abort()
  }
}

/** Gives each batch of entries that are found to `take`, which resolves when more are wanted. */
async function findBelow(
  context: DiskContext,
  asked: GrantedPath & { signal: AbortSignal },
  how: FindHow & { take(found: readonly Entry[]): Promise<void> },
): Promise<void> {
  await context.protectedPaths.refreshState()
  await withPathWalk(context, asked, async (walk) => {
    const resolved = await walk.to(partsOf(asked.path), true)
    if (present(resolved).kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const handle = await duplicateHandle(context.strategy, present(resolved), asked.signal)
    const tree = new TreeReader(context, { asked, how, position: walk.position })
    await tree.read({ path: asked.path, truePath: resolved.truePath }, handle)
  })
}

type Reading = Readonly<{
  asked: GrantedPath & { signal: AbortSignal }
  how: Parameters<typeof findBelow>[2]
  /** Of the folder where it begins. */
  position: Position
}>

class TreeReader {
  readonly #context: DiskContext
  readonly #asked: Reading['asked']
  readonly #how: Reading['how']
  readonly #position: Position
  /** Folders with folders that are still to be read; the last one is read on first, so that few stay open. */
  readonly #stack: OpenFolder[] = []
  #open = 0
  #running = 0
  #failure: { error: unknown } | undefined
  #finish = () => {}

  constructor(context: DiskContext, { asked, how, position }: Reading) {
    this.#context = context
    this.#asked = asked
    this.#how = how
    this.#position = position
  }

  async read(start: FolderPaths, handle: PathHandle): Promise<void> {
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve
    })
    this.#run(() => this.#readFolder(start, handle))
    await finished
    for (const folder of this.#stack) this.#close(folder)
    if (this.#failure) throw this.#failure.error
    this.#asked.signal.throwIfAborted()
  }

  #run(work: () => Promise<void>) {
    this.#running++
    work()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#running--
        this.#pump()
      })
  }

  #pump() {
    while (this.#running < atOnce && !this.#failure && !this.#asked.signal.aborted) {
      const parent = this.#stack.findLast(({ left }) => left.length > 0)
      const name = parent?.left.pop()
      if (!parent || name === undefined) break
      parent.users++
      this.#run(() => this.#unlessUnreadable(() => this.#readChild(parent, name)))
    }
    if (this.#running === 0) this.#finish()
  }

  async #readChild(parent: OpenFolder, name: string) {
    const handle = await this.#openChild(parent, name).finally(() => this.#leave(parent))
    const truePath = parent.truePath && ((asPrefix(parent.truePath) + name) as Path)
    if (handle) await this.#readFolder({ path: (asPrefix(parent.path) + name) as Path, truePath }, handle)
  }

  /** @returns undefined when it is no folder any more, or a protected one */
  async #openChild(parent: OpenFolder, name: string): Promise<PathHandle | undefined> {
    await this.#context.protectedPaths.refresh()
    parent.handle ??= this.#reopen(parent)
    const folder = await parent.handle
    const open = () => openChild(this.#context.strategy, folder, name, this.#asked.signal)
    const handle = await openingSlots(folder, name).run(open, { signal: this.#asked.signal })
    if (handle?.kind === 'folder' && !this.#context.protectedPaths.isProtected(handle.identity)) return handle
    handle?.close()
    return undefined
  }

  #reopen({ path, truePath }: OpenFolder): Promise<PathHandle> {
    this.#open++
    return withResolvedPath(this.#context, { ...this.#asked, path }, path === this.#asked.path, async (resolved) => {
      const isSame = present(resolved).kind === 'folder' && resolved.truePath === truePath
      if (!isSame) throw new Failure('notFound')
      return duplicateHandle(this.#context.strategy, present(resolved), this.#asked.signal)
    })
  }

  async #readFolder(paths: FolderPaths, handle: PathHandle) {
    const folder: OpenFolder = { ...paths, handle, left: [], users: 1 }
    this.#open++
    this.#stack.push(folder)
    try {
      await this.#readNames(folder, handle)
    } finally {
      this.#leave(folder)
    }
  }

  /** Ends one use of a folder. */
  #leave(folder: OpenFolder) {
    folder.users--
    if (folder.users === 0 && folder.left.length === 0) {
      this.#stack.splice(this.#stack.lastIndexOf(folder), 1)
      this.#close(folder)
    }
    // The folders far up are read on last.
    if (this.#open > mostOpen) this.#close(this.#stack.find(({ handle, users }) => handle && users === 0))
  }

  #close(folder: OpenFolder | undefined) {
    if (!folder?.handle) return
    this.#open--
    void Promise.resolve(folder.handle).then(
      (handle) => handle.close(),
      () => {},
    )
    folder.handle = undefined
  }

  /** A folder that has gone meanwhile is empty, and one that cannot be read is reported. */
  async #unlessUnreadable(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const failure = failureOf(error)
      const code = failure instanceof Failure ? failure.code : undefined
      if (code === 'notFound') return
      if (code !== 'forbidden' && !isUnanswered(error)) throw error
      this.#how.onUnread?.()
    }
  }

  async #readNames(folder: OpenFolder, handle: PathHandle) {
    const { address, stats } = handle
    const fileSystem = await fileSystemOf(handle, this.#asked.signal)
    if (stats.size > largeFolder) return this.#readInParts(folder, handle)
    const read = () => fileSystem.timed(() => readdir(address, { encoding: 'latin1', withFileTypes: true }), this.#asked.signal)
    await this.#takeNames(folder, handle, await readingSlots(handle).run(read, { signal: this.#asked.signal }))
  }

  async #readInParts(folder: OpenFolder, handle: PathHandle) {
    const how = { encoding: 'latin1' as BufferEncoding, bufferSize: namesInPart }
    const { calls } = fileSystemOn(handle.stats.dev)
    const { signal } = this.#asked
    const open = () => calls.read(() => opendir(handle.address, how), signal)
    const opened = await readingSlots(handle).run(open, { signal })
    try {
      for (let part = await calls.read(() => nextPart(opened), signal); part.length > 0; ) {
        await this.#takeNames(folder, handle, part)
        part = await calls.read(() => nextPart(opened), signal)
      }
    } finally {
      await calls.read(() => opened.close())
    }
  }

  async #takeNames(folder: OpenFolder, handle: PathHandle, names: readonly fs.Dirent[]) {
    const isReserved = hiddenNames(this.#context, handle.identity)
    const wanted: Name[] = []
    const take = (dirent: fs.Dirent) => {
      const name = nameOf(dirent.name)
      if (isReserved(name.text)) return
      const kind = kindOf(dirent)
      const isWanted = this.#how.isWanted(name.text, kind)
      if ((!isWanted && kind !== 'folder') || this.#isHidden(folder, name.text)) return
      if (isWanted) wanted.push(name)
      if (kind === 'folder' && !name.isBroken) folder.left.push(name.text)
    }
    await eachYielding(names, take, this.#asked.signal)
    this.#pump()
    if (wanted.length > 0) await this.#describe(folder, handle, wanted)
  }

  /** Rules count by the path and by the true path. No request can name a path that is too long. */
  #isHidden({ path, truePath }: FolderPaths, name: string) {
    const { isBlocked } = this.#asked
    const whole = (asPrefix(path) + name) as Path
    if (whole.length > longestPath || isBlocked(whole)) return true
    return truePath !== undefined && isBlocked((asPrefix(truePath) + name) as Path)
  }

  async #describe({ path, truePath }: FolderPaths, handle: PathHandle, names: readonly Name[]) {
    const fileSystem = await fileSystemOf(handle, this.#asked.signal)
    const below = partsOf(path).slice(partsOf(this.#asked.path).length)
    const position = { ...this.#position, trail: [...this.#position.trail, ...below] }
    const listing = new FolderListing(this.#context, { ...this.#asked, path }, { folder: handle, fileSystem, truePath, position })
    const ask = () => listing.describe(names)
    const isFast = fileSystem.isFast && this.#context.strategy.now !== undefined
    const entries = await (isFast ? ask() : describingSlots(handle).run(ask, { signal: this.#asked.signal }))
    await this.#how.take(entries.filter(({ unreachable }) => unreachable !== 'outside'))
  }
}

/** Empty at the end. */
async function nextPart(opened: fs.Dir): Promise<fs.Dirent[]> {
  const part: fs.Dirent[] = []
  while (part.length < namesInPart) {
    const name = await opened.read()
    if (!name) break
    part.push(name)
  }
  return part
}

function kindOf(dirent: fs.Dirent): NameKind {
  if (dirent.isFile()) return 'file'
  if (dirent.isDirectory()) return 'folder'
  return dirent.isSymbolicLink() ? 'link' : 'special'
}

/** What several workers hand to one reader, a batch at a time. A worker waits while the reader has enough to read. */
class Batches<T> implements AsyncIterable<readonly T[]> {
  readonly #signal: AbortSignal
  readonly #enough: number
  #ready: T[] = []
  #end: { error?: unknown } | undefined
  #wake = () => {}
  #roomy: (() => void)[] = []

  /** @param signal ends the iteration with its reason @param enough elements that may wait for the reader */
  constructor(signal: AbortSignal, enough: number) {
    this.#signal = signal
    this.#enough = enough
    signal.addEventListener('abort', () => this.fail(signal.reason), { once: true })
  }

  /** Resolves when there is room for more, and when nobody reads any more. */
  async add(batch: readonly T[]): Promise<void> {
    if (this.#end || batch.length === 0) return
    for (const element of batch) this.#ready.push(element)
    this.#wake()
    if (this.#ready.length >= this.#enough) await new Promise<void>((resolve) => this.#roomy.push(resolve))
  }

  end(): void {
    this.#close({})
  }

  fail(error: unknown): void {
    this.#close({ error })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    for (;;) {
      this.#signal.throwIfAborted()
      const batch = this.#take()
      if (batch.length > 0) yield batch
      else if (!this.#end) await new Promise<void>((resolve) => (this.#wake = resolve))
      else if ('error' in this.#end) throw this.#end.error
      else return
    }
  }

  #take(): T[] {
    const batch = this.#ready
    this.#ready = []
    this.#makeRoom()
    return batch
  }

  #close(end: { error?: unknown }) {
    this.#end ??= end
    this.#wake()
    this.#makeRoom()
  }

  #makeRoom() {
    for (const resolve of this.#roomy) resolve()
    this.#roomy = []
  }
}
