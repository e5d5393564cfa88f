// All uploads of the server that may break off and go on later. They outlive connections, pages, sessions and the server.
import { randomBytes } from 'node:crypto'
import { Ends } from '../base/ends.ts'
import { Failure } from '../base/failure.ts'
import { isWithin, joined, type Path, parsePath } from '../base/paths.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { VersionCondition } from '../files/version-condition.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import { FolderMoves, type FolderMovesParts } from './folder-moves.ts'
import { type Asker, Upload, type UploadParts } from './upload.ts'

/** Unfinished uploads of one person in their scope, those that are gone, and finished ones that are known for a day. */
const [mostUnfinished, mostGone, mostFinished] = [50, 50, 500]
/** Milliseconds by the clock that is not set, for which an end must be past before anything is removed: the other clock may be wrong. */
const certainAfter = 3600_000
/** Milliseconds for which the end of the server waits for what runs. */
const lastWait = 1000

type UploadsParts = Omit<UploadParts, 'onChange' | 'isMoving'> & Pick<FolderMovesParts, 'isThere'>

/** An upload that is asked for. */
export type UploadRequest = Readonly<{
  /** The person's own. */
  path: Path
  /** Bytes; undefined when they are said later. */
  length?: number | undefined
  /** A file with the name is replaced. */
  override: boolean
  condition: VersionCondition
  /** As it came. */
  metadata?: string | undefined
}>

export class Uploads {
  readonly #parts: UploadsParts
  readonly #uploadParts: UploadParts
  readonly #uploads = new Map<string, Upload>()
  readonly #ends: Ends
  readonly #certain = new Map<Upload, () => void>()
  /** How many are about to be added, by person. */
  readonly #beginning = new Map<number, number>()
  readonly folderMoves: FolderMoves
  #isClosed = false

  constructor(parts: UploadsParts) {
    this.#parts = parts
    this.#ends = new Ends(parts.clock)
    this.folderMoves = new FolderMoves({ ...parts, uploads: () => this.#uploads.values() })
    this.#uploadParts = {
      ...parts,
      onChange: (upload) => this.#onChange(upload),
      isMoving: (path) => this.folderMoves.isMoving(path),
    }
  }

  /** Reads what was kept. Call it once, before anything else. */
  async open(): Promise<void> {
    for (const record of await this.#parts.store.open()) this.#add(record)
    // A disk may not answer.
    for (const upload of this.#uploads.values()) void this.folderMoves.settle(upload)
  }

  /** Whether there is an upload with an id, finished or not. */
  has(id: string): boolean {
    return this.#uploads.has(id)
  }

  /**
   * Begins an upload, in place of one without bytes that was begun by the same request, whose answer may have been lost.
   * @param files of the person
   * @throws as `FileWriting.prepare`, Failure('tooMany')
   */
  async begin(asker: Asker, files: UserFiles, request: UploadRequest): Promise<Upload> {
    const { user } = asker.me
    const record = this.#recordOf(asker, request)
    const known = this.#sameAs(record)
    if (known?.record.length === 0) {
      // Of an empty one that has its name the answer was lost, or it was removed since.
      if (!known.isFinished || (await files.writing.isFinished(request.path, known.record.sealed ?? ''))) return known
    }
    // The answer was lost, or somebody else has it: two that send different content must not share one.
    else await known?.remove().catch(() => {})
    const count = this.#beginning.get(user.id) ?? 0
    const unfinished = this.of(user).filter((upload) => !upload.isFinished && !upload.isGone)
    if (unfinished.length + count >= mostUnfinished) throw new Failure('tooMany', 'too many uploads are unfinished')
    this.#beginning.set(user.id, count + 1)
    try {
      const made = [...(known?.record.made ?? []), ...(await files.writing.prepare(request.path, request, request.length))]
      return await this.#keep({ ...record, ...(made.length > 0 && { made }) })
    } finally {
      const others = (this.#beginning.get(user.id) ?? 1) - 1
      if (others > 0) this.#beginning.set(user.id, others)
      else this.#beginning.delete(user.id)
    }
  }

  /** Those of a person in their present scope, the newest first. */
  of({ id, scope }: Asker['me']['user']): Upload[] {
    const top = parsePath(scope)
    const own = [...this.#uploads.values()].filter(({ record }) => record.userId === id && isWithin(record.path as Path, top))
    return own.sort((one, other) => other.record.startedAt - one.record.startedAt)
  }

  /** @throws Failure('notFound') also for another person's */
  find(user: Asker['me']['user'], id: string): Upload {
    const found = this.#uploads.get(id)
    const isOwn = found?.record.userId === user.id && isWithin(found.record.path as Path, parsePath(user.scope))
    if (!found || !isOwn) throw new Failure('notFound')
    return found
  }

  /** The newest of a person at a path, also one that has finished. @throws Failure('notFound') */
  at(user: Asker['me']['user'], path: Path): Upload {
    const served = joined(parsePath(user.scope), path)
    const found = this.of(user).find(({ record }) => record.path === served)
    if (!found) throw new Failure('notFound')
    return found
  }

  /** Everybody who has uploads, by their ids. */
  persons(): number[] {
    return [...new Set([...this.#uploads.values()].map(({ record }) => record.userId))]
  }

  /** Ends the uploads of a person who is deleted. @returns when nothing of them is left */
  async removePerson(userId: number): Promise<void> {
    const own = [...this.#uploads.values()].filter(({ record }) => record.userId === userId)
    await Promise.all(own.map((upload) => upload.end()))
  }

  /** They are kept for another time than before. */
  lifeChanged(): void {
    for (const upload of this.#uploads.values()) this.#plan(upload)
  }

  /** The server is about to end: what has come is kept at once, as it may be killed soon. */
  stopReceiving(): void {
    for (const upload of this.#uploads.values()) upload.stopReceiving()
  }

  /** What has come is kept. @returns when nothing runs any more, or does not answer */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const upload of this.#uploads.values()) this.#unplan(upload)
    const ended = Promise.all([...this.#uploads.values()].map((upload) => upload.close()))
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, lastWait)
    await Promise.race([ended, promise])
    clearTimeout(timer)
  }

  #recordOf({ me: { user }, source }: Asker, request: UploadRequest): UploadRecord {
    const { path, length, override, condition, metadata } = request
    const now = this.#parts.clock.now()
    const served = joined(parsePath(user.scope), path)
    // The newest at a path is the last, also after the clock was set back.
    const [before = 0] = this.of(user).flatMap((upload) => (upload.record.path === served ? upload.record.startedAt : []))
    const match = condition.match && { match: listed(condition.match) }
    const noneMatch = condition.noneMatch && { noneMatch: listed(condition.noneMatch) }
    return {
      ...{ id: randomBytes(16).toString('hex'), userId: user.id, path: served },
      ...(length !== undefined && { length }),
      ...(override && { override }),
      ...((match || noneMatch) && { condition: { ...match, ...noneMatch } }),
      ...(metadata !== undefined && { metadata }),
      ...(source.actKey !== undefined && { actKey: source.actKey }),
      ...{ startedAt: Math.max(now, before + 1), changedAt: now, offset: 0, isCompared: true },
    }
  }

  /** One without bytes, or of none: of others equal names and lengths do not make equal content. */
  #sameAs(record: UploadRecord): Upload | undefined {
    const digest = digestOf(record)
    for (const upload of this.#uploads.values()) {
      const { userId, path, offset } = upload.record
      const isWithoutBytes = userId === record.userId && path === record.path && offset === 0 && !upload.isInUse && !upload.isGone
      if (isWithoutBytes && digestOf(upload.record) === digest) return upload
    }
    return undefined
  }

  async #keep(record: UploadRecord): Promise<Upload> {
    const upload = new Upload(this.#uploadParts, record)
    await upload.keep()
    this.#uploads.set(record.id, upload)
    this.#plan(upload)
    return upload
  }

  #add(record: UploadRecord) {
    const upload = new Upload(this.#uploadParts, record)
    this.#uploads.set(record.id, upload)
    this.#plan(upload)
  }

  #onChange(upload: Upload) {
    const { id } = upload.record
    if (!upload.isRemoved) {
      if (this.#uploads.get(id) === upload) this.#plan(upload)
      if (upload.isFinished) this.#endOldest(upload.record, (one) => one.isFinished, mostFinished)
      else if (upload.isGone) this.#endOldest(upload.record, (one) => one.isGone, mostGone)
      return
    }
    this.#unplan(upload)
    this.#uploads.delete(id)
    this.#endBefore(upload)
  }

  /** Who asks by the path about one that was removed is not told that an earlier one at that path has its name. */
  #endBefore({ record: { userId, path, startedAt } }: Upload) {
    for (const upload of this.#uploads.values()) {
      const { record } = upload
      const isBefore = record.userId === userId && record.path === path && record.startedAt < startedAt
      if (isBefore && upload.isFinished) upload.end().catch(this.#parts.report)
    }
  }

  #plan(upload: Upload) {
    // Who asks about one that is due does not put off its end.
    if (this.#certain.has(upload) && upload.isDue) return
    this.#unplan(upload)
    if (!this.#isClosed) this.#ends.set(upload, upload.dueAt, () => this.#endLater(upload))
  }

  #unplan(upload: Upload) {
    this.#ends.delete(upload)
    this.#certain.get(upload)?.()
    this.#certain.delete(upload)
  }

  #endLater(upload: Upload) {
    const end = () => {
      this.#certain.delete(upload)
      if (!upload.isDue || upload.isInUse) return this.#plan(upload)
      upload.end().catch((error: unknown) => {
        this.#parts.report(error)
        // Its disk may be back later.
        this.#plan(upload)
      })
    }
    this.#certain.set(upload, this.#parts.clock.after(certainAfter, end))
  }

  /** Of those of a person that do not count as unfinished. */
  #endOldest({ userId }: UploadRecord, isOfKind: (upload: Upload) => boolean, most: number) {
    const own = [...this.#uploads.values()].filter((upload) => upload.record.userId === userId && isOfKind(upload))
    if (own.length <= most) return
    const oldest = own.reduce((one, other) => (endedAt(other) < endedAt(one) ? other : one))
    if (!oldest.isInUse) oldest.end().catch(this.#parts.report)
  }
}

const endedAt = ({ record }: Upload) => record.finishedAt ?? record.changedAt

const listed = (versions: readonly string[] | 'any') => (versions === 'any' ? versions : [...versions])

/** Stands for what was asked for. */
function digestOf({ length, override, condition, metadata }: UploadRecord): string {
  return JSON.stringify([length, override, condition?.match, condition?.noneMatch, metadata])
}
