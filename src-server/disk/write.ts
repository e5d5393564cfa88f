import { Failure } from '../base/failure.ts'
import type { Body } from './body-reader.ts'
import { checkReplaceable } from './commit-file.ts'
import type { DiskContext, GrantedPath, ResolvedPath } from './disk-context.ts'
import { type AppendHow, type BeginHow, type CommitHow, type DriverWrite, type Entry, FileShrunk } from './driver.ts'
import { entryOf, lookUp, present } from './entry.ts'
import { asFailure, errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'
import { folderMoved, placedName } from './place-locks.ts'
import { withPathWalk, withResolvedPath } from './resolve-beneath.ts'
import { TemporaryFile } from './temporary-file.ts'

/** Bytes. */
const smallFile = 1 << 20

/** Copies the content of a small regular file in one sequence of calls. @throws FileShrunk @returns undefined for a larger file */
export async function copyFile(
  context: DiskContext,
  from: GrantedPath,
  to: GrantedPath,
  how: CommitHow,
): Promise<Entry | undefined> {
  return withResolvedPath(context, from, true, async (source) => {
    const handle = present(source)
    const size = Number(handle.stats.size)
    if (handle.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
    if (size > smallFile || !context.strategy.opensByAddress) return undefined
    return withTarget(context, { ...to, expectsFree: !how.replace }, how.replace, async (resolved) => {
      checkReplaceable(resolved, how.replace)
      from.signal?.throwIfAborted()
      const file = await TemporaryFile.copyOf(context, resolved.folder, { address: handle.address, size, makeRoom: how.makeRoom })
      try {
        return entryOf({
          path: to.path,
          resolved,
          stats: await file.commitName(placedName(context, to, resolved, how.replace), how),
        })
      } catch (error) {
        await file.discard()
        throw errnoOf(error) === 'ESHRUNK' ? new FileShrunk() : error
      }
    })
  })
}

/** Does work during which the disk stays open. */
export type RunOnDisk = (work: (context: DiskContext) => Promise<void>) => Promise<void>

/**
 * Content appears complete or not at all: it is written under a hidden name beside its target and synced, then renamed, and
 * then the folder is synced. After a failure only the hidden file is removed. Writing to a link changes its target.
 */
export function beginWrite(run: RunOnDisk, asked: GrantedPath, how: BeginHow): Promise<DriverWrite> {
  const open = (context: DiskContext, folder: PathHandle) =>
    how.resumable ? TemporaryFile.create(context, folder, how) : TemporaryFile.begin(context, folder, how)
  return pendingWrite(run, { asked, how, open })
}

/** Opens such a file again, which may be of an earlier run of the server. */
export function resumeWrite(
  run: RunOnDisk,
  asked: GrantedPath,
  { name, ...how }: BeginHow & { name: string },
): Promise<DriverWrite> {
  const open = (context: DiskContext, folder: PathHandle) => TemporaryFile.open(context, folder, { ...how, name })
  return pendingWrite(run, { asked, how: { ...how, resumable: true }, open })
}

type OpenWriteOptions = Readonly<{
  asked: GrantedPath
  how: BeginHow
  open(context: DiskContext, folder: PathHandle): Promise<TemporaryFile>
}>

/** The target's folder stays open, and the disk with it, until the file is named, discarded or closed. */
function pendingWrite(run: RunOnDisk, { asked, how, open }: OpenWriteOptions): Promise<DriverWrite> {
  const { promise, resolve, reject } = Promise.withResolvers<DriverWrite>()
  const work = async (context: DiskContext, target: ResolvedPath) => {
    if (!how.forLater) checkReplaceable(target, how.replace)
    asked.signal?.throwIfAborted()
    const file = await open(context, target.folder)
    const ended = Promise.withResolvers<void>()
    resolve(new LocalPendingWrite({ context, asked, how, target, file, end: ended.resolve }))
    await ended.promise
  }
  run((context) => {
    const use = (target: ResolvedPath) => work(context, target)
    return how.check ? withCheckedTarget(context, asked, how, use) : withTarget(context, asked, how.replace, use)
  }).catch(reject)
  return promise
}

type PendingParts = Readonly<{
  context: DiskContext
  asked: GrantedPath
  how: BeginHow
  target: ResolvedPath
  file: TemporaryFile
  /** Closes the folder. */
  end(): void
}>

class LocalPendingWrite implements DriverWrite {
  readonly #parts: PendingParts
  #using: Promise<void> = Promise.resolve()
  #ended: Promise<void> | undefined

  constructor(parts: PendingParts) {
    this.#parts = parts
    parts.asked.signal?.addEventListener('abort', this.#abort)
  }

  get name() {
    return this.#parts.file.name
  }

  get size() {
    return this.#parts.file.size
  }

  get isNamed() {
    return this.#parts.file.isNamed
  }

  async append(body: Body, how: AppendHow): Promise<void> {
    await this.#use((file) => file.append(body, how))
  }

  async sync(): Promise<void> {
    await this.#use((file) => file.sync())
  }

  async truncate(bytes: number): Promise<void> {
    await this.#use((file) => file.truncate(bytes))
  }

  /** The file stays open meanwhile. */
  async #use(work: (file: TemporaryFile) => Promise<void>): Promise<void> {
    this.#assertRunning()
    const using = work(this.#parts.file)
    this.#using = using.catch(() => {})
    await asFailure(using)
  }

  async commit(at: GrantedPath, how: CommitHow): Promise<Entry> {
    const { context, asked, target, file } = this.#parts
    this.#assertRunning()
    // The grant of the beginning itself has the rules of that time.
    if (at !== asked) await asFailure(this.#checkFolder(at))
    this.#assertRunning()
    // From here on the content gets its name: its descriptor must not be closed meanwhile.
    asked.signal?.removeEventListener('abort', this.#abort)
    try {
      const place = placedName(context, at, target, target.link !== undefined)
      const stats = await asFailure(file.commitName(place, how))
      await this.close()
      return entryOf({ path: at.path, resolved: target, stats })
    } catch (error) {
      await this.#release()
      throw error
    }
  }

  discard(): Promise<void> {
    return this.#end(() => this.#parts.file.discard())
  }

  close(): Promise<void> {
    return this.#end(() => this.#parts.file.close())
  }

  /** Checks the rules again for the present target of the path, because they may have changed since the write began. */
  async #checkFolder(at: GrantedPath) {
    const { context, target } = this.#parts
    const folder = await withTarget(context, at, target.link !== undefined, async ({ folder }) => folder.identity)
    if (folder !== target.folder.identity) throw folderMoved()
  }

  #assertRunning() {
    this.#parts.asked.signal?.throwIfAborted()
    if (this.#ended) throw new TypeError('The write has ended')
  }

  #abort = () => {
    this.#parts.file.interrupt(this.#parts.asked.signal?.reason)
    void this.#release()
  }

  #release() {
    return this.#parts.how.resumable ? this.close() : this.discard()
  }

  #end(work: () => Promise<void>): Promise<void> {
    this.#ended ??= this.#endNow(work)
    return this.#ended
  }

  async #endNow(work: () => Promise<void>) {
    const { file, asked, end } = this.#parts
    asked.signal?.removeEventListener('abort', this.#abort)
    file.interrupt(new TypeError('The write has ended'))
    await this.#using
    await work()
    end()
  }
}

/** As `withTarget`, once `how.check` has allowed what has the name. */
function withCheckedTarget<T>(
  context: DiskContext,
  asked: GrantedPath,
  { replace, check, forLater }: BeginHow,
  use: (target: ResolvedPath) => Promise<T>,
): Promise<T> {
  return withPathWalk(context, { ...asked, acceptsUnanswered: true }, async (walk) => {
    const { resolved, entry, error } = await lookUp(walk, asked)
    check?.(entry)
    if (entry && !replace && !forLater) throw new Failure('conflict', 'the name is taken')
    if (!resolved) throw error
    assertLeadsSomewhere(resolved)
    if (error !== undefined) throw error
    return use(resolved)
  })
}

/** The target of a write: for a link that is followed, its target. */
function withTarget<T>(
  context: DiskContext,
  asked: GrantedPath,
  follows: boolean,
  use: (target: ResolvedPath) => Promise<T>,
): Promise<T> {
  return withResolvedPath(context, asked, follows, (target) => {
    assertLeadsSomewhere(target)
    return use(target)
  })
}

/** Through a broken link the file would be created wherever its text says. */
function assertLeadsSomewhere({ link, handle, unanswered }: ResolvedPath) {
  if (unanswered !== undefined) throw unanswered
  if (link && !handle) throw new Failure('conflict', 'a link that leads nowhere is in the way')
}
