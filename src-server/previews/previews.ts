import { Failure } from '../base/failure.ts'
import type { PreviewSize } from '../contract/previews.ts'
import { type Answer, type Picture, refusalIn } from './decoder.ts'
import { DecoderPool, type PoolOptions } from './decoder-pool.ts'
import { type PreviewType, previewTypes, type Task } from './frames.ts'

export type { Picture }

/** A picture that shows a file. */
export type Preview = Readonly<{ type: PreviewType; bytes: Buffer }>

/** The media types of files of which previews are made. */
const pictures = new Set(['jpeg', 'png', 'apng', 'gif', 'webp', 'avif', 'tiff', 'svg+xml'].map((name) => `image/${name}`))

/** Bytes of the largest file. */
const largestFile = 256_000_000

/** A file of which a preview is wanted. */
export type PreviewFile = Readonly<{
  /** By its name; the content decides later. */
  mediaType: string | undefined
  /** Bytes. */
  size: number
}>

/** Makes previews of pictures. */
export class Previews {
  readonly #decoders: DecoderPool

  constructor(options?: PoolOptions) {
    this.#decoders = new DecoderPool(options)
  }

  /** Whether a preview can be made of files of this type, unless the content turns out to be something else. */
  isPicture(mediaType: string | undefined): boolean {
    return mediaType !== undefined && pictures.has(mediaType)
  }

  /** @throws Failure('unsupported' | 'tooLarge') when no preview is made of a file, which need not be opened to know that */
  check({ mediaType, size }: PreviewFile): void {
    if (!this.isPicture(mediaType)) throw new Failure('unsupported', 'there are no previews of this kind of file')
    if (size > largestFile) throw new Failure('tooLarge', 'a picture may have at most 256 MB')
  }

  /**
   * Makes a preview in a child process.
   * @throws Failure('unsupported') when the picture cannot be decoded, Failure('tooLarge') when that takes too many pixels, too much
   *   time or memory, Failure('busy')
   */
  async make(size: PreviewSize, picture: Picture, signal: AbortSignal): Promise<Preview> {
    const { head, body } = await this.#decoded(size, picture, signal)
    const type = previewTypes.find((known) => known === head.type)
    if (!type || body.length === 0) throw new Failure('unsupported', 'the picture cannot be decoded')
    return { type, bytes: body }
  }

  /** Ends the child processes. */
  close(): void {
    this.#decoders.close()
  }

  async #decoded(task: Task, picture: Picture, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#decoders.run(task, picture, signal)
    const refusal = refusalIn(answer)
    if (refusal) throw new Failure(refusal.code, refusal.message)
    return answer
  }
}
