// The body of one piece of an upload: it can be ended while it waits for its client, and is counted and hashed as it comes.
import { Failure } from '../base/failure.ts'
import { hashStream, type StreamHash } from '../files/checksum.ts'
import type { Receiving } from './turns.ts'

export const checksumAlgorithms = ['sha1', 'sha256'] as const

/** What a client says of the bytes of a piece. */
export type Checksum = Readonly<{ algorithm: (typeof checksumAlgorithms)[number]; digest: Uint8Array }>

type Body = AsyncIterable<Uint8Array>

export class PieceBody implements Receiving, AsyncIterableIterator<Uint8Array> {
  readonly #body: AsyncIterator<Uint8Array>
  readonly #checksum: Checksum | undefined
  /** Bytes of all, where they are announced. */
  readonly #announced: number | undefined
  /** It begins with the first bytes: of what is refused before that nothing is hashed. */
  #hash: StreamHash | undefined
  #most = Number.POSITIVE_INFINITY
  #bytes = 0
  #failure: { reason: unknown } | undefined
  #isWhole = false
  #reject: (reason: unknown) => void = () => {}

  /** @param bytes of the body, where they are announced */
  constructor(body: Body, checksum?: Checksum, bytes?: number) {
    this.#body = body[Symbol.asyncIterator]()
    this.#checksum = checksum
    this.#announced = bytes
  }

  get hasBytes(): boolean {
    return this.#bytes > 0
  }

  /** Whether all of it has come. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** What has ended it before it was whole; a failure of the disk is none. */
  get failure(): { reason: unknown } | undefined {
    return this.#failure
  }

  get hasChecksum(): boolean {
    return this.#checksum !== undefined
  }

  /** Whether the bytes that have come are those that the client has summed up. Call it once. */
  async isAsSummed(): Promise<boolean> {
    const digest = await this.#summed()?.digest()
    return digest?.equals(this.#checksum?.digest ?? new Uint8Array()) === true
  }

  /** To be called when nothing more is asked of it. */
  close(): void {
    this.#hash?.close()
  }

  /** More bytes than these fail with Failure('tooLarge'). */
  limit(bytes: number): void {
    this.#most = bytes
  }

  interrupt(reason: unknown): void {
    if (this.#isWhole) return
    this.#failure ??= { reason }
    this.#reject(reason)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const next = await this.#nextUnlessEnded()
    if (next.done) this.#isWhole = true
    else await this.#take(next.value)
    return next
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    // What it waits for may never come.
    const ended = Promise.resolve(this.#body.return?.()).catch(() => {})
    if (!this.#failure) await ended
    return { done: true, value: undefined }
  }

  /** The rest is of no use. @throws Failure('tooLarge') when there is any */
  async assertEmpty(): Promise<void> {
    this.limit(0)
    try {
      for (;;) if ((await this.next()).done) return
    } finally {
      if (!this.#isWhole) await this.return()
    }
  }

  // Not Promise.race() with one promise for all chunks: that would hold every chunk until the body ends.
  #nextUnlessEnded(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure.reason)
      this.#reject = reject
      const fail = (reason: unknown) => {
        this.#failure ??= { reason }
        reject(reason)
      }
      this.#body.next().then(resolve, fail)
    })
  }

  #take(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#bytes + chunk.length > this.#most) {
      this.#failure = { reason: new Failure('tooLarge', 'the body is longer than the upload') }
      throw this.#failure.reason
    }
    this.#bytes += chunk.length
    return this.#summed()?.add(chunk)
  }

  #summed(): StreamHash | undefined {
    this.#hash ??= this.#checksum && hashStream(this.#checksum.algorithm, this.#announced)
    return this.#hash
  }
}
