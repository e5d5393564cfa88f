// All uploads of the server that may break off and go on later. They outlive connections, pages, sessions and the server.
import { randomBytes } from 'node:crypto'
import { Ends } from '../base/ends.ts'
import { Failure } from '../base/failure.ts'
import { isWithin, type Path } from '../base/paths.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { VersionCondition } from '../files/version-condition.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import type { Asker } from './asker.ts'
import { FolderMoves, type FolderMovesParts } from './folder-moves.ts'
import { endOf, type KnownMost, OverUploads } from './over-uploads.ts'
import { Upload, type UploadParts } from './upload.ts'

/** Milliseconds by the clock that is not set, for which an end must be past before anything is removed: the other clock may be wrong. */
const certainAfter = 3600_000
/** Uploads that are ended at a time. */
const endsAtOnce = 8
/** Milliseconds for which the end of the server waits for what runs. */
const lastWait = 1000

export type UploadsParts = Omit<UploadParts, 'onChange' | 'isMoving' | 'isPassing'> &
  Pick<FolderMovesParts, 'isThere'> & {
    /** Whether one that was refused at its end is removed: nobody can give it another name. */
    isGivenUp?(refused: NonNullable<UploadRecord['refused']>): boolean
    /** Whose an upload is: see `Asker`. */
    keyOf(record: UploadRecord): string
    /** Who has uploads, of several keys perhaps: where all of them have too many, those of who has the most go. */
    holderOf(record: UploadRecord): string
    /** `unfinished`: of one key, those that the asker may reach. */
    most: KnownMost & Readonly<{ unfinished: number }>
  }

/** An upload that is asked for. */
export type UploadRequest = Readonly<{
  /** The asker's own. */
  path: Path
  /** Bytes; undefined when they are said later. */
  length?: number | undefined
  /** A file with the name is replaced. */
  override: boolean
  condition: VersionCondition
  /** As it came. */
  metadata?: string | undefined
  /** Of a file that somebody sends by a request link. */
  request?: UploadRecord['request']
  /** Whether all of it comes with this request. */
  isWhole?: boolean
  /** Called as soon as it is among the uploads; never when an equal request had begun it. When it throws, the upload ends. */
  onKept?(): void
}>

export class Uploads {
  readonly #parts: UploadsParts
  readonly #uploadParts: UploadParts
  readonly #uploads = new Map<string, Upload>()
  /** Finished ones are known for long, and may be many more than those of one key, and than those that are not. */
  readonly #byKey = new Map<string, Set<Upload>>()
  readonly #unfinished = new Set<Upload>()
  readonly #ends: Ends
  readonly #certain = new Map<Upload, () => void>()
  readonly #over: OverUploads
  /** How many are about to be added, by key. */
  readonly #beginning = new Map<string, number>()
  /** Requests with one nonce. */
  readonly #equal = new SerialQueue()
  readonly folderMoves: FolderMoves
  #isClosed = false

  constructor(parts: UploadsParts) {
    this.#parts = parts
    this.#ends = new Ends(parts.clock)
    this.#over = new OverUploads({ ...parts, ofKey: (key) => this.#ofKey(key) })
    this.folderMoves = new FolderMoves({ ...parts, uploads: () => this.#uploads.values() })
    this.#uploadParts = {
      ...parts,
      onChange: (upload) => this.#onChange(upload),
      isMoving: (path) => this.folderMoves.isMoving(path),
      isPassing: (path) => this.folderMoves.isPassing(path),
    }
  }

  /** Reads what was kept. Call it once, before anything else. */
  async open(): Promise<void> {
    const records = await this.#parts.store.open()
    for (const record of records.sort(byEnd)) this.#add(new Upload(this.#uploadParts, record))
    // A disk may not answer.
    const settled = new Map([...this.#uploads.values()].map((upload) => [upload, this.folderMoves.settle(upload)]))
    // A kill came when its folder was back. Of those of a request link more is known before they are ended.
    const left = this.all(({ ended, request }) => ended === true && !request)
    void this.#endAll(left, (upload) => settled.get(upload))
  }

  /** Whether there is an upload with an id, finished or not. */
  has(id: string): boolean {
    return this.#uploads.has(id)
  }

  /**
   * Begins an upload, in place of one without bytes that was begun by the same request, whose answer may have been lost.
   * @param files of the asker
   * @throws as `FileWriting.prepare`, Failure('tooMany')
   */
  begin(asker: Asker, files: UserFiles, request: UploadRequest): Promise<Upload> {
    const record = this.#recordOf(asker, request)
    // Of two equal requests at once the later finds what the first has begun.
    if (hasNonce(record)) return this.#equal.run(() => this.#begin(asker, files, request, record), equalKey(asker, record))
    return this.#begin(asker, files, request, record)
  }

  async #begin(asker: Asker, files: UserFiles, request: UploadRequest, record: UploadRecord): Promise<Upload> {
    const { key } = asker
    const known = this.#sameAs(record)
    if (known?.record.request && (await this.#staysFor(known, request))) return known
    if (known?.record.length === 0) {
      // Of an empty one that has its name the answer was lost, or it was removed since.
      if (!known.isFinished || (await files.writing.isFinished(request.path, known.record.sealed ?? ''))) return known
    }
    // The answer was lost, or somebody else has it: two that send different content must not share one.
    else await known?.remove().catch(() => {})
    const count = this.#beginning.get(key) ?? 0
    const unfinished = this.of(asker).filter((upload) => !upload.isFinished && !upload.isGone)
    if (unfinished.length + count >= this.#parts.most.unfinished) throw new Failure('tooMany', 'too many uploads are unfinished')
    this.#beginning.set(key, count + 1)
    try {
      const mayBeTaken = this.#parts.numbers !== undefined
      const how = { ...request, mayBeTaken }
      const made = [...(known?.record.made ?? []), ...(await files.writing.prepare(request.path, how, request.length))]
      const upload = await this.#keep({ ...record, ...(made.length > 0 && { made }) })
      try {
        request.onKept?.()
      } catch (error) {
        await upload.end()
        throw error
      }
      return upload
    } finally {
      const others = (this.#beginning.get(key) ?? 1) - 1
      if (others > 0) this.#beginning.set(key, others)
      else this.#beginning.delete(key)
    }
  }

  /** Those of an asker that they may reach, the newest first. */
  of(asker: Asker): Upload[] {
    const own = [...this.#ofKey(asker.key)].filter((upload) => this.#isOwn(asker, upload))
    return own.sort((one, other) => other.record.startedAt - one.record.startedAt)
  }

  /** @throws Failure('notFound') also for somebody else's */
  find(asker: Asker, id: string): Upload {
    const found = this.#uploads.get(id)
    if (!found || !this.#isOwn(asker, found)) throw new Failure('notFound')
    return found
  }

  /** The newest of an asker at a path, also one that has finished. @throws Failure('notFound') */
  at(asker: Asker, path: Path): Upload {
    const served = asker.servedOf(path)
    const found = this.of(asker).find(({ record }) => record.path === served)
    if (!found) throw new Failure('notFound')
    return found
  }

  /** All that are wanted, of everybody. */
  all(isWanted: (record: UploadRecord) => boolean): Upload[] {
    return wantedOf(this.#uploads.values(), isWanted)
  }

  /** Those of them that have no name yet. */
  unfinished(isWanted: (record: UploadRecord) => boolean): Upload[] {
    return wantedOf(this.#unfinished, isWanted)
  }

  /** Everybody who has uploads, by their ids. */
  persons(): number[] {
    return [...new Set([...this.#uploads.values()].map(({ record }) => record.userId))]
  }

  /** Ends the uploads of a person who is deleted. @returns when they have ended: of one in the trash the record stays */
  async removePerson(userId: number): Promise<void> {
    const own = [...this.#uploads.values()].filter(({ record }) => record.userId === userId)
    await Promise.all(own.map((upload) => upload.end()))
  }

  /** They are kept for another time than before. */
  lifeChanged(): void {
    for (const upload of this.#uploads.values()) this.#plan(upload)
  }

  /** Ends those of which nothing but the content was left in the trash. @param folder of the served root that has come back, or is gone */
  readonly endLeft = (folder: Path): Promise<void> =>
    this.#endAll(this.all(({ ended, path }) => ended === true && isWithin(path as Path, folder)))

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

  /** Some at a time: each opens folders, and may look into the trash. Never rejects. @param ready resolves when one can be ended */
  async #endAll(uploads: readonly Upload[], ready?: (upload: Upload) => Promise<void> | undefined): Promise<void> {
    const left = [...uploads]
    const next = async (): Promise<void> => {
      for (let upload = left.pop(); upload; upload = left.pop()) {
        await ready?.(upload)
        await upload.end().catch(this.#parts.report)
      }
    }
    await Promise.all(Array.from({ length: endsAtOnce }, next))
  }

  #isOwn({ key, pathOf }: Asker, { record }: Upload): boolean {
    return this.#parts.keyOf(record) === key && record.ended === undefined && pathOf(record) !== undefined
  }

  #recordOf(asker: Asker, request: UploadRequest): UploadRecord {
    const { userId, source, servedOf } = asker
    const { path, length, override, condition, metadata, request: sent } = request
    const now = this.#parts.clock.now()
    const served = servedOf(path)
    // The newest at a path is the last, also after the clock was set back.
    const [before = 0] = this.of(asker).flatMap((upload) => (upload.record.path === served ? upload.record.startedAt : []))
    const match = condition.match && { match: listed(condition.match) }
    const noneMatch = condition.noneMatch && { noneMatch: listed(condition.noneMatch) }
    return {
      ...{ id: randomBytes(16).toString('hex'), userId, path: served },
      ...(length !== undefined && { length }),
      ...(override && { override }),
      ...((match || noneMatch) && { condition: { ...match, ...noneMatch } }),
      ...(metadata !== undefined && { metadata }),
      ...(sent && { request: sent }),
      ...(source.actKey !== undefined && { actKey: source.actKey }),
      ...{ startedAt: Math.max(now, before + 1), changedAt: now, offset: 0, isCompared: true },
    }
  }

  /**
   * One without bytes, or of none: of others equal names and lengths do not make equal content. Of files that are sent by a request link
   * not even without bytes: they are the same by what their client has made up for them.
   */
  #sameAs(record: UploadRecord): Upload | undefined {
    if (record.request) return this.#withNonceOf(record)
    const digest = digestOf(record)
    const key = this.#parts.keyOf(record)
    for (const upload of this.#ofKey(key)) {
      const { path, offset } = upload.record
      if (path === record.path && offset === 0 && !upload.isInUse && !upload.isGone && digestOf(upload.record) === digest)
        return upload
    }
    return undefined
  }

  #withNonceOf(record: UploadRecord): Upload | undefined {
    if (!hasNonce(record)) return undefined
    const { request } = record
    const digest = digestOf(record)
    return [...this.#ofKey(this.#parts.keyOf(record))].find(({ record: other, isGone }) => {
      return other.request?.name === request?.name && !isGone && digestOf(other) === digest
    })
  }

  /**
   * Whether what is known of a file that is sent by a request link is gone on with. Not when all of it comes anew: then no answer has come
   * to the request that brought a part of it, or still seems to. @throws as `Upload.remove`
   */
  async #staysFor(known: Upload, { isWhole = false }: UploadRequest): Promise<boolean> {
    if (!isWhole || (known.record.offset === 0 && !known.isReceiving)) return true
    if (!known.isComplete && !known.isFinished) {
      await known.remove().catch((error: unknown) => {
        if (!known.isFinished && !known.isRemoved) throw error
      })
    }
    return !known.isRemoved
  }

  async #keep(record: UploadRecord): Promise<Upload> {
    const upload = new Upload(this.#uploadParts, record)
    await upload.keep()
    this.#add(upload)
    return upload
  }

  #add(upload: Upload) {
    const key = this.#parts.keyOf(upload.record)
    this.#uploads.set(upload.record.id, upload)
    this.#byKey.set(key, (this.#byKey.get(key) ?? new Set<Upload>()).add(upload))
    if (upload.isFinished) this.#over.add(upload)
    else this.#unfinished.add(upload)
    this.#plan(upload)
  }

  #forget(upload: Upload) {
    const key = this.#parts.keyOf(upload.record)
    this.#uploads.delete(upload.record.id)
    this.#unfinished.delete(upload)
    this.#over.delete(upload)
    const own = this.#byKey.get(key)
    own?.delete(upload)
    if (own?.size === 0) this.#byKey.delete(key)
  }

  #ofKey(key: string): Iterable<Upload> {
    return this.#byKey.get(key) ?? []
  }

  #onChange(upload: Upload) {
    const { id } = upload.record
    if (!upload.isRemoved) {
      if (this.#uploads.get(id) === upload) this.#plan(upload)
      if (upload.isFinished) this.#unfinished.delete(upload)
      if (!this.#isClosed) this.#over.changed(upload)
      this.#endRefused(upload)
      return
    }
    this.#unplan(upload)
    this.#forget(upload)
    this.#endBefore(upload)
  }

  #endRefused(upload: Upload) {
    const { refused } = upload.record
    // Whoever has it now is told first.
    if (!refused || upload.isFinished || upload.isEnded || upload.isInUse || this.#isClosed) return
    if (this.#parts.isGivenUp?.(refused)) upload.end().catch(this.#parts.report)
  }

  /** Who asks by the path about one that was removed is not told that an earlier one at that path has its name. */
  #endBefore({ record: { path, startedAt, ...record } }: Upload) {
    // Senders ask by the id alone, and may have several files of one name.
    if (record.request) return
    const key = this.#parts.keyOf({ ...record, path, startedAt })
    for (const upload of this.#ofKey(key)) {
      const { record: other } = upload
      const isBefore = other.path === path && other.startedAt < startedAt
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
}

function wantedOf(uploads: Iterable<Upload>, isWanted: (record: UploadRecord) => boolean): Upload[] {
  const found: Upload[] = []
  for (const upload of uploads) if (isWanted(upload.record)) found.push(upload)
  return found
}

const byEnd = (one: UploadRecord, other: UploadRecord) => endOf(one) - endOf(other)

/** What the client of a sender has made up for a file. */
const hasNonce = ({ request, metadata = '' }: UploadRecord) =>
  request !== undefined && /(^|,) *nonce [A-Za-z0-9+/=]+/.test(metadata)

const equalKey = ({ key }: Asker, record: UploadRecord) => JSON.stringify([key, record.request?.name, digestOf(record)])

const listed = (versions: readonly string[] | 'any') => (versions === 'any' ? versions : [...versions])

/** Stands for what was asked for. */
function digestOf({ length, override, condition, metadata }: UploadRecord): string {
  return JSON.stringify([length, override, condition?.match, condition?.noneMatch, metadata])
}
