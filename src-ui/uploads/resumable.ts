// Uploads of large files, which break off and go on. A lazy part.
import { signal } from '@preact/signals-core'
import type { UnfinishedUpload } from '../../src-server/contract/uploads.ts'
import { call, HttpFailure } from '../api/http.ts'
import { createUpload, sendPieces } from '../api/tus.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { type FileMark, isMarked, isOf, isReadable, markOf } from '../sending/file-mark.ts'
import type { Sha256 } from '../sending/hashing.ts'
import { PieceSize } from '../sending/piece-size.ts'
import { unreadable } from './failure-cause.ts'
import type { Transport, UploadJob } from './upload-jobs.ts'

/** An upload that the server has begun. */
type Kept = {
  id: string
  path: string
  override: boolean
  /** Bytes that the server has. */
  bytes: number
  /** Whether all of them were compared with checksums of this very file. */
  isCompared: boolean
  /** Bytes at most of the piece that was begun last; undefined when none was begun in this attempt. */
  piece?: number | undefined
}

type On = Parameters<Transport>[1]

/** How often what is answered in the same way is tried without any progress. */
const mostTries = 3
/** Milliseconds after which the server knows that it has moved a folder. */
const longestMove = 1000

export class ResumableUploads {
  readonly #sha256: Sha256
  readonly #pieces = new PieceSize()
  readonly #kept = new Map<UploadJob, Kept>()
  /** The ids of those that the person goes on with, by the files that they chose for them. */
  readonly #chosen = new WeakMap<Blob, string>()
  #dropping = 0
  readonly #unwanted = signal<ReadonlySet<string>>(new Set())

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** Whether the server is being told that something is not wanted. */
  get isDropping(): boolean {
    return this.#dropping > 0
  }

  /** Whether the person has cancelled an upload that the server may still have. */
  isUnwanted(id: string): boolean {
    return this.#unwanted.value.has(id)
  }

  /** The person has chosen a file to go on with an upload: also where it does not say enough to tell that the two are equal. */
  choose(file: Blob, id: string): void {
    this.#chosen.set(file, id)
  }

  /** Whether an upload of the server is one of this page. */
  has(id: string): boolean {
    return [...this.#kept.values()].some((kept) => kept.id === id)
  }

  /**
   * Sends a file, or what is missing of it. The name is asked for when it begins and when all has arrived.
   * @throws HttpFailure, with status 409 when the name is taken, 503 when it may go on in a moment; an AbortError
   */
  async send(job: UploadJob, on: On): Promise<void> {
    const kept = this.#kept.get(job) ?? (await this.#begin(job, on))
    this.#kept.set(job, kept)
    on.kept(kept.bytes)
    const isNamed = (kept.path !== job.path || (job.overwrite && !kept.override)) && (await this.#rename(job, kept, on.signal))
    if (!isNamed) await this.#sendAll(job, kept, on)
    this.#kept.delete(job)
    job.isCompared = kept.isCompared
  }

  /** It is no longer one of this page. What the server has of it goes, unless it has failed: nobody has said that this is not wanted. */
  async drop(job: UploadJob): Promise<void> {
    const kept = this.#kept.get(job)
    this.#kept.delete(job)
    if (!kept || job.phase === 'failed') return
    const { id } = kept
    this.#dropping += 1
    this.#unwanted.value = new Set([...this.#unwanted.value, id])
    // What stays is listed as unfinished.
    const stays = await call('DELETE /api/uploads/:id', { params: { id }, isBackground: true }).then(
      () => false,
      () => true,
    )
    this.#dropping -= 1
    if (stays) this.#unwanted.value = new Set([...this.#unwanted.value].filter((one) => one !== id))
  }

  /** Goes on with an upload of the same file, or begins one. */
  async #begin(job: UploadJob, { signal }: On): Promise<Kept> {
    const file = job.file as Blob
    const mark = await markOf(file, this.#sha256, signal)
    if (!mark && !(await isReadable(file))) throw new HttpFailure(unreadable, 'The file could not be read.')
    const known = await this.#known(job, mark, signal)
    if (known) return { id: known.id, path: known.path, override: false, bytes: known.offset, isCompared: false }
    return this.#create(job, { ...mark }, signal)
  }

  async #create({ path, size, overwrite, act }: UploadJob, metadata: Record<string, string>, signal: AbortSignal): Promise<Kept> {
    const asked = { path, length: size, override: overwrite, metadata, act }
    const id = await createUpload(asked, signal).catch((failure: unknown) => Promise.reject(asAnswered(failure)))
    return { id, path, override: overwrite, bytes: 0, isCompared: true }
  }

  /** Also one that still receives: its connection may be dead without a sign. Another page that sends it is told. */
  async #known(job: UploadJob, mark: FileMark | undefined, signal: AbortSignal): Promise<UnfinishedUpload | undefined> {
    const { uploads } = await call('GET /api/uploads', { signal })
    const file = job.file as Blob
    const chosen = this.#chosen.get(file)
    const isSame = (one: UnfinishedUpload) => one.id === chosen || (isMarked(one) && isOf(one, file, mark))
    const open = uploads.filter((one) => !one.isGone && !this.has(one.id) && !this.isUnwanted(one.id) && isSame(one))
    // Where both files are kept it was begun under the name that is taken.
    return open.find(({ path }) => path === job.path) ?? open.find(({ path }) => path === job.wanted)
  }

  /** @returns whether the file has its name by that: all of it had arrived */
  async #rename(job: UploadJob, kept: Kept, signal: AbortSignal): Promise<boolean> {
    const body = { override: job.overwrite, ...(kept.path !== job.path && { name: nameOf(job.path) }) }
    try {
      const left = await call('POST /api/uploads/:id/name', { params: { id: kept.id }, body, signal })
      kept.path = job.path
      kept.override = job.overwrite
      return typeof left !== 'object'
    } catch (failure) {
      if (!isNameTaken(failure)) throw asAnswered(failure)
      // The name is the new one by now, and taken as well.
      Object.assign(kept, { path: job.path, override: job.overwrite })
      throw asTaken(failure)
    }
  }

  async #sendAll(job: UploadJob, kept: Kept, on: On): Promise<void> {
    for (let tries = 1; ; tries++) {
      const before = kept.bytes
      try {
        return await this.#sendOnce(job, kept, on)
      } catch (failure) {
        if (kept.bytes > before) tries = 1
        if (!(failure instanceof HttpFailure)) throw failure
        if (failure.status === 404 || failure.status === 410) {
          const mayMove = failure.status === 410
          if (tries > (mayMove ? 2 : 1)) throw failure
          if (mayMove && tries === 1) await whileMoved(on.signal)
          else await this.#beginAnew(job, kept, on)
        } else if (!this.#mayTryAgain(failure, kept.piece, tries)) throw asAnswered(failure)
      }
    }
  }

  #mayTryAgain({ status }: HttpFailure, piece: number | undefined, tries: number): boolean {
    // Too large for something on the way; it is known how large a piece may be before it is tried too often.
    if (status === 413) return piece !== undefined && this.#pieces.refused(piece)
    // Where no piece was begun the server was not reached, which says nothing of their size.
    if (piece !== undefined && (status === 0 || status === 460 || status >= 502)) this.#pieces.cut(piece)
    // A piece was damaged on its way, or another request has brought some bytes.
    return (status === 460 || status === 409) && tries < mostTries
  }

  /** What the server had is gone. @throws HttpFailure, with status 404 when its folder is gone as well: nobody wants that again */
  async #beginAnew(job: UploadJob, kept: Kept, on: On): Promise<void> {
    const { signal } = on
    await call('GET /api/resources/*', { path: parentOf(job.path), query: { content: 'false' }, signal })
    const params = { id: kept.id }
    const mark = await markOf(job.file as Blob, this.#sha256, signal)
    Object.assign(kept, await this.#create(job, { ...mark }, signal))
    on.kept(0)
    void call('DELETE /api/uploads/:id', { params, isBackground: true }).catch(() => undefined)
  }

  #sendOnce(job: UploadJob, kept: Kept, { signal, progress, kept: tell }: On): Promise<void> {
    const { id } = kept
    kept.piece = undefined
    let size = this.#pieces.value
    const onKept = (bytes: number, isSent: boolean) => {
      if (isSent) this.#pieces.wentThrough()
      else {
        kept.piece = size
        // Of a piece that broke off some has come, which was not compared.
        if (bytes > kept.bytes) kept.isCompared = false
      }
      kept.bytes = bytes
      tell(bytes)
    }
    const checksum = async (piece: Blob, ending: AbortSignal) => {
      const digest = await this.#sha256(piece, ending)
      if (digest === undefined) kept.isCompared = false
      return digest && `sha256 ${digest}`
    }
    const pieceSize = () => {
      size = this.#pieces.value
      return size
    }
    return sendPieces({ id, file: job.file as Blob, pieceSize, checksum, onProgress: progress, onKept, signal })
  }
}

/** The server may be moving its folder, and knows in a moment where it is. */
function whileMoved(signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, longestMove)
  const stop = () => {
    clearTimeout(timer)
    reject(signal.reason)
  }
  signal.addEventListener('abort', stop, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', stop))
}

/** Of the call that gives an upload its name: that is no tus, where 409 says that an offset is wrong. */
export const isNameTaken = (failure: unknown): failure is HttpFailure =>
  failure instanceof HttpFailure && (failure.status === 409 || failure.status === 412)

const asTaken = ({ message, retryAfter, reason, refusal }: HttpFailure) =>
  new HttpFailure(409, message, { retryAfter, reason, refusal })

/** A failure as the queue knows those of other uploads. */
function asAnswered(failure: unknown): unknown {
  if (!(failure instanceof HttpFailure)) return failure
  const { status, message, retryAfter, reason, refusal } = failure
  // tus says 412 of a name that is taken, as clients repeat what is 409.
  if (status === 412 && refusal?.code !== 'takenOver') return asTaken(failure)
  // Another request is at work, or has just been.
  if (status === 423 || status === 409) return new HttpFailure(503, message, { retryAfter, reason, refusal })
  return failure
}
