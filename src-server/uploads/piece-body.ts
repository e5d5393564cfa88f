// The body of one piece of an upload: it can be ended while it waits for its client, and is counted and hashed as it comes.
import { createHash, type Hash } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import type { Receiving } from './turns.ts'

export const checksumAlgorithms = ['sha1', 'sha256'] as const

/** What a client says of the bytes of a piece. */
export type Checksum = Readonly<{ algorithm: (typeof checksumAlgorithms)[number]; digest: Uint8Array }>

type Body = AsyncIterable<Uint8Array>

export class PieceBody implements Receiving, AsyncIterableIterator<Uint8Array> {
  readonly #body: AsyncIterator<Uint8Array>
  readonly #checksum: Checksum | undefined
  readonly #hash: Hash | undefined
  #most = Number.POSITIVE_INFINITY
  #bytes = 0
  #failure: { reason: unknown } | undefined
  #isWhole = false
  #reject: (reason: unknown) => void = () => {}

  constructor(body: Body, checksum?: Checksum) {
    this.#body = body[Symbol.asyncIterator]()
    this.#checksum = checksum
    this.#hash = checksum && createHash(checksum.algorithm)
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
  isAsSummed(): boolean {
    return this.#hash?.digest().equals(this.#checksum?.digest ?? new Uint8Array()) === true
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
    else this.#take(next.value)
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

  #take(chunk: Uint8Array) {
    if (this.#bytes + chunk.length > this.#most) {
      this.#failure = { reason: new Failure('tooLarge', 'the body is longer than the upload') }
      throw this.#failure.reason
    }
    this.#bytes += chunk.length
    this.#hash?.update(chunk)
  }
}
