import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { type Body, BodyReader } from './body-reader.ts'
import { copyAttributes } from './copy-attributes.ts'
import { systemFor } from './device-limit.ts'
import type { CommitHow } from './disk.ts'
import { type DiskContext, type ResolvedPath, resolveName } from './disk-context.ts'
import { GatheredWriter } from './gathered-writer.ts'
import { withNames } from './name-locks.ts'
import { below, type PathHandle } from './path-handle.ts'
import { type Name, renameNoReplace } from './rename-no-replace.ts'
import { syncFolderByEnd } from './sync-folder.ts'
import type { DiskSystem } from './system.ts'
import { beginUse, endUse, isTemporaryName, newTemporaryName, type RunningWrite } from './temporary-names.ts'
import { versionOf } from './version.ts'

type Opened = Readonly<{ fd: number; size: number; isResumable: boolean }>

/** A file under a hidden name in the folder of its target. Whoever made or opened it gives it its name, discards or closes it. */
export class TemporaryFile {
  readonly name: string
  readonly #context: DiskContext
  readonly #folder: PathHandle
  readonly #system: DiskSystem
  readonly #fd: number
  readonly #use: RunningWrite
  readonly #isResumable: boolean
  #size: number
  #reader: BodyReader | undefined
  #lastByte = Date.now()
  #closed: Promise<void> | undefined

  /** @param folder stays open as long as the file is used */
  static async create(context: DiskContext, folder: PathHandle, isResumable = false): Promise<TemporaryFile> {
    const name = newTemporaryName()
    // Before the file is there: whatever ends the process, it is found. A journal that cannot be written stops no upload.
    await ignoringErrors(noteFolder(context, folder))
    const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
    const fd = await systemFor(context, folder).open(below(folder, name), O_WRONLY | O_CREAT | O_EXCL, 0o600)
    return new TemporaryFile(context, { folder, name }, { fd, size: 0, isResumable })
  }

  /** @throws Failure('notFound') when there is no such file, Failure('busy') while it is being written */
  static async open(context: DiskContext, folder: PathHandle, name: string): Promise<TemporaryFile> {
    if (!isTemporaryName(name)) throw new Failure('notFound')
    const { O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
    const system = systemFor(context, folder)
    const fd = await system.open(below(folder, name), O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = fs.fstatSync(fd)
      if (!stats.isFile()) throw new Failure('notFound')
      return new TemporaryFile(context, { folder, name }, { fd, size: stats.size, isResumable: true })
    } catch (error) {
      await ignoringErrors(system.close(fd))
      throw error
    }
  }

  private constructor(context: DiskContext, { folder, name }: Name, { fd, size, isResumable }: Opened) {
    this.#context = context
    this.#folder = folder
    this.#system = systemFor(context, folder)
    this.name = name
    this.#fd = fd
    this.#size = size
    this.#isResumable = isResumable
    this.#use = {
      waitingSince: () => (this.#reader ? this.#lastByte : undefined),
      interrupt: (reason) => this.interrupt(reason),
    }
    if (!beginUse(name, this.#use)) throw new Failure('busy', 'the file is being written')
  }

  /** Bytes. */
  get size(): number {
    return this.#size
  }

  /**
   * Writes a body from an offset in bytes on; what came before an error counts.
   * @throws Failure('range') when the offset is not the size, Failure('busy') while another body is being written
   */
  async append(body: Body, offset: number): Promise<void> {
    if (this.#reader) throw new Failure('busy', 'the file is being written')
    if (offset !== this.#size) throw new Failure('range', `the file has ${this.#size} bytes`)
    this.#reader = new BodyReader()
    this.#lastByte = Date.now()
    // One at a time where the file may be resumed: whatever ends the process, its bytes have no gap.
    const atOnce = this.#isResumable ? 1 : 2
    const writer = new GatheredWriter(this.#system, this.#fd, { position: offset, atOnce })
    try {
      await this.#reader.each(body, async (chunk) => {
        this.#lastByte = Date.now()
        await writer.take(chunk)
      })
    } finally {
      this.#reader = undefined
      await writer.end().finally(() => {
        this.#size = fs.fstatSync(this.#fd).size
      })
    }
  }

  /** Stops what is being appended. */
  interrupt(reason: unknown): void {
    this.#reader?.interrupt(reason)
  }

  /**
   * Syncs the content, then gives the file its name, then syncs the folder. After an error the file has its hidden name still
   * or, when the folder could not be synced, its new one.
   * @throws Failure('conflict' | 'forbidden') when it must not take the place of what stands there, Failure('changed') when
   *   that has not the version that was asked for
   */
  async giveName(name: string, how: CommitHow): Promise<fs.BigIntStats> {
    const to = { folder: this.#folder, name }
    const stats = await this.#finish(to, how)
    await withNames([to], async () => {
      if (how.ifVersion !== undefined) await this.#checkVersion(to, how.ifVersion)
      await this.#rename(to, how)
    })
    await syncFolderByEnd(this.#context, this.#folder)
    return stats
  }

  /** Removes it. One that cannot be removed stays hidden, and is removed when it is stale. */
  async discard(): Promise<void> {
    // In use until it is gone: nobody may resume what is being removed.
    await ignoringErrors(this.#closeContent())
    await ignoringErrors(this.#system.unlink(below(this.#folder, this.name)))
    endUse(this.name, this.#use)
  }

  /** Leaves it as it is. */
  async close(): Promise<void> {
    await ignoringErrors(this.#close())
  }

  #close(): Promise<void> {
    return this.#closeContent().finally(() => endUse(this.name, this.#use))
  }

  #closeContent(): Promise<void> {
    this.#closed ??= this.#system.close(this.#fd)
    return this.#closed
  }

  async #finish(to: Name, how: CommitHow): Promise<fs.BigIntStats> {
    const system = this.#system
    // What stands there is looked at now and not at the start: an upload may take an hour.
    await this.#copyAttributes(to, how)
    await system.sync(this.#fd)
    const stats = fs.fstatSync(this.#fd, { bigint: true })
    await this.#close()
    return stats
  }

  async #copyAttributes({ folder, name }: Name, { replace, like }: CommitHow) {
    const old = await resolveName(this.#context, folder, name)
    try {
      checkReplaceable(old, replace)
      await copyAttributes(this.#system, this.#fd, { old: old.handle, like })
    } finally {
      old.handle?.close()
    }
  }

  async #checkVersion({ folder, name }: Name, version: string) {
    const { handle } = await resolveName(this.#context, folder, name)
    handle?.close()
    if (!handle || versionOf(handle.stats) !== version) throw new Failure('changed')
  }

  async #rename(to: Name, { replace }: CommitHow) {
    const system = this.#system
    const from = { folder: this.#folder, name: this.name }
    if (replace) await system.rename(below(from.folder, from.name), below(to.folder, to.name))
    else if ((await renameNoReplace(this.#context, from, to)) === 'both') await this.discard()
  }
}

/** @throws Failure('conflict' | 'forbidden') when a file must not take the place of what stands there */
export function checkReplaceable({ handle, alias }: ResolvedPath, replace: boolean): void {
  if (alias) throw new Failure('conflict', 'the name is taken in another spelling')
  if (!handle) return
  if (!replace) throw new Failure('conflict', 'the name is taken')
  if (handle.kind === 'folder') throw new Failure('conflict', 'a folder is in the way')
  if (handle.kind === 'special') throw new Failure('forbidden', 'a device, pipe or socket is in the way')
}

async function noteFolder({ journal, strategy }: DiskContext, folder: PathHandle) {
  await journal?.note(await strategy.hostPathOf(folder))
}

async function ignoringErrors(call: Promise<void>) {
  try {
    await call
  } catch {
    // The first error is the one to report; nothing more can be done here.
  }
}
