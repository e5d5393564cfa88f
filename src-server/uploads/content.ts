// The bytes of an upload before the file has its name. As many of them count as the record says: they are durable, and what lies
// behind them is cut off before anything is added.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { UnfinishedContent } from '../files/writing.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import type { KeptUpload } from './kept-upload.ts'
import type { PieceBody } from './piece-body.ts'
import { askAgain } from './turns.ts'

export type ContentParts = Readonly<{
  /** Removes the content of an upload where it is, and its hidden name alone where that is not the only one. @returns whether it was there */
  discard(record: UploadRecord): Promise<boolean>
  /** Told of a file that has its name, before anybody else is; what it throws is thrown as Failure('locked'), and it is told again. */
  named?: ((record: UploadRecord) => Promise<void>) | undefined
  /** Whether the file at the path of a record is the one that it was about to name. */
  isNamed?: ((record: UploadRecord & { sealed: string }) => Promise<boolean>) | undefined
  /** Whether a folder above a path of the served root is being moved. */
  isMoving(path: string): boolean
  report(error: unknown): void
  now(): number
}>

/** The files of a person, and where in them the upload goes. */
export type Target = Readonly<{
  files: UserFiles
  path: Path
  /** That of the record when `path` was made of it. */
  recorded?: string | undefined
}>

/** Some bytes of an upload. */
export type Piece = Readonly<{
  offset: number
  /** Bytes of the whole, where they were not known before. */
  length?: number | undefined
  /** Bytes of the body, where they are announced. */
  bytes?: number | undefined
  body: PieceBody
}>

/** The client asks again. */
export const movedMeanwhile = () => new Failure('locked', 'the folder was moved meanwhile', { retryAfter: askAgain })

export const gone = () => new Failure('gone', 'the upload can no longer be gone on with')

export class UploadContent {
  readonly #kept: KeptUpload
  readonly #parts: ContentParts

  constructor(kept: KeptUpload, parts: ContentParts) {
    this.#kept = kept
    this.#parts = parts
  }

  /** Whether a piece brings something. @throws Failure('range' | 'invalid' | 'tooLarge') for one that does not go on where the upload ends */
  async isNeeded({ offset, length: said, bytes = 0, body }: Piece): Promise<boolean> {
    const { record } = this.#kept
    const { length = said } = record
    if (offset !== record.offset) throw new Failure('range', 'the upload is at another offset')
    if (said !== undefined && said !== length) throw new Failure('invalid', 'the upload has another length')
    if (length !== undefined && length < offset) throw new Failure('invalid', 'the upload is longer already')
    const most = length === undefined ? Number.POSITIVE_INFINITY : length - offset
    if (bytes > most) throw new Failure('tooLarge', 'the body is longer than the upload')
    if (most > 0) body.limit(most)
    else await body.assertEmpty()
    if (most === 0 && record.length === undefined) await this.#kept.save({ length })
    return most > 0
  }

  /** Writes a piece that is needed. @throws Failure('mismatch'), and what ends it: what has come before counts nevertheless */
  async add(target: Target, piece: Piece): Promise<void> {
    const content = await this.#open(target)
    // Its name was given to it before the server was killed.
    if (!content) return
    try {
      await this.#write(content, piece)
    } catch (error) {
      const { offset, length = offset } = this.#kept.record
      await target.files.writing.lacksSpace(target.path, length - offset, error)
      throw this.goneIfMissing(error)
    } finally {
      await content.close()
    }
  }

  /** @throws Failure('gone') when the bytes that are noted are not there */
  async check(target: Target): Promise<void> {
    await (await this.#open(target))?.close()
  }

  /** Makes the content of an upload of no bytes. */
  async make(target: Target): Promise<void> {
    await (await this.#openFile(target)).close()
  }

  /** Finds out what a commit has done that was broken off. @returns whether the file has its name */
  settle({ files, path }: Target): Promise<boolean> {
    return this.#settle((sealed) => files.writing.isFinished(path, sealed))
  }

  /** The same where nobody asks. */
  settleAlone(): Promise<boolean> {
    return this.#settle(async (sealed) => (await this.#parts.isNamed?.({ ...this.#kept.record, sealed })) ?? false)
  }

  async #settle(isNamed: (sealed: string) => Promise<boolean>): Promise<boolean> {
    const { sealed } = this.#kept.record
    if (sealed === undefined || this.#kept.isFinished) return this.#kept.isFinished
    if (!(await isNamed(sealed))) return false
    // Its other name, if it still has one.
    await this.#parts.discard(this.#kept.record)
    await this.finish(sealed)
    return true
  }

  /** The file has its name. Where that cannot be noted, the next start finds it out by the version. */
  async finish(sealed: string): Promise<void> {
    await this.#tellNamed({ ...this.#kept.record, sealed })
    await this.#kept.saveAnyway({ sealed, finishedAt: this.#parts.now(), refused: undefined }, this.#parts.report)
  }

  async #tellNamed(record: UploadRecord) {
    try {
      await this.#parts.named?.(record)
    } catch (cause) {
      throw new Failure('locked', '', { retryAfter: askAgain, cause })
    }
  }

  goneIfMissing(error: unknown): unknown {
    if (!(error instanceof Failure) || error.code !== 'notFound') return error
    if (this.#parts.isMoving(this.#kept.record.path)) return movedMeanwhile()
    this.#kept.isGone = true
    return gone()
  }

  /** The content with as many bytes as are noted. @returns undefined when the file has its name already */
  async #open(target: Target): Promise<UnfinishedContent | undefined> {
    if (await this.settle(target)) return undefined
    const { offset } = this.#kept.record
    const content = await this.#openFile(target)
    try {
      this.#kept.isGone = content.isNamed || content.size < offset
      if (this.#kept.isGone) throw gone()
      await content.truncate(offset)
      return content
    } catch (error) {
      await content.close()
      throw error
    }
  }

  /** It is made when the first bytes come: an upload that never gets some leaves no file. */
  async #openFile({ files, path, recorded }: Target): Promise<UnfinishedContent> {
    const { id, offset, override = false } = this.#kept.record
    // Bytes are noted once their name is durable too.
    const isNameDurable = offset > 0
    const open = (isNew: boolean) => files.writing.openUnfinished(path, { id, override, isNew, isNameDurable })
    const make = async () => {
      const content = await open(true)
      this.#kept.hasContent = true
      if (recorded === undefined || recorded === this.#kept.record.path) return content
      // Its folder was moved since, and another one has got the name.
      await content.discard()
      throw movedMeanwhile()
    }
    try {
      return await open(false).catch((error: unknown) => {
        const isMissing = error instanceof Failure && error.code === 'notFound'
        return isMissing && offset === 0 ? make() : Promise.reject(error)
      })
    } catch (error) {
      throw this.goneIfMissing(error)
    }
  }

  async #write(content: UnfinishedContent, { body, length }: Piece) {
    const { offset } = this.#kept.record
    const failure = await this.#append(content, body)
    const isWrong = await this.#isWrong(body, failure).finally(() => body.close())
    const isTooLong = failure?.error instanceof Failure && failure.error.code === 'tooLarge'
    if (isWrong || isTooLong || failure?.isOfDisk) {
      await this.#cut(content)
      throw isWrong ? new Failure('mismatch', 'the bytes are not those of the checksum') : failure?.error
    }
    await content.sync().catch(async (error: unknown) => {
      // What could not be written the system counts as written from then on: another sync would say nothing of it.
      await this.#cut(content)
      throw error
    })
    const isCompared = this.#kept.record.isCompared && body.isWhole && body.hasChecksum
    const isNews = content.size > offset || length !== undefined
    if (isNews) await this.#kept.save({ offset: content.size, length: this.#kept.record.length ?? length, isCompared })
    if (failure) throw failure.error
  }

  async #isWrong(body: PieceBody, failure: unknown): Promise<boolean> {
    return failure === undefined && body.hasChecksum && !(await body.isAsSummed())
  }

  /** @returns why not all has come */
  async #append(content: UnfinishedContent, body: PieceBody): Promise<{ error: unknown; isOfDisk: boolean } | undefined> {
    const { offset } = this.#kept.record
    // Of a piece with a checksum nothing counts before all of it was compared.
    const onSynced = (size: number) => void this.#kept.save({ offset: size, isCompared: false }).catch(this.#parts.report)
    try {
      await content.append(body, { offset, ...(!body.hasChecksum && { onSynced }) })
      return undefined
    } catch (error) {
      // Of two errors that of the disk is thrown.
      return { error, isOfDisk: error !== body.failure?.reason }
    }
  }

  /** Back to what is noted. Where that fails too, it is done when the content is opened again. */
  async #cut(content: UnfinishedContent) {
    await this.#kept.noted()
    await content.truncate(this.#kept.record.offset).catch(this.#parts.report)
  }
}
