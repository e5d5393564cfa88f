import type { Clock } from '../base/clock.ts'
import { delay } from '../base/delay.ts'
import { Failure } from '../base/failure.ts'
import { isWithin, joined, nameOf, type Path, parentOf } from '../base/paths.ts'
import type { LiveMessage } from '../contract/live.ts'
import { FolderChanges } from '../disk/folder-changes.ts'
import type { Event, FileAct } from '../events/events.ts'
import type { ChangedItems, FolderFollowing, FolderWatch } from '../files/following.ts'
import type { UserFiles } from '../files/user-files.ts'
import { SentItems } from './sent-items.ts'

/** Milliseconds that further changes are waited for after the first, so that they leave together. */
const joinTime = 50
/** Milliseconds between two messages about one folder. */
const pause = 200
/** Milliseconds between two times of advice to list the folder again, while it goes on changing: the page needs some time to do so. */
const resyncPause = 800
/** Milliseconds without a change after which many changes count as over. */
const calm = 100
/** With more changed names a listing is less work. */
const mostNames = 200
/** Milliseconds after which a folder that is not there counts as gone: it may be replaced, or its new name be told. */
const goneDelay = 200

type FollowedFolderParts = Readonly<{
  clock: Clock
  /** Ends everything. */
  signal: AbortSignal
  send(message: LiveMessage): Promise<void>
  /** Resolves when nothing waits to be sent. */
  drained(): Promise<void>
  /** Runs work with the rights of this moment. @returns undefined when the session has ended */
  withFiles<T>(work: (files: UserFiles) => Promise<T>): Promise<T | undefined>
}>

/** One folder that one page follows: notices changes, joins them, and sends what the reader may see of them. */
export class FollowedFolder {
  readonly #path: Path
  readonly #parts: FollowedFolderParts
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  readonly #changes = new FolderChanges()
  readonly #sent = new SentItems()
  #watch: FolderWatch | undefined
  #rights: FolderFollowing | undefined
  #served: Path | undefined
  #state: 'new' | 'followed' | 'unwatched' | 'gone' = 'new'
  /** Where this server has moved the folder to, in the served root. */
  #movedTo: Path | undefined
  #checking: Promise<void> | undefined
  #resyncAt = Number.NEGATIVE_INFINITY

  constructor(path: Path, parts: FollowedFolderParts) {
    this.#path = path
    this.#parts = parts
    this.#signal = AbortSignal.any([parts.signal, this.#ending.signal])
    this.#signal.addEventListener('abort', () => this.#changes.end(), { once: true })
    void this.check().then(() => this.#sendChanges())
  }

  /** Whether all changes in the folder are reported. */
  get isComplete(): boolean {
    return this.#state === 'followed' && this.#watch?.isComplete === true
  }

  /** Sends nothing more. */
  end(): void {
    this.#ending.abort()
  }

  /** Looks whether the path still leads to the watched folder, and whether the reader's rights are the same. */
  check(): Promise<void> {
    this.#checking ??= this.#look().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** Is told of each change that this server made. */
  note(event: Event & FileAct): void {
    const { kind, path, to } = event
    if (this.#served === undefined || kind === 'purge') return
    // Of what comes back from the trash only its new place changes.
    const place = kind === 'restore' ? to : path
    if (kind !== 'copy' && kind !== 'upload' && place !== undefined && isWithin(this.#served, place)) {
      if (kind === 'rename' && to !== undefined) this.#movedTo = joined(to, (this.#served.slice(path.length) || '/') as Path)
      void this.check()
    }
    this.noteFolders(event)
    // Where the system reports all changes this would only be a second report.
    if (this.#watch?.isComplete) return
    for (const changed of [path, to]) {
      if (changed !== undefined && changed !== '/' && parentOf(changed) === this.#served) this.#changes.add(nameOf(changed))
    }
  }

  /**
   * What comes or goes inside a folder of this one changes when that was modified, which no watch of this one reports: also while the
   * folder itself is copied, or merged into one that was there. Is told of failed acts too, of which a part may be done.
   */
  noteFolders({ kind, path, to, isDir }: Pick<FileAct, 'kind' | 'path' | 'to' | 'isDir'>): void {
    const isFromHere = kind === 'rename' || kind === 'delete' || kind === 'upload'
    for (const changed of [isFromHere ? path : undefined, to]) {
      if (changed === undefined || changed === '/') continue
      for (const folder of isDir ? [changed, parentOf(changed)] : [parentOf(changed)])
        if (folder !== '/' && parentOf(folder) === this.#served) this.#changes.add(nameOf(folder))
    }
  }

  async #look() {
    if (this.#signal.aborted) return
    if ((await this.#open()) === 'lost' && (await this.#delay(goneDelay))) {
      if ((await this.#open()) === 'lost') await this.#sayGone()
    }
  }

  /** Opens the folder again, and keeps the watch when it is another folder. */
  async #open(): Promise<'found' | 'lost'> {
    const opened = await this.#parts
      .withFiles(async ({ following }) => {
        const watch = await following.watch(this.#path, this.#signal)
        return { watch, following }
      })
      .catch((error: unknown) => this.#failed(error))
    if (opened === 'lost') return 'lost'
    if (opened) await this.#keep(opened)
    return 'found'
  }

  async #failed(error: unknown): Promise<'lost' | undefined> {
    if (this.#signal.aborted) return undefined
    if (error instanceof Failure && ['notFound', 'invalid', 'forbidden'].includes(error.code)) return 'lost'
    // Too many folders are watched, or the disk does not answer: the page asks by itself, and the next check tries again.
    this.#stopWatching()
    if (this.#state !== 'unwatched') await this.#sayFollowing('unwatched', false)
    return undefined
  }

  async #keep({ watch, following }: { watch: FolderWatch; following: FolderFollowing }) {
    const isSame = watch.folder === this.#watch?.folder
    const hasSameRights = this.#rights?.hasRightsOf(following) ?? true
    this.#rights = following
    this.#served = following.servedPath(this.#path)
    if (isSame) watch.close()
    if (isSame && !hasSameRights) this.#changes.add(undefined)
    if (isSame) return
    this.#stopWatching()
    this.#watch = watch
    void this.#read(watch)
    await this.#sayFollowing('followed', watch.isComplete)
  }

  #stopWatching() {
    this.#watch?.close()
    this.#watch = undefined
  }

  async #sayFollowing(state: 'followed' | 'unwatched', isComplete: boolean) {
    this.#state = state
    this.#movedTo = undefined
    this.#sent.clear()
    const since = this.#parts.clock.elapsed()
    const asked = this.#parts.withFiles(({ following }) => following.modifiedAt(this.#path))
    const modified = await asked.catch(() => undefined)
    await this.#parts.send({ kind: 'following', folder: this.#path, since, isComplete, ...(modified && { modified }) })
  }

  async #sayGone() {
    this.#stopWatching()
    if (this.#state === 'gone' || this.#signal.aborted) return
    this.#state = 'gone'
    const to = await this.#newPath().catch(() => undefined)
    await this.#parts.send({ kind: 'gone', folder: this.#path, ...(to !== undefined && { to }) })
  }

  /** Where the folder is now, if the reader may see it. */
  async #newPath(): Promise<Path | undefined> {
    const movedTo = this.#movedTo
    if (movedTo === undefined) return undefined
    return this.#parts.withFiles(async (files) => {
      const path = files.following.ownPath(movedTo)
      return path !== undefined && (await files.find(path)).entry.isDir ? path : undefined
    })
  }

  /** Adds the changes of one watch to those that are to be sent. */
  async #read(watch: FolderWatch) {
    for (let changed = await watch.next(); changed; changed = await watch.next()) {
      for (const name of changed.names) this.#changes.add(name)
      if (changed.hasOthers) this.#changes.add(undefined)
    }
    if (this.#watch === watch && !this.#signal.aborted) void this.check()
  }

  async #sendChanges() {
    while ((await this.#changes.ready()) && (await this.#delay(joinTime)) && (await this.#waitUntilCalm())) {
      await this.#parts.drained()
      if (this.#signal.aborted) return
      const { names, hasOthers } = this.#changes.take()
      // The folder itself may have been moved: then there is nothing to list.
      if (hasOthers) await this.check()
      const areMany = hasOthers || names.length > mostNames
      const found = areMany ? undefined : await this.#find(names)
      if (this.#state !== 'gone') await (found ? this.#sendFound(found) : this.#sendResync())
      // A video that is being written needs a listing at each of its few changes.
      if (!(await this.#delay(found || areMany ? pause : resyncPause))) return
    }
  }

  /** Few changes are sent soon after an advice. Many become another, which waits until the page has listed, or nothing more changes. */
  async #waitUntilCalm(): Promise<boolean> {
    const end = this.#resyncAt + resyncPause
    for (let reports = -1; this.#changes.areMoreThan(mostNames) && this.#parts.clock.elapsed() < end; ) {
      if (reports === this.#changes.reports) return true
      reports = this.#changes.reports
      if (!(await this.#delay(calm))) return false
    }
    return true
  }

  #delay(milliseconds: number): Promise<boolean> {
    return delay(this.#parts.clock, milliseconds, this.#signal)
  }

  async #find(names: readonly string[]): Promise<ChangedItems | undefined> {
    // A disk that fails for one entry may answer for the folder.
    return this.#parts.withFiles(({ following }) => following.changedItems(this.#path, names)).catch(() => undefined)
  }

  async #sendFound(found: ChangedItems) {
    const { items, removed } = this.#sent.newsOf(found)
    if (items.length > 0 || removed.length > 0)
      await this.#parts.send({ kind: 'changed', folder: this.#path, items: [...items], removed: [...removed] })
  }

  async #sendResync() {
    this.#sent.clear()
    await this.#parts.send({ kind: 'resync', folder: this.#path })
    this.#resyncAt = this.#parts.clock.elapsed()
  }
}
