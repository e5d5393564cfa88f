// How one file is sent by a link: small ones in one request, others in pieces that may break off and go on.
import type { RequestPage } from '../../src-server/contract/requests.ts'
import { HttpFailure, removeUpload, sendWhole, uploadsOf } from '../api/request-link.ts'
import { createUpload, sendPieces } from '../api/tus.ts'
import { isUnreached } from '../core/failure-reason.ts'
import { isMarked, isOf, isReadable, markOf } from '../sending/file-mark.ts'
import { hashing } from '../sending/hashing.ts'
import { PieceSize } from '../sending/piece-size.ts'
import type { SendHow, SentFile } from './sent-files.ts'

export type Unfinished = Extract<RequestPage, { kind: 'open' }>['unfinished'][number]

/** Bytes of the largest file that is sent in one request. */
const largestWhole = 16 << 20
/** How often what is answered in the same way is tried without any progress. */
const mostTries = 3

type SenderParts = Readonly<{
  hash: string
  /** What the sender has typed; '' for nobody. */
  nameOfSender(): string
  /** What the server has of files that were begun before. */
  unfinished: readonly Unfinished[]
}>

/** Sends the files of one link. */
export class FileSender {
  readonly #parts: SenderParts
  readonly #sha256 = hashing()
  readonly #pieces = new PieceSize()
  /** The uploads of files that go in pieces. */
  readonly #ids = new Map<SentFile, string>()
  /** Too large for one request, by the word of something on the way. */
  #isInPieces = false

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** @throws HttpFailure, an AbortError, another Error when the file cannot be read */
  async send(file: SentFile, how: SendHow): Promise<void> {
    try {
      await this.#send(file, how)
    } catch (failure) {
      // A file that was moved or deleted since it was chosen fails as a lost connection does.
      if (!isUnreached(failure) || (await isReadable(file.file))) throw failure
      throw new Error('the file could not be read', { cause: failure })
    }
  }

  async #send(file: SentFile, how: SendHow): Promise<void> {
    const isWhole = file.size <= largestWhole && !this.#isInPieces && !this.#ids.has(file) && !this.#wasBegun(file)
    if (!isWhole) return this.#sendInPieces(file, how)
    try {
      await sendWhole({
        ...how,
        hash: this.#parts.hash,
        path: `/${file.name}`,
        file: file.file,
        metadata: this.#metadataOf(file),
      })
    } catch (failure) {
      if (!isRefusedOnTheWay(failure) || file.size === 0) throw failure
      this.#isInPieces = true
      await this.#sendInPieces(file, how)
    }
  }

  /** It is not wanted any more. */
  drop(file: SentFile): void {
    const id = this.#ids.get(file)
    this.#ids.delete(file)
    // What stays ends by itself.
    if (id !== undefined) void removeUpload(this.#parts.hash, id).catch(() => undefined)
  }

  #wasBegun({ name, size }: SentFile) {
    return this.#parts.unfinished.some((one) => one.name === name && one.length === size)
  }

  #metadataOf({ nonce }: SentFile): Record<string, string> {
    const sender = this.#parts.nameOfSender().trim()
    return { nonce, ...(sender !== '' && { sender }) }
  }

  async #sendInPieces(file: SentFile, how: SendHow): Promise<void> {
    let kept = 0
    for (let tries = 1; ; tries++) {
      const before = kept
      const id = this.#ids.get(file) ?? (await this.#begin(file, how.signal))
      this.#ids.set(file, id)
      file.hasMadeWay = false
      let piece: number | undefined
      const onKept = (bytes: number, isSent: boolean) => {
        kept = bytes
        if (isSent) this.#pieces.wentThrough()
        else piece = this.#pieces.value
        how.onProgress(bytes)
      }
      try {
        await this.#sendOnce(id, file, { ...how, onKept })
        this.#ids.delete(file)
        return
      } catch (failure) {
        if (kept > before) tries = 1
        if (!this.#mayTryAgain(failure, { file, piece, tries })) throw failure
      }
    }
  }

  #sendOnce(id: string, { file }: SentFile, how: SendHow & { onKept(bytes: number, isSent: boolean): void }): Promise<void> {
    const checksum = async (piece: Blob, ending: AbortSignal) => {
      const digest = await this.#sha256(piece, ending)
      return digest && `sha256 ${digest}`
    }
    return sendPieces({ ...how, id, file, pieceSize: () => this.#pieces.value, checksum, at: uploadsOf(this.#parts.hash) })
  }

  #mayTryAgain(failure: unknown, { file, piece, tries }: { file: SentFile; piece: number | undefined; tries: number }): boolean {
    if (!(failure instanceof HttpFailure)) return false
    const { status } = failure
    if (isRefusedOnTheWay(failure)) return piece !== undefined && this.#pieces.refused(piece)
    if (piece !== undefined && (status === 0 || status === 460 || status >= 502)) this.#pieces.cut(piece)
    // What the server had is gone; of a link that has ended the next request says so.
    if (status === 404 || (status === 410 && failure.refusal?.code !== 'requestClosed')) {
      this.#ids.delete(file)
      file.hasMadeWay = failure.refusal?.code === 'uploadMadeWay'
      return tries < mostTries
    }
    return (status === 460 || status === 409) && tries < mostTries
  }

  /** Goes on with an upload of the same file, or begins one. */
  async #begin(file: SentFile, signal: AbortSignal): Promise<string> {
    const mark = await markOf(file.file, this.#sha256, signal)
    const taken = new Set(this.#ids.values())
    const known = this.#parts.unfinished.find(
      (one) => one.name === file.name && !taken.has(one.id) && isMarked(one) && isOf(one, file.file, mark),
    )
    if (known) return known.id
    const metadata = { ...this.#metadataOf(file), ...mark }
    const asked = { path: `/${file.name}`, length: file.size, override: false, metadata, act: undefined }
    return createUpload(asked, signal, uploadsOf(this.#parts.hash))
  }
}

/** Of a server before this one: it says nothing of what a file may have. */
const isRefusedOnTheWay = (failure: unknown): boolean =>
  failure instanceof HttpFailure && failure.status === 413 && failure.refusal === undefined
