// How the content of a file is written, at once or in the pieces of an unfinished upload, and what is told of it.
import { authorize, type Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import type { CommitHow, Entry, PendingWrite, TrashedItem } from '../disk/disk.ts'
import { uploadName } from '../disk/temporary-names.ts'
import type { FileAct } from '../events/events.ts'
import { noteLost, noteWritten } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { checkVersion, type VersionCondition } from './version-condition.ts'
import { entryAt, type FileContext, keepingOf } from './walk.ts'

type Body = AsyncIterable<Uint8Array>

export type UploadHow = {
  /** An existing file is replaced. */
  override: boolean
  condition?: VersionCondition
}

export type WritingParts = Readonly<{
  context: FileContext
  /** Asks those who may refuse a change, before it begins. @param act with the paths of the principal @throws what they throw */
  ask(act: FileAct): Promise<void>
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
  check(taken: Entry | undefined): CommitHow
}>

/** Where the content comes from. `writeNew`: where the path led nowhere at the beginning. */
type Content = Readonly<{
  begin(onPresent: (taken: Entry | undefined) => void): Promise<PendingWrite>
  write(begun: PendingWrite, how: CommitHow): Promise<Entry>
  writeNew?(doing: FileContext, how: CommitHow): Promise<Entry>
  release(begun: PendingWrite): Promise<void>
}>

type UnfinishedHow = Readonly<{
  /** That of the upload. */
  id: string
  /** See `CommitHow`. */
  onSealed(version: string): Promise<void>
  /** Whether what has the name is what a commit has left that was broken off. */
  mayReplace?(taken: Entry): boolean
}>

export class FileWriting {
  readonly #parts: WritingParts

  constructor(parts: WritingParts) {
    this.#parts = parts
  }

  /** @throws as `UserFiles.upload` */
  upload(path: Path, body: Body, how: UploadHow): Promise<Entry> {
    const put = this.#toUpload(path, how)
    return this.#put(put, this.#fromBody(body, put))
  }

  /** @throws as `UserFiles.save` */
  save(path: Path, body: Body, condition: VersionCondition): Promise<Entry> {
    const capability = authorize(this.#parts.context.principal, 'modify', path)
    const check = (taken: Entry | undefined) => {
      if (!taken) throw new Failure('notFound')
      if (taken.isDir) throw new Failure('conflict', 'a folder cannot be written to')
      return { replace: true, ifVersion: checkVersion(condition, taken) }
    }
    const put = { kind: 'save', path, capability, follows: true, check } as const
    return this.#put(put, this.#fromBody(body, put))
  }

  /**
   * Gives the content of an unfinished upload its name. It keeps its hidden name when that is refused.
   * @throws as `upload`, and Failure('notFound') when there is no content
   */
  finish(path: Path, how: UploadHow & UnfinishedHow): Promise<Entry> {
    const put = this.#toUpload(path, how)
    const { disk, signal } = this.#parts.context
    const { onSealed, mayReplace } = how
    const check = (taken: Entry | undefined) =>
      taken && mayReplace?.(taken) ? { replace: true, ifVersion: taken.version } : put.check(taken)
    return this.#put(
      { ...put, check },
      {
        begin: (onPresent) => disk.resumeWrite(put.capability, { ...this.#opening(how), check: onPresent }, signal),
        write: async (begun, allowed) => {
          this.#parts.revalidate?.()
          return begun.commit(put.capability, { ...allowed, onSealed })
        },
        release: (begun) => begun.close(),
      },
    )
  }

  /**
   * Opens the content of an unfinished upload, which its opener closes.
   * @param how.isNew it is made @param signal ends what is written; what came until then stays
   * @throws Failure('notFound') when there is none, Failure('busy') while it is open
   */
  openUnfinished(path: Path, how: UploadHow & Pick<UnfinishedHow, 'id'> & { isNew: boolean }, signal: AbortSignal) {
    const { capability } = this.#toUpload(path, how)
    const { disk } = this.#parts.context
    const opening = this.#opening(how)
    return how.isNew ? disk.beginWrite(capability, opening, signal) : disk.resumeWrite(capability, opening, signal)
  }

  /** Checks what would refuse an upload at this moment, and makes the folders that are missing. @throws as `upload` */
  async prepare(path: Path, how: UploadHow): Promise<void> {
    const { context } = this.#parts
    const { check } = this.#toUpload(path, how)
    check(await entryAt(context, path))
    await this.#parts.ask({ kind: 'upload', path, isDir: false })
    await ensureFolder(context, parentOf(path))
  }

  #opening({ id, override }: UploadHow & Pick<UnfinishedHow, 'id'>) {
    return { replace: override, resumable: true, forLater: true, name: uploadName(id) }
  }

  #toUpload(path: Path, { override, condition = {} }: UploadHow): Put {
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
    return { kind: 'upload', path, capability, follows: override, check }
  }

  /** The content is written where the path leads at the beginning. Where it leads nowhere yet, folders are made. */
  #fromBody(body: Body, { kind, path, capability, follows }: Put): Content {
    const { context, revalidate } = this.#parts
    const { disk, signal } = context
    const content = revalidated(body, revalidate)
    return {
      begin: (onPresent) => disk.beginWrite(capability, { replace: follows, check: onPresent }, signal),
      write: (begun, allowed) => begun.append(content, { offset: 0 }).then(() => begun.commit(capability, allowed)),
      writeNew: async (doing, allowed) => {
        if (kind === 'upload') await ensureFolder(doing, parentOf(path))
        return disk.write(capability, content, allowed, signal)
      },
      release: (begun) => begun.discard(),
    }
  }

  /** Looks at the path once: what the check allows is written where it led. */
  async #put({ kind, path, check }: Put, { begin, write, writeNew, release }: Content): Promise<Entry> {
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
    const allowed = { ...(how ?? check(undefined)), ...keeping }
    const writeNoted = async (doing: FileContext) => {
      const entry = begun ? await write(begun, allowed) : await (writeNew as NonNullable<typeof writeNew>)(doing, allowed)
      const isAgain = replaced !== undefined && replaced.version === save?.unlessVersion
      const again = isAgain ? save?.unlessVersion : undefined
      if (entry.isSymlink) noteLost(doing, path, 'throughLink')
      else await noteWritten(doing, entry, { isTaken: replaced !== undefined, item, again })
      return entry
    }
    try {
      const entry = await announce({ kind, path, isDir: false }, writeNoted, written)
      save?.end(entry.version)
      return entry
    } finally {
      if (begun) await release(begun)
    }
  }
}

/** The fields of an event from a written file. */
const written = ({ size }: Entry) => ({ bytes: size })

/**
 * The same content. What is withdrawn while it arrives is noticed before the file gets its name.
 * @param revalidate throws when the file may no longer be written
 */
async function* revalidated(body: Body, revalidate: () => void = () => {}): AsyncGenerator<Uint8Array, void, undefined> {
  yield* body
  revalidate()
}

function isMissing(error: unknown) {
  return error instanceof Failure && error.code === 'notFound'
}
