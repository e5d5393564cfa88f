import { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Body } from './body-reader.ts'
import { checkReplaceable } from './commit-file.ts'
import { type BeginHow, type CommitHow, type Entry, FileShrunk, type PendingWrite, type WriteHow } from './disk.ts'
import type { Asked, DiskContext, ResolvedPath } from './disk-context.ts'
import { entryOf, present } from './entry.ts'
import { asFailure, errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { TemporaryFile } from './temporary-file.ts'

/**
 * Content appears complete or not at all: it is written under a hidden name beside its target and synced, then renamed, and
 * then the folder is synced. After a failure only the hidden file is removed. Writing to a link changes its target.
 */
export async function writeFile(
  context: DiskContext,
  asked: Asked,
  { body, signal, ...how }: WriteHow & { body: Body; signal?: AbortSignal | undefined },
): Promise<Entry> {
  return withTarget(context, asked, how.replace, async (resolved) => {
    checkReplaceable(resolved, how.replace)
    signal?.throwIfAborted()
    const file = await TemporaryFile.begin(context, resolved.folder)
    return commitOrDiscard(file, { path: asked.path, resolved, how }, () => {
      return interruptible(file, signal, () => file.append(body, 0))
    })
  })
}

/** Bytes. */
const smallFile = 1 << 20

/** Copies the content of a small regular file in one sequence of calls. @throws FileShrunk @returns undefined for a larger file */
export async function copyFile(context: DiskContext, from: Asked, to: Asked, how: WriteHow): Promise<Entry | undefined> {
  return withResolvedPath(context, from, true, async (source) => {
    const handle = present(source)
    const size = Number(handle.stats.size)
    if (handle.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
    if (size > smallFile || !context.strategy.opensByAddress) return undefined
    return withTarget(context, { ...to, expectsFree: !how.replace }, how.replace, async (resolved) => {
      checkReplaceable(resolved, how.replace)
      from.signal?.throwIfAborted()
      const file = await TemporaryFile.copyOf(context, resolved.folder, { address: handle.address, size })
      return commitOrDiscard(file, { path: to.path, resolved, how }).catch((error) => {
        throw errnoOf(error) === 'ESHRUNK' ? new FileShrunk() : error
      })
    })
  })
}

type Commit = Readonly<{ path: Asked['path']; resolved: ResolvedPath; how: WriteHow }>

async function commitOrDiscard(file: TemporaryFile, { path, resolved, how }: Commit, fill?: () => Promise<void>): Promise<Entry> {
  try {
    await fill?.()
    return entryOf({ path, resolved, stats: await file.commitName(resolved.name, how) })
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Does work during which the disk stays open. */
export type RunOnDisk = (work: (context: DiskContext) => Promise<void>) => Promise<void>

/** Creates a hidden file beside a target, to be written and named later. */
export function beginWrite(run: RunOnDisk, asked: Asked, how: BeginHow, signal?: AbortSignal): Promise<PendingWrite> {
  return pendingWrite(run, {
    asked,
    how,
    signal,
    open: (context, folder) => TemporaryFile.create(context, folder, how.resumable),
  })
}

/** Opens such a file again, which may be of an earlier run of the server. */
export function resumeWrite(
  run: RunOnDisk,
  asked: Asked,
  { name, signal, ...how }: BeginHow & { name: string; signal?: AbortSignal | undefined },
): Promise<PendingWrite> {
  const open = (context: DiskContext, folder: PathHandle) => TemporaryFile.open(context, folder, name)
  return pendingWrite(run, { asked, how: { ...how, resumable: true }, signal, open })
}

type OpenWriteOptions = Readonly<{
  asked: Asked
  how: BeginHow
  signal: AbortSignal | undefined
  open(context: DiskContext, folder: PathHandle): Promise<TemporaryFile>
}>

/** The target's folder stays open, and the disk with it, until the file is named, discarded or closed. */
function pendingWrite(run: RunOnDisk, { asked, how, signal, open }: OpenWriteOptions): Promise<PendingWrite> {
  const { promise, resolve, reject } = Promise.withResolvers<PendingWrite>()
  const work = async (context: DiskContext, target: ResolvedPath) => {
    checkReplaceable(target, how.replace)
    signal?.throwIfAborted()
    const file = await open(context, target.folder)
    const ended = Promise.withResolvers<void>()
    resolve(new LocalPendingWrite({ context, asked, how, target, file, signal, end: ended.resolve }))
    await ended.promise
  }
  run((context) => withTarget(context, asked, how.replace, (target) => work(context, target))).catch(reject)
  return promise
}

type PendingParts = Readonly<{
  context: DiskContext
  asked: Asked
  how: BeginHow
  target: ResolvedPath
  file: TemporaryFile
  signal: AbortSignal | undefined
  /** Closes the folder. */
  end(): void
}>

class LocalPendingWrite implements PendingWrite {
  readonly #parts: PendingParts
  #appending: Promise<void> = Promise.resolve()
  #isEnded = false

  constructor(parts: PendingParts) {
    this.#parts = parts
    parts.signal?.addEventListener('abort', this.#abort)
  }

  get name() {
    return this.#parts.file.name
  }

  get size() {
    return this.#parts.file.size
  }

  async append(body: Body, { offset }: { offset: number }): Promise<void> {
    const { file } = this.#parts
    this.#assertRunning()
    const appending = file.append(body, offset)
    this.#appending = appending.catch(() => {})
    await asFailure(appending)
  }

  async commit(capability: Capability<'create' | 'modify' | 'rename'>, how: CommitHow): Promise<Entry> {
    const { asked, target, file } = this.#parts
    const grant = Capability.check(capability, 'create', 'modify', 'rename')
    if (grant.path !== asked.path) throw new TypeError('The capability is for another path')
    this.#assertRunning()
    await asFailure(this.#checkFolder(grant))
    try {
      const stats = await asFailure(file.commitName(target.name, how))
      return entryOf({ path: grant.path, resolved: target, stats })
    } finally {
      await this.#release()
    }
  }

  async discard(): Promise<void> {
    await this.#end(() => this.#parts.file.discard())
  }

  async close(): Promise<void> {
    await this.#end(() => this.#parts.file.close())
  }

  /** Checks the rules again for the present target of the path, because they may have changed since the write began. */
  async #checkFolder(grant: Asked) {
    const { context, target } = this.#parts
    const folder = await withTarget(context, grant, target.link !== undefined, async ({ folder }) => folder.identity)
    if (folder !== target.folder.identity) throw new Failure('conflict', 'the folder was moved meanwhile')
  }

  #assertRunning() {
    this.#parts.signal?.throwIfAborted()
    if (this.#isEnded) throw new TypeError('The write has ended')
  }

  #abort = () => {
    this.#parts.file.interrupt(this.#parts.signal?.reason)
    void this.#release()
  }

  /** A named file is only closed, because its hidden name no longer exists. */
  #release() {
    return this.#parts.how.resumable ? this.close() : this.discard()
  }

  async #end(work: () => Promise<void>) {
    if (this.#isEnded) return
    this.#isEnded = true
    const { file, signal, end } = this.#parts
    signal?.removeEventListener('abort', this.#abort)
    file.interrupt(new TypeError('The write has ended'))
    await this.#appending
    await work()
    end()
  }
}

/** The target of a write: for a link that is followed, its target. */
function withTarget<T>(
  context: DiskContext,
  asked: Asked,
  follows: boolean,
  use: (target: ResolvedPath) => Promise<T>,
): Promise<T> {
  return withResolvedPath(context, asked, follows, (target) => {
    // Through a broken link the file would be created wherever its text says.
    if (target.link && !target.handle) throw new Failure('conflict', 'a link that leads nowhere is in the way')
    return use(target)
  })
}

async function interruptible(file: TemporaryFile, signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
  const interrupt = () => file.interrupt(signal?.reason)
  signal?.addEventListener('abort', interrupt)
  try {
    await work()
    signal?.throwIfAborted()
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
}
