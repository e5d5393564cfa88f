import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'
import { Description, type PreviewSize } from '../contract/previews.ts'
import { type Answer, type Picture, refusalIn } from './decoder.ts'
import { DecoderPool, NoDecoder, type PoolOptions } from './decoder-pool.ts'
import { type PreviewType, previewTypes, type Refusal, type Task } from './frames.ts'
import type { PreviewCache } from './preview-cache.ts'

export type { Picture }

/** A picture that shows a file. */
export type Preview = Readonly<{ type: PreviewType; bytes: Buffer }>

/** The media types of files of which previews are made. */
const pictures = new Set(['jpeg', 'png', 'apng', 'gif', 'webp', 'avif', 'tiff', 'svg+xml'].map((name) => `image/${name}`))

/** Bytes of the largest file. */
export const largestFile = 256_000_000

/** A file of which a preview is wanted. */
export type PreviewFile = Readonly<{
  /** By its name; the content decides later. */
  mediaType: string | undefined
  /** Bytes. */
  size: number
}>

/** A picture as the cache knows it. */
export type PreviewKey = Readonly<{
  /** Where the file is, whoever asks for it. */
  identity: string
  /** '' when it is unknown: the preview is not kept then. */
  version: string
  size: PreviewSize
}>

export type PreviewsOptions = Readonly<{
  /** Without one, nothing is kept. */
  cache?: PreviewCache
  decoders?: PoolOptions
  /** The sizes that are not made: the file itself is sent. */
  off?: readonly PreviewSize[]
  /** Told once when this machine cannot decode pictures. */
  report?(error: unknown): void
}>

/** Makes previews of pictures, and keeps them. Rights are the caller's to check, before anything is asked here. */
export class Previews {
  readonly #cache: PreviewCache | undefined
  readonly #decoders: DecoderPool
  readonly #off: readonly PreviewSize[]
  #report: PreviewsOptions['report']

  constructor({ cache, decoders, off = [], report }: PreviewsOptions = {}) {
    this.#cache = cache
    this.#off = off
    this.#report = report
    this.#decoders = new DecoderPool(decoders)
  }

  /** Whether the administrator has switched a size off. */
  isOff(size: PreviewSize): boolean {
    return this.#off.includes(size)
  }

  /** Whether a preview can be made of files of this type, unless the content turns out to be something else. */
  isPicture(mediaType: string | undefined): boolean {
    return mediaType !== undefined && pictures.has(mediaType)
  }

  /** @throws Failure('unsupported' | 'tooLarge') when no preview is made of a file, which need not be opened to know that */
  check({ mediaType, size }: PreviewFile): void {
    if (!this.isPicture(mediaType)) throw new Failure('unsupported', 'there are no previews of this kind of file')
    if (size === 0) throw new Failure('unsupported', 'the file is empty')
    if (size > largestFile) throw new Failure('tooLarge', 'a picture may have at most 256 MB')
  }

  /** The preview that was made before. @throws Failure('unsupported' | 'tooLarge') when it could not be made then */
  async kept(key: PreviewKey): Promise<Preview | undefined> {
    const entry = key.version === '' ? undefined : await this.#cache?.get(textOf(key))
    if (entry && 'refusal' in entry) throw failureOf(entry.refusal)
    return entry
  }

  /**
   * Makes a preview in a child process, unless it was made meanwhile.
   * @throws Failure('unsupported') when the picture cannot be decoded, Failure('tooLarge') when that takes too many pixels, too much
   *   time or memory, Failure('busy'), the signal's reason
   */
  async make(key: PreviewKey, picture: Picture, signal: AbortSignal): Promise<Preview> {
    return (await this.kept(key)) ?? this.#keeping(key, () => this.#made(key.size, picture, signal))
  }

  /**
   * What a picture says about itself, read in a child process.
   * @throws as make does
   */
  async describe(picture: Picture, signal: AbortSignal): Promise<Description> {
    const { head } = await this.#decoded('describe', picture, signal)
    if (!Value.Check(Description, head.description)) throw new Failure('unsupported', 'the picture cannot be decoded')
    return head.description
  }

  /** Ends the child processes. */
  close(): void {
    this.#decoders.close()
  }

  async #made(size: PreviewSize, picture: Picture, signal: AbortSignal): Promise<Preview> {
    const { head, body } = await this.#decoded(size, picture, signal)
    const type = previewTypes.find((known) => known === head.type)
    if (!type || body.length === 0) throw new Failure('unsupported', 'the picture cannot be decoded')
    return { type, bytes: body }
  }

  async #decoded(task: Task, picture: Picture, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#decoders.run(task, picture, signal).catch((error) => this.#failed(error))
    const refusal = refusalIn(answer)
    if (refusal) throw failureOf(refusal)
    return answer
  }

  #failed(error: unknown): never {
    if (error instanceof NoDecoder) {
      this.#report?.(error.cause)
      this.#report = undefined
    }
    throw error
  }

  /** A picture that cannot be decoded is not tried again each time that its folder is shown. */
  async #keeping(key: PreviewKey, make: () => Promise<Preview>): Promise<Preview> {
    const keep = (entry: Preview | { refusal: Refusal }) => key.version !== '' && this.#cache?.put(textOf(key), entry)
    try {
      const preview = await make()
      await keep(preview)
      return preview
    } catch (error) {
      if (isAboutPicture(error)) await keep({ refusal: error })
      throw error
    }
  }
}

/** Changes when the same picture gets another preview. */
export const previewEdition = 1

function textOf({ identity, version, size }: PreviewKey) {
  return [previewEdition, size, version, identity].join('\0')
}

function failureOf({ code, message }: Refusal) {
  return new Failure(code, message)
}

function isAboutPicture(error: unknown): error is Failure & Refusal {
  return error instanceof Failure && !(error instanceof NoDecoder) && (error.code === 'unsupported' || error.code === 'tooLarge')
}
