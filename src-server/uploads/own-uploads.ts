// The uploads of the person who calls.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { type RefusalCode, refusalCodes } from '../contract/refusals.ts'
import type { UnfinishedUpload } from '../contract/uploads.ts'
import type { UserFiles } from '../files/user-files.ts'
import { type Asker, pathFor } from './asker.ts'
import { PieceBody } from './piece-body.ts'
import type { Piece, Upload } from './upload.ts'
import type { UploadRequest, Uploads } from './uploads.ts'

type OwnUploadsParts = Readonly<{ uploads: Uploads; files: UserFiles; asker: Asker }>

/** An upload by its id, or the newest one at a path. */
export type UploadAddress = Readonly<{ id: string } | { path: Path }>

/** What a client is told of an upload. */
export type UploadProgress = Readonly<{
  id: string
  offset: number
  length: number | undefined
  metadata: string | undefined
  /** Milliseconds since the epoch. */
  expires: number
  isFinished: boolean
}>

export class OwnUploads {
  readonly #parts: OwnUploadsParts

  constructor(parts: OwnUploadsParts) {
    this.#parts = parts
  }

  /**
   * Begins an upload. One whose bytes are all there is finished when this resolves.
   * @param first its first bytes, when they come with it
   * @throws as `Uploads.begin` and `Upload.receive`
   */
  async begin(request: UploadRequest, first?: Pick<Piece, 'body' | 'bytes'>): Promise<UploadProgress> {
    const { uploads, files, asker } = this.#parts
    const isWhole = first !== undefined && first.bytes === request.length
    const upload = await uploads.begin(asker, files, { ...request, isWhole })
    if (upload.isFinished || (!first && request.length !== 0)) return progressOf(upload)
    const { isComplete, record } = upload
    // Of one that has all its bytes already only the name is missing.
    const piece = first && !(isWhole && isComplete) ? first : { body: new PieceBody(nothing()), bytes: 0 }
    try {
      await upload.receive(asker, { offset: isWhole && isComplete ? record.offset : 0, ...piece })
    } catch (error) {
      // Nobody has heard of it, unless another request has it. What is whole stays without a name: the person finds it in the list.
      const isOfOther = error instanceof Failure && (error.code === 'changed' || error.code === 'range')
      if (request.length === 0 || !(upload.isComplete || isOfOther)) await upload.remove().catch(() => {})
      throw error
    }
    return progressOf(upload)
  }

  /** @throws as `Upload.look` */
  async look(at: UploadAddress): Promise<UploadProgress> {
    const upload = this.#find(at)
    await upload.look(this.#parts.asker)
    return progressOf(upload)
  }

  /** @throws as `Upload.receive` */
  async receive(at: UploadAddress, piece: Piece): Promise<UploadProgress> {
    const upload = this.#find(at)
    await upload.receive(this.#parts.asker, piece)
    return progressOf(upload)
  }

  /** Where bytes are expected; undefined while some come. @throws Failure('notFound') */
  offsetOf(at: UploadAddress): number | undefined {
    const upload = this.#find(at)
    return upload.isReceiving ? undefined : upload.record.offset
  }

  /** @throws as `Upload.rename` */
  async rename(
    id: string,
    how: Readonly<{ name?: string | undefined; override: boolean }>,
  ): Promise<UnfinishedUpload | undefined> {
    const upload = this.#find({ id })
    await upload.rename(this.#parts.asker, how)
    return upload.isFinished ? undefined : this.#shown(upload)
  }

  /** @throws as `Upload.remove` */
  async remove(at: UploadAddress): Promise<void> {
    await this.#find(at).remove()
  }

  /** Those that are unfinished, the newest first. */
  list(): UnfinishedUpload[] {
    const { uploads, asker } = this.#parts
    return uploads
      .of(asker)
      .filter((upload) => !upload.isFinished)
      .map((upload) => this.#shown(upload))
  }

  #find(at: UploadAddress): Upload {
    const { uploads, asker } = this.#parts
    return 'id' in at ? uploads.find(asker, at.id) : uploads.at(asker, at.path)
  }

  #shown(upload: Upload): UnfinishedUpload {
    const { record, isArriving, isGone, dueAt } = upload
    const { id, length, offset, metadata, startedAt, changedAt, isCompared, refused } = record
    return {
      ...{ id, path: pathFor(this.#parts.asker, record), offset, startedAt, changedAt, expires: dueAt },
      ...(length !== undefined && { length }),
      ...(metadata !== undefined && { metadata }),
      ...{ isReceiving: isArriving && !record.refused, isGone, isCompared },
      ...(refused && { refused: refusalOf(refused) }),
    }
  }
}

function progressOf(upload: Upload): UploadProgress {
  const { id, offset, length, metadata } = upload.record
  return { id, offset, length, metadata, expires: upload.dueAt, isFinished: upload.isFinished }
}

type Refused = NonNullable<Upload['record']['refused']>

function refusalOf({ code, template, about }: Refused): NonNullable<UnfinishedUpload['refused']> {
  const refusal = (refusalCodes as Readonly<Record<string, RefusalCode>>)[template]
  const { message } = new Failure('internal', template, { about })
  return { code, message, ...(refusal && { refusal: { code: refusal, params: about } }) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
