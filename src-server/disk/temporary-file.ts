import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { type MakeRoom, type OnFullDisk, whileRoomIsMade } from '../base/room.ts'
import { type Body, BodyReader } from './body-reader.ts'
import { type Call, type FileStats, opened } from './call-sequence.ts'
import { commitFile, type HiddenFile } from './commit-file.ts'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import type { AppendHow, CommitHow } from './driver.ts'
import { errnoOf, isSyncError } from './errno.ts'
import { GatheredWriter } from './gathered-writer.ts'
import { below, type PathHandle } from './path-handle.ts'
import type { PlacedName } from './place-locks.ts'
import type { Name } from './rename-no-replace.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { type DiskSystem, withRoom, writeAllAt } from './system.ts'
import { beginUse, endUse, isTemporaryName, isUploadName, newTemporaryName, type RunningWrite } from './temporary-names.ts'

/** `folderPath`: of the folder on the host, where it is known. */
type Begun = OnFullDisk &
  Readonly<{
    fd?: number
    size: number
    isResumable: boolean
    isNamed?: boolean
    isNameDurable?: boolean
    folderPath: string | undefined
  }>

/** The unwritten content of a file, as the call that writes it. */
type Unwritten = Readonly<{ call: Call; size: number }>

const nothingUnwritten: Unwritten = { call: { call: 'write', args: [opened, new Uint8Array()] }, size: 0 }

const createFlags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL
const createMode = 0o600
/** Of a file that is written and closed: its mode may allow no more. */
const againFlags = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW

/** A file under a hidden name in the folder of its target. Its creator commits, discards or closes it. */
export class TemporaryFile {
  readonly name: string
  /** Whether it has another name too, which a commit has given it that was broken off. */
  readonly isNamed: boolean
  readonly #context: DiskContext
  readonly #folder: PathHandle
  readonly #system: DiskSystem
  readonly #use: RunningWrite
  readonly #isResumable: boolean
  readonly #makeRoom: MakeRoom | undefined
  #fd: Promise<number> | undefined
  #unwritten = nothingUnwritten
  #size: number
  #reader: BodyReader | undefined
  #interrupted: { reason: unknown } | undefined
  #isNameDurable: boolean
  /** Of the last byte; undefined while what has come is being written, which may wait for room. */
  #lastByte: number | undefined
  #closed: Promise<void> | undefined
  /** Whether a sync of the content has failed. */
  #isUnsynced = false

  /**
   * Small content is written, synced and named by one sequence of calls, and is not on the disk before that.
   * @param folder stays open as long as the file is used
   */
  static async begin(
    context: DiskContext,
    folder: PathHandle,
    { name: wanted, ...room }: OnFullDisk & { name?: string } = {},
  ): Promise<TemporaryFile> {
    // Before the file is created, so that it is found after any end of the process. Errors of the journal are ignored.
    const { name, folderPath } = await newHidden(context, folder, wanted)
    return new TemporaryFile(context, { folder, name }, { ...room, size: 0, isResumable: false, folderPath })
  }

  /** A copy of the first bytes of the file at an address. It must be small. */
  static async copyOf(
    context: DiskContext,
    folder: PathHandle,
    source: { address: string; size: number } & OnFullDisk,
  ): Promise<TemporaryFile> {
    const file = await TemporaryFile.begin(context, folder, source)
    file.#unwritten = { call: { call: 'copy', args: [opened, source.address, source.size] }, size: source.size }
    return file
  }

  /**
   * As `begin`, but the file is created at once, and what was written can be continued after any end of the process.
   * @param how.name its name, which must be free
   */
  static async create(
    context: DiskContext,
    folder: PathHandle,
    { name: wanted, ...room }: OnFullDisk & { name?: string } = {},
  ): Promise<TemporaryFile> {
    const { name, folderPath } = await newHidden(context, folder, wanted)
    const fd = await withRoom(systemFor(context, folder), room).open(below(folder, name), createFlags, createMode)
    return new TemporaryFile(context, { folder, name }, { ...room, fd, size: 0, isResumable: true, folderPath })
  }

  /** @throws Failure('notFound') when there is no such file, Failure('busy') while it is being written */
  static async open(
    context: DiskContext,
    folder: PathHandle,
    { name, isNameDurable = false, ...room }: OnFullDisk & { name: string; isNameDurable?: boolean },
  ): Promise<TemporaryFile> {
    if (!isTemporaryName(name) && !isUploadName(name)) throw new Failure('notFound')
    const system = systemFor(context, folder)
    const fd = await openHidden(system, below(folder, name))
    try {
      const stats = fs.fstatSync(fd)
      // Whoever removed it meanwhile no longer uses its name.
      if (!stats.isFile() || stats.nlink === 0) throw new Failure('notFound')
      const folderPath = await context.strategy.hostPathOf(folder).catch(() => undefined)
      const begun = { ...room, fd, size: stats.size, isResumable: true, isNamed: stats.nlink > 1, isNameDurable, folderPath }
      return new TemporaryFile(context, { folder, name }, begun)
    } catch (error) {
      await ignoringErrors(system.close(fd))
      throw error
    }
  }

  private constructor(
    context: DiskContext,
    { folder, name }: Name,
    { fd, size, isResumable, isNamed = false, isNameDurable = false, folderPath, ...room }: Begun,
  ) {
    this.#context = context
    this.#folder = folder
    this.#makeRoom = room.makeRoom
    this.#system = withRoom(systemFor(context, folder), room)
    this.name = name
    this.isNamed = isNamed
    this.#isNameDurable = isNameDurable
    this.#fd = fd === undefined ? undefined : Promise.resolve(fd)
    this.#size = size
    this.#isResumable = isResumable
    this.#use = {
      folderPath,
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
  async append(body: Body, { offset, onSynced }: AppendHow): Promise<void> {
    this.#assertUnnamed()
    if (this.#interrupted) throw this.#interrupted.reason
    if (this.#reader) throw new Failure('busy', 'the file is being written')
    if (offset !== this.#size) throw new Failure('range', `the file has ${this.#size} bytes`)
    const reader = new BodyReader()
    this.#reader = reader
    this.#lastByte = undefined
    if (offset > 0) await this.#writeKept()
    // One write at a time for a resumable file, so that its content has no gap after any end of the process.
    const atOnce = this.#isResumable ? 1 : 2
    const writer = new GatheredWriter(this.#system, () => this.#descriptor(), {
      position: offset,
      atOnce,
      ...(this.#isResumable && { onSynced: onSynced && this.#withName(onSynced), isPiece: true }),
    })
    this.#lastByte = Date.now()
    try {
      await reader.each(body, async (chunk) => {
        this.#lastByte = undefined
        await writer.take(chunk)
        this.#lastByte = Date.now()
      })
    } finally {
      this.#reader = undefined
      if (!this.#keepUnwritten(writer)) await writer.end().finally(() => this.#measure())
    }
  }

  /** @returns false when a part is written already */
  #keepUnwritten(writer: GatheredWriter) {
    const bytes = this.#fd ? undefined : writer.takeUnwritten()
    if (!bytes) return false
    this.#unwritten = { call: { call: 'write', args: [opened, bytes] }, size: bytes.length }
    this.#size = bytes.length
    return true
  }

  /** More follows what would be written at the end. */
  async #writeKept() {
    const { call, size } = this.#unwritten
    if (size === 0 || call.call !== 'write') return
    const chunks = [call.args[1]]
    const writing = this.#descriptor().then((fd) => writeAllAt(this.#system, fd, { chunks, position: 0 }))
    await writing.catch((error: unknown) => {
      this.#reader = undefined
      throw error
    })
    this.#unwritten = nothingUnwritten
  }

  async #measure() {
    this.#size = fs.fstatSync(await this.#descriptor()).size
  }

  /** Creates the file unless it exists. */
  #descriptor(): Promise<number> {
    this.#fd ??= this.#system.open(below(this.#folder, this.name), createFlags, createMode)
    return this.#fd
  }

  /** Stops what is being appended, and what would be. */
  interrupt(reason: unknown): void {
    this.#interrupted ??= { reason }
    this.#reader?.interrupt(reason)
  }

  /** Makes durable what was written, and the name of a resumable file. */
  async sync(): Promise<void> {
    await this.#system.syncData(await this.#descriptor())
    await this.#syncName()
  }

  /** Bytes without a name would be lost. */
  #withName(onSynced: (size: number) => void) {
    return async (size: number) => {
      await this.#syncName()
      onSynced(size)
    }
  }

  async #syncName() {
    if (this.#isNameDurable) return
    await syncFolderHandle(this.#context, this.#folder)
    this.#isNameDurable = true
  }

  /** Removes what lies behind so many bytes, durably. */
  async truncate(bytes: number): Promise<void> {
    this.#assertUnnamed()
    if (bytes >= this.#size) return
    const fd = await this.#descriptor()
    await this.#system.truncate(fd, bytes)
    await this.#system.syncData(fd)
    await this.#measure()
  }

  /** Under its other name it may be somebody's file by now. */
  #assertUnnamed() {
    if (this.isNamed) throw new Failure('conflict', 'the content has its name already')
  }

  /**
   * Syncs the content, then gives the file its name, then syncs the folder. After an error the file has its hidden name still
   * or, when the folder could not be synced, its new one.
   * @param to in the folder of the file
   * @throws Failure('conflict' | 'forbidden') when it must not replace the existing entry, or when the folder was moved meanwhile;
   *   Failure('changed') when that entry does not have the required version
   */
  async commitName(to: PlacedName, how: CommitHow): Promise<FileStats> {
    const { size } = this.#unwritten
    const room = this.#makeRoom
    const makeRoom =
      room &&
      (async (isAgain: boolean) => {
        // All of it is written again: what there is must not count twice.
        if (!this.#closed && !this.#fd) await ignoringErrors(this.#system.unlink(below(this.#folder, this.name)))
        return room(size, isAgain)
      })
    const commit = async () => commitFile(this.#context, await this.#content(), to, how)
    // What a sync has failed to write is not written by the next one, but small content is by a new file.
    const mayRepeat = (error: unknown) => (this.#isUnsynced ? !this.#fd && !this.#closed : !isSyncError(error))
    const stats = await whileRoomIsMade(commit, makeRoom, mayRepeat)
    endUse(this.name, this.#use)
    return stats
  }

  /** An attempt to name it that has failed may have written and closed it. */
  async #content(): Promise<HiddenFile> {
    const hidden = below(this.#folder, this.name)
    const onClosed = () => {
      this.#closed ??= Promise.resolve()
    }
    const onUnsynced = () => {
      this.#isUnsynced = true
    }
    const fd = await this.#fd
    const base = { hidden: this.name, onClosed, onUnsynced }
    if (this.#closed) return { ...base, fd: opened, begin: [{ call: 'open', args: [hidden, againFlags] }] }
    if (fd !== undefined) return { ...base, fd, begin: [] }
    this.#isUnsynced = false
    const create: Call = { call: 'open', args: [hidden, createFlags, createMode] }
    return { ...base, fd: opened, begin: [create, ...(this.#unwritten.size > 0 ? [this.#unwrittenCall()] : [])] }
  }

  /** The bytes of a call are another thread's afterwards: what may have to be written again is a copy. */
  #unwrittenCall(): Call {
    const { call } = this.#unwritten
    return call.call === 'write' && this.#makeRoom ? { ...call, args: [opened, call.args[1].slice()] } : call
  }

  /** Removes it. One that cannot be removed stays hidden, and is removed when it is stale. */
  async discard(): Promise<void> {
    // In use until it is removed, so that it cannot be resumed meanwhile.
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
    this.#closed ??= this.#fd ? this.#fd.then((fd) => this.#system.close(fd)) : Promise.resolve()
    return this.#closed
  }
}

const openFlags = fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK

/** A commit that was refused has left it with the mode of the file that it was to replace, which may be read-only. */
async function openHidden(system: DiskSystem, path: string): Promise<number> {
  const open = () => system.open(path, fs.constants.O_WRONLY | openFlags)
  try {
    return await open()
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
    const fd = await system.open(path, fs.constants.O_RDONLY | openFlags)
    await system.setMode(fd, createMode).finally(() => system.close(fd))
    return open()
  }
}

/** Returns a new hidden name, after its folder was added to the journal. Errors of the journal are ignored. */
export async function newHiddenName(context: DiskContext, folder: PathHandle, wanted?: string): Promise<string> {
  return (await newHidden(context, folder, wanted)).name
}

async function newHidden({ journal, strategy }: DiskContext, folder: PathHandle, wanted?: string) {
  const folderPath = await strategy.hostPathOf(folder).catch(() => undefined)
  if (folderPath !== undefined) await journal?.note(folderPath).catch(() => {})
  return { name: wanted ?? newTemporaryName(), folderPath }
}

/** Notes the folders at or below one that was moved again, so that temporary files that are left in them are found. @param from a path of the host */
export async function noteMoved({ journal }: DiskContext, from: string, to: string): Promise<void> {
  await journal?.moved?.(from, to).catch(() => {})
}

async function ignoringErrors(call: Promise<void>) {
  try {
    await call
  } catch {
    // The first error is reported; this one is ignored.
  }
}
