// Watches folders: by notifications of the system where there are some, and by polling. One watch serves everybody who follows a folder.
import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import type { DiskContext, GrantedPath } from './disk-context.ts'
import type { FolderWatch } from './disk-facts.ts'
import { present } from './entry.ts'
import { fileSystemOf } from './file-systems.ts'
import { FolderChanges } from './folder-changes.ts'
import { duplicateHandle, type HandleStrategy, type PathHandle } from './path-handle.ts'
import { hiddenNames } from './reserved-names.ts'
import { withResolvedPath } from './resolve-beneath.ts'

/** Milliseconds between two polls of a folder. */
const usualPause = 1000
/** How many folders are watched at most: the system allows a user some thousands. */
const usualMost = 2000

/**
 * Follows the changes of an open folder. @param tell gets the changed name; undefined for any name
 * @returns what stops it; undefined when the system does not report changes
 */
type Follow = (folder: PathHandle, tell: (name: string | undefined) => void, fail: () => void) => (() => void) | undefined

type WatchOptions = Readonly<{ every?: number; most?: number; follow?: Follow }>

/** All watched folders of a server, by identity. */
export class FolderWatches {
  readonly #folders = new Map<string, WatchedFolder>()
  /** The devices that have not answered the last poll yet: a hung one gets no further calls. */
  readonly #asked = new Set<bigint>()
  readonly #every: number
  readonly #most: number
  readonly #follow: Follow
  #timer: NodeJS.Timeout | undefined

  constructor({ every = usualPause, most = usualMost, follow = followBySystem }: WatchOptions = {}) {
    this.#every = every
    this.#most = most
    this.#follow = follow
  }

  /** How many folders are watched. */
  get size(): number {
    return this.#folders.size
  }

  /** @throws Failure('notFound' | 'invalid' when it is no folder | 'busy' when too many are watched) */
  open(context: DiskContext, asked: GrantedPath, signal: AbortSignal): Promise<FolderWatch> {
    return withResolvedPath(context, asked, true, async (resolved) => {
      const found = present(resolved)
      if (found.kind !== 'folder') throw new Failure('invalid', 'not a folder')
      return this.#join(this.#folders.get(found.identity) ?? (await this.#begin(context, found, signal)), context, signal)
    })
  }

  async #begin(context: DiskContext, found: PathHandle, signal: AbortSignal): Promise<WatchedFolder> {
    const { isLocal } = await fileSystemOf(found, signal)
    const handle = await duplicateHandle(context.strategy, found, signal)
    // Somebody else may have begun meanwhile.
    const other = this.#folders.get(found.identity)
    const isFull = this.#folders.size >= this.#most
    if (other || isFull) handle.close()
    if (other) return other
    if (isFull) throw new Failure('busy', 'too many folders are watched')
    return new WatchedFolder(context.strategy, handle, isLocal ? this.#follow : undefined)
  }

  /** Without waiting in between: a folder that nobody follows is not kept. */
  #join(folder: WatchedFolder, context: DiskContext, signal: AbortSignal): FolderWatch {
    const { identity } = folder.handle
    const isShown = (name: string) => !hiddenNames(context, identity)(name)
    const changes = new FolderChanges(isShown)
    this.#folders.set(identity, folder)
    folder.followers.add(changes)
    this.#timer ??= setInterval(() => this.#poll(), this.#every).unref()
    const close = () => {
      signal.removeEventListener('abort', close)
      changes.end()
      if (folder.followers.delete(changes) && folder.followers.size === 0) this.#end(folder)
    }
    signal.addEventListener('abort', close, { once: true })
    if (signal.aborted) close()
    return { folder: folder.key, isComplete: folder.isComplete, next: () => changes.next(), close }
  }

  #end(folder: WatchedFolder) {
    folder.close()
    if (this.#folders.get(folder.handle.identity) === folder) this.#folders.delete(folder.handle.identity)
    if (this.#folders.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #poll() {
    for (const [device, folders] of Map.groupBy(this.#folders.values(), ({ handle }) => handle.stats.dev)) {
      if (this.#asked.has(device)) continue
      this.#asked.add(device)
      this.#pollDevice(folders).finally(() => this.#asked.delete(device))
    }
  }

  async #pollDevice(folders: readonly WatchedFolder[]) {
    for (const folder of folders) {
      if (folder.followers.size > 0 && !(await folder.look())) this.#end(folder)
    }
  }
}

/** A folder that somebody follows. It is held open, so that its identity stays its own. */
class WatchedFolder {
  readonly handle: PathHandle
  /** Stands for the folder as long as it is watched. */
  readonly key = Symbol('a watched folder')
  readonly followers = new Set<FolderChanges>()
  readonly #strategy: HandleStrategy
  readonly #stop: (() => void) | undefined
  /** Milliseconds since the epoch. */
  #toldAt = Date.now()
  #modified: bigint | undefined
  #reported: bigint | undefined
  #isGone = false

  constructor(strategy: HandleStrategy, handle: PathHandle, follow: Follow | undefined) {
    this.#strategy = strategy
    this.handle = handle
    const tell = (name: string | undefined) => {
      this.#toldAt = Date.now()
      this.#tell(name)
    }
    // A network file system reports only changes of this machine, and may hang when it is asked on the main thread.
    this.#stop = follow?.(handle, tell, () => this.#gone())
  }

  get isComplete(): boolean {
    return this.#stop !== undefined
  }

  /** Looks whether the folder is still there, and for changes that were not reported. @returns false when it is gone */
  async look(): Promise<boolean> {
    const stats = await this.#ask().catch(() => undefined)
    if (!stats || stats.nlink === 0n) this.#gone()
    if (this.#isGone || !stats) return false
    if (this.isComplete) this.#tellLost(stats.mtimeNs)
    else if (this.#modified !== undefined && this.#modified !== stats.mtimeNs) this.#tell(undefined)
    this.#modified = stats.mtimeNs
    return true
  }

  close() {
    this.#stop?.()
    this.handle.close()
  }

  /** The system drops notifications without a word when it has too many: the folder is then newer than the last of them. */
  #tellLost(modified: bigint) {
    const isLater = modified / 1_000_000n > BigInt(this.#toldAt)
    // Only when the time has not changed since the last poll: the notification may still come.
    if (!isLater || modified !== this.#modified || modified === this.#reported) return
    this.#reported = modified
    this.#tell(undefined)
  }

  async #ask() {
    const address = `${this.handle.address}/.`
    const { isFast, calls } = await fileSystemOf(this.handle)
    return isFast && this.#strategy.now ? this.#strategy.now.lstat(address) : calls.read(() => this.#strategy.lstat(address))
  }

  #tell(name: string | undefined) {
    for (const changes of this.followers) changes.add(name)
  }

  #gone() {
    this.#isGone = true
    for (const changes of this.followers) changes.end()
  }
}

const followBySystem: Follow = ({ address }, tell, fail) => {
  // The system reports the folder itself by the last part of its address, which may also be the name of an entry.
  const own = address.slice(address.lastIndexOf('/') + 1)
  try {
    const watcher = fs.watch(address, (_, name) => tell(name === own ? undefined : (name ?? undefined)))
    watcher.on('error', fail)
    return () => watcher.close()
  } catch {
    return undefined
  }
}
