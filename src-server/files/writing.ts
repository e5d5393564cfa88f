// How the content of a file is written, at once or in the pieces of an unfinished upload, and what is told of it.
import { authorize, type Capability } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { noRules } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path, parentOf, rootPath } from '../base/paths.ts'
import { type BytesLeft, isOutOfSpace, type OnFullDisk, whileRoomIsMade } from '../base/room.ts'
import type { CommitHow, Disk, Entry, PendingWrite, TrashedItem } from '../disk/disk.ts'
import { newArchiveName, uploadName } from '../disk/temporary-names.ts'
import { isAsSealed, isPlaceholder } from '../disk/version.ts'
import type { FileAct } from '../events/events.ts'
import { noteFolder, noteLost, noteWritten } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { freeNameFrom } from './free-name.ts'
import { roomAt, whileReserved } from './room.ts'
import { checkVersion, type VersionCondition } from './version-condition.ts'
import { entryAt, type FileContext, keepingOf } from './walk.ts'

type Body = AsyncIterable<Uint8Array>

export type UploadHow = {
  /** An existing file is replaced. */
  override: boolean
  condition?: VersionCondition
  /** Of the body, where that is known before it arrives. */
  bytes?: number | undefined
}

export type WritingParts = Readonly<{
  context: FileContext
  /** Asks those who may refuse a change, before it begins. @param act with the paths of the principal @throws what they throw */
  ask(act: FileAct): Promise<void>
  /** Tells that a change has failed which was only prepared. */
  tellFailed(act: FileAct, error: unknown): Promise<void>
  /** Called when the content of a file has arrived, before the file gets its name. What it throws refuses it. */
  revalidate?: (() => void) | undefined
  /** Calls the listeners, and does the work with a context that takes the changes. @param act gets the paths in the principal's scope */
  announce<T>(act: FileAct, work: (context: FileContext) => Promise<T>, learned: (result: T) => Partial<FileAct>): Promise<T>
}>

/** `check` gets what has the name, and says how it may be replaced; `follows`: a link at the end of the path. */
type Put = Readonly<{
  kind: 'upload' | 'save'
  path: Path
  capability: Capability<'create' | 'modify'>
  follows: boolean
  bytes?: number | undefined
  /** Whether others' trash makes room for it: in vain where it is not known whether all of that is enough. */
  takesRoom?: boolean
  /** What is told of it; by default that the path was written to. */
  act?: FileAct
  made?: UnfinishedHow['made']
  check(taken: Entry | undefined): CommitHow
}>

/** Where the content comes from. `writeNew`: where the path led nowhere at the beginning. `left`: what is still to be written. */
type Content = Readonly<{
  onFullDisk: OnFullDisk
  left?: BytesLeft
  begin(onPresent: (taken: Entry | undefined) => void): Promise<PendingWrite>
  write(begun: PendingWrite, how: CommitHow): Promise<Entry>
  writeNew?(doing: FileContext, how: CommitHow): Promise<Entry>
  release(begun: PendingWrite): Promise<void>
}>

/** The content of an unfinished upload. Its opener closes it. */
export type UnfinishedContent = PendingWrite

type UnfinishedHow = Readonly<{
  /** That of the upload. */
  id: string
  /** Bytes of the whole. What lies behind them is no part of it. */
  bytes: number
  /** See `CommitHow`. */
  onSealed(version: string): Promise<void>
  /** What identifies the folders that were made for it: they are a part of the change. */
  made?: readonly string[] | undefined
  /** What `onSealed` was told in a commit that a kill has broken off: what that has left under the name is replaced. */
  sealedBefore?: string | undefined
}>

type OpenUnfinishedHow = Pick<UnfinishedHow, 'id'> & Readonly<{ isNew: boolean; isNameDurable: boolean }>

type MakeHow = Pick<UnfinishedHow, 'onSealed'> & Pick<FileAct, 'kind' | 'path'>

export class FileWriting {
  readonly #parts: WritingParts

  constructor(parts: WritingParts) {
    this.#parts = parts
  }

  /** @throws as `UserFiles.upload` */
  async upload(path: Path, body: Body, how: UploadHow): Promise<Entry> {
    const put = this.#toUpload(path, how)
    return this.#put(put, this.#fromBody(body, put))
  }

  /** @throws as `UserFiles.save` */
  async save(path: Path, body: Body, { condition = {}, bytes }: Omit<UploadHow, 'override'>): Promise<Entry> {
    const capability = authorize(this.#parts.context.principal, 'modify', path)
    const check = (taken: Entry | undefined) => {
      if (!taken) throw new Failure('notFound')
      if (taken.isDir) throw new Failure('conflict', 'a folder cannot be written to')
      return { replace: true, ifVersion: checkVersion(condition, taken) }
    }
    const put = { kind: 'save', path, capability, follows: true, bytes, check } as const
    return this.#put(put, this.#fromBody(body, put))
  }

  /**
   * Gives the content of an unfinished upload its name. It keeps its hidden name when that is refused.
   * @throws as `upload`, and Failure('notFound') when the content is not there, or has another name already
   */
  async finish(path: Path, how: UploadHow & UnfinishedHow): Promise<Entry> {
    const put = this.#toUpload(path, how)
    const { disk, signal } = this.#parts.context
    const { onSealed, sealedBefore, bytes, made } = how
    const check = (taken: Entry | undefined) => {
      const isOwn = taken && !taken.isDir && sealedBefore !== undefined && isPlaceholder(taken, sealedBefore)
      return isOwn ? { replace: true, ifVersion: taken.version } : put.check(taken)
    }
    return this.#put(
      { ...put, check, made },
      {
        onFullDisk: { makeRoom: roomAt(this.#parts.context, path) },
        begin: (onPresent) => disk.resumeWrite(put.capability, { ...this.#opening(path, how), check: onPresent }, signal),
        write: async (begun, allowed) => {
          if (begun.isNamed || begun.size < bytes) throw new Failure('notFound')
          await begun.truncate(bytes)
          this.#parts.revalidate?.()
          return begun.commit(put.capability, { ...allowed, onSealed })
        },
        release: (begun) => begun.close(),
      },
    )
  }

  /**
   * Writes a new archive, which the server makes itself. What a kill leaves of it goes at the next start. @param of what is told of it
   * @throws Failure('conflict') when the name is taken
   */
  make(path: Path, content: Body, { onSealed, ...act }: MakeHow): Promise<Entry> {
    const upload = this.#toUpload(path, { override: false })
    const check = (taken: Entry | undefined) => ({ ...upload.check(taken), onSealed })
    const put = { ...upload, check, act: { ...act, to: path, isDir: false }, takesRoom: false }
    return this.#put(put, this.#fromBody(content, put, { name: newArchiveName() }))
  }

  /** See `freeNameFrom`. */
  freeName(path: Path, from: number): Promise<{ path: Path; number: number }> {
    return freeNameFrom(this.#parts.context, path, from)
  }

  /** Whether the file at a path is what `finish` has named, or was about to. @param sealed what `onSealed` was told */
  async isFinished(path: Path, sealed: string): Promise<boolean> {
    const entry = await entryAt(this.#parts.context, path)
    return entry !== undefined && !entry.isDir && isAsSealed(entry, sealed)
  }

  /**
   * Opens the content of an unfinished upload, or makes it. What is not synced may be lost.
   * @throws Failure('notFound') when there is none, or no folder for it, Failure('busy') while it is open
   */
  openUnfinished(path: Path, how: UploadHow & OpenUnfinishedHow): Promise<UnfinishedContent> {
    const { capability } = this.#toUpload(path, how)
    const { disk } = this.#parts.context
    const opening = { ...this.#opening(path, how), isNameDurable: how.isNameDurable }
    // Without a signal: what has come is synced also when nobody waits for the answer any more.
    return how.isNew ? disk.beginWrite(capability, opening) : disk.resumeWrite(capability, opening)
  }

  /**
   * Checks what would refuse an upload at this moment, and makes the folders that are missing.
   * @param how.mayBeTaken it will get another name where its own is taken
   * @param bytes that will be written, where it is known
   * @returns what identifies these folders: they are no change of the person yet
   * @throws as `upload`, Failure('full') when there is no space for them
   */
  async prepare(path: Path, { mayBeTaken = false, ...how }: UploadHow & { mayBeTaken?: boolean }, bytes = 0): Promise<string[]> {
    const { context, ask } = this.#parts
    const put = this.#toUpload(path, how)
    const check = mayBeTaken ? () => {} : put.check
    check(await entryAt(context, path))
    const makeRoom = roomAt(context, path)
    const look = async () => {
      if (!(await this.#hasSpace(path, bytes))) throw outOfSpace()
    }
    try {
      await whileRoomIsMade(look, makeRoom && ((isAgain) => makeRoom(bytes, isAgain)))
    } catch (error) {
      await this.lacksSpace(path, bytes, error)
      throw error
    }
    await ask({ kind: 'upload', path, isDir: false })
    const made: string[] = []
    const note: FileContext['note'] = (change) => void ('trace' in change && made.push(change.trace.identity))
    await ensureFolder({ ...context, note }, parentOf(path))
    // In a folder that was missing no name is refused: it may be reserved, or too long for the disk.
    check(await entryAt(context, path))
    return made.filter((identity) => identity !== '')
  }

  /** @throws Failure('forbidden') when the person may not upload to a path at all, or its name is reserved */
  async assertMayUpload(path: Path): Promise<void> {
    const { context } = this.#parts
    authorize(context.principal, 'create', path)
    await entryAt(context, path)
  }

  /** Tells that an upload has failed because the disk is full. @param bytes that are still to be written */
  async lacksSpace(path: Path, bytes: number, error: unknown): Promise<void> {
    if (!(error instanceof Failure) || !isOutOfSpace(error.cause)) return
    await this.#parts.tellFailed({ kind: 'upload', path, isDir: false, bytes }, error)
  }

  /** By the nearest folder that is there. */
  async #hasSpace(path: Path, bytes: number): Promise<boolean> {
    if (bytes === 0) return true
    const { context } = this.#parts
    let folder = parentOf(path)
    while (folder !== rootPath && !(await entryAt(context, folder))) folder = parentOf(folder)
    const { total, free } = await context.disk.usage(authorize(context.principal, 'read', folder), context.signal)
    // Of some file systems nothing is known.
    return total === 0 || bytes <= free
  }

  #opening(path: Path, { id, override }: UploadHow & Pick<UnfinishedHow, 'id'>) {
    const makeRoom = roomAt(this.#parts.context, path)
    return { replace: override, resumable: true, forLater: true, name: uploadName(id), makeRoom }
  }

  #toUpload(path: Path, { override, condition = {}, bytes }: UploadHow): Put {
    const { principal } = this.#parts.context
    const capability = authorize(principal, 'create', path)
    // Without the permission to modify, a file that was created meanwhile must not be replaced.
    const replace = override && principal.permissions.modify
    const check = (taken: Entry | undefined) => {
      const ifVersion = checkVersion(condition, taken)
      if (taken && (!override || taken.isDir)) throw new Failure('conflict', 'the name is taken')
      if (taken) authorize(principal, 'modify', path)
      return { replace, ifVersion }
    }
    return { kind: 'upload', path, capability, follows: override, bytes, check }
  }

  /** The content is written where the path leads at the beginning. Where it leads nowhere yet, folders are made. */
  #fromBody(body: Body, put: Put, hidden: Readonly<{ name?: string }> = {}): Content {
    const { kind, path, capability, follows, bytes = 0, takesRoom = true } = put
    const { context, revalidate } = this.#parts
    const { disk, signal } = context
    const content = revalidated(body, revalidate)
    const left = { bytes }
    const onWritten = (written: number) => {
      left.bytes -= written
    }
    const onFullDisk = { makeRoom: takesRoom ? roomAt(context, path, left) : undefined, onWritten }
    return {
      onFullDisk,
      left,
      begin: (onPresent) => disk.beginWrite(capability, { replace: follows, check: onPresent, ...hidden, ...onFullDisk }, signal),
      write: (begun, allowed) => begun.append(content, { offset: 0 }).then(() => begun.commit(capability, allowed)),
      writeNew: async (doing, allowed) => {
        if (kind === 'upload') await ensureFolder(doing, parentOf(path))
        return disk.write(capability, content, { ...allowed, ...hidden }, signal)
      },
      release: (begun) => begun.discard(),
    }
  }

  /** Looks at the path once: what the check allows is written where it led. */
  async #put(
    { kind, path, check, act = { kind, path, isDir: false }, made = [] }: Put,
    { onFullDisk, left, begin, write, writeNew, release }: Content,
  ): Promise<Entry> {
    const { context, announce } = this.#parts
    const { principal, trash } = context
    let how: CommitHow | undefined
    let replaced: Entry | undefined
    const onPresent = (taken: Entry | undefined) => {
      how = check(taken)
      replaced = taken
    }
    // What fails after the check fails again below, where the listeners are told.
    const begun = await begin(onPresent).catch((error: unknown) => {
      if (writeNew && (how || isMissing(error))) return undefined
      throw error
    })
    const save = trash?.trash.saves.begin(principal.userId, kind === 'save')
    let item: TrashedItem | undefined
    const onKept = (kept: TrashedItem) => {
      item = kept
      save?.kept()
    }
    const keeping = keepingOf(context, path, { onKept, unlessVersion: save?.unlessVersion })
    const allowed = { ...(how ?? check(undefined)), ...keeping, ...onFullDisk }
    const writeNoted = async (doing: FileContext) => {
      const entry = begun ? await write(begun, allowed) : await (writeNew as NonNullable<typeof writeNew>)(doing, allowed)
      const isAgain = replaced !== undefined && replaced.version === save?.unlessVersion
      const again = isAgain ? save?.unlessVersion : undefined
      for (const folder of await foldersMade(doing, path, made)) await noteFolder(doing, folder)
      if (entry.isSymlink) noteLost(doing, path, 'throughLink')
      else await noteWritten(doing, entry, { isTaken: replaced !== undefined, item, again })
      return entry
    }
    try {
      const work = () => announce(act, writeNoted, written)
      const entry = await whileReserved(context, path, { left, work })
      save?.end(entry.version)
      return entry
    } finally {
      if (begun) await release(begun)
    }
  }
}

/** The folders above a path that were made for it, the highest first. @param made what identifies them */
async function foldersMade({ principal, disk }: FileContext, path: Path, made: readonly string[]): Promise<Path[]> {
  const found: Path[] = []
  try {
    for (let at = parentOf(path); found.length < made.length && at !== rootPath; at = parentOf(at)) {
      if (!made.includes(await disk.identify(authorize(principal, 'read', at)))) break
      found.unshift(at)
    }
  } catch {
    // The file has its name all the same.
  }
  return found
}

/** The server itself, which removes what is due. */
export const unfinishedOwner: Principal = {
  ...{ userId: 0, name: '', scope: rootPath, base: rootPath, rules: noRules },
  permissions: { ...noPermissions, create: true },
}

/** Whether the content of an unfinished upload is at a path. @param disk of the served root */
export async function isUnfinishedAt(disk: Disk, at: UnfinishedAt): Promise<boolean> {
  try {
    await (await openHidden(disk, at)).close()
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Whether the file at a path is what a commit has named. @param disk of the served root @param at.sealed what `onSealed` was told */
export async function isNamedAt(disk: Disk, { path, sealed }: { path: string; sealed: string }): Promise<boolean> {
  const context = { principal: unfinishedOwner, disk, signal: new AbortController().signal }
  const entry = await entryAt(context, path as Path)
  return entry !== undefined && !entry.isDir && isAsSealed(entry, sealed)
}

/**
 * Removes the content of an unfinished upload; of one that has another name too, the hidden one. What cannot be reached by its path any
 * more is removed when it is stale.
 * @param disk of the served root @returns whether it was there
 */
export async function discardUnfinished(disk: Disk, at: UnfinishedAt): Promise<boolean> {
  // What has the name by now may be a link out, or one that leads nowhere: then the content is looked for in the folder of the name.
  const inFolder = { id: at.id, path: childOf(parentOf(at.path as Path), at.id) }
  for (const one of [at, inFolder]) {
    try {
      await (await openHidden(disk, one)).discard()
      return true
    } catch (error) {
      if (!(error instanceof Failure) || !unreachable.includes(error.code)) throw error
    }
  }
  return false
}

const unreachable: readonly string[] = ['notFound', 'forbidden', 'conflict', 'invalid']

function openHidden(disk: Disk, { path, id, override = false }: UnfinishedAt): Promise<PendingWrite> {
  const how = { replace: override, resumable: true, forLater: true, name: uploadName(id) }
  return disk.resumeWrite(authorize(unfinishedOwner, 'create', path as Path), how)
}

/** Its path is that of the served root. */
type UnfinishedAt = Readonly<{ path: string; id: string; override?: boolean | undefined }>

/** The fields of an event from a written file. */
const written = ({ size }: Entry) => ({ bytes: size })

/** The same content. What is withdrawn while it arrives is noticed before the file gets its name. @param revalidate throws when it was */
async function* revalidated(body: Body, revalidate: () => void = () => {}): AsyncGenerator<Uint8Array, void, undefined> {
  yield* body
  revalidate()
}

const isMissing = (error: unknown) => error instanceof Failure && error.code === 'notFound'

const outOfSpace = () => {
  const cause = Object.assign(new Error('ENOSPC: less is free than the upload needs'), { code: 'ENOSPC' })
  return new Failure('full', 'no space is left', { cause })
}
