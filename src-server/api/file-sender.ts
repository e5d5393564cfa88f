import { Readable } from 'node:stream'
import { BufferPool } from './buffer-pool.ts'

/** Fills a buffer from a position of the file. @returns how many bytes, at least one @throws when the file ends before */
export type ReadInto = (buffer: Uint8Array, position: number) => Promise<number>

export type FileSenderOptions = Readonly<{
  readInto: ReadInto
  /** Position of the first byte. */
  start: number
  /** How many bytes, at least one. */
  length: number
  pool?: BufferPool
  /** Milliseconds after which a client that reads nothing counts as slow. */
  longestPause?: number
}>

/** For all downloads together; see docs/performance.md. */
const largeBuffers = new BufferPool({ size: 1 << 20, most: 32 })

/** Bytes of the only buffer of a client that is not known to be fast. */
const smallSize = 1 << 16
/** Bytes that a client must read without a pause to get large buffers: more than the system buffers for one that reads nothing. */
const provenBy = 8 << 20

/**
 * The bytes of an open file for a response. `pipe(response)` reads into one buffer while the other is being written, and each
 * buffer is used again as soon as it is written. Other destinations may keep a chunk longer than that, so this stream is for
 * a response alone. The file of `readInto` must stay open until the stream is closed.
 */
export class FileSender extends Readable {
  readonly #readInto: ReadInto
  readonly #end: number
  readonly #pool: BufferPool
  readonly #longestPause: number
  #position: number
  /** Bytes sent since the last pause of the client. */
  #taken = 0
  #small: Buffer | undefined
  readonly #lent = new Set<Buffer>()

  constructor({ readInto, start, length, pool = largeBuffers, longestPause = 1000 }: FileSenderOptions) {
    super()
    this.#readInto = readInto
    this.#position = start
    this.#end = start + length
    this.#pool = pool
    this.#longestPause = longestPause
  }

  override pipe<T extends NodeJS.WritableStream>(response: T): T {
    this.#send(response).then(
      () => this.#finish(response),
      (error: Error) => this.destroy(error),
    )
    return response
  }

  override _read(): void {
    // Nothing flows through the stream itself.
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    for (const buffer of this.#lent) this.#pool.forget(buffer)
    this.#lent.clear()
    callback(error)
  }

  async #send(response: NodeJS.WritableStream) {
    let writing: Promise<void> = Promise.resolve()
    while (this.#position < this.#end && !this.destroyed) {
      const buffer = this.#largeBuffer()
      // A slow client has only one buffer, which can be reused when it is written.
      if (!buffer) await writing
      const chunk = await this.#fill(buffer ?? this.#smallBuffer())
      if (this.destroyed) return
      if (buffer && !(await this.#isWrittenSoon(writing))) {
        // The client has paused. What was read ahead is read again when it continues.
        this.#giveBack(buffer)
        await writing
        continue
      }
      this.#position += chunk.length
      writing = this.#write(response, chunk, buffer)
      // It is awaited after the next read.
      writing.catch(() => {})
    }
    await writing
  }

  /** The response ends when this stream is closed: else Fastify treats the end of the response as an error of the stream. */
  #finish(response: NodeJS.WritableStream) {
    if (this.destroyed) return
    this.once('close', () => response.end())
    this.push(null)
    this.resume()
  }

  #largeBuffer(): Buffer | undefined {
    const isWorthIt = this.#taken >= provenBy && this.#end - this.#position > smallSize
    const buffer = isWorthIt ? this.#pool.take() : undefined
    if (buffer) this.#lent.add(buffer)
    return buffer
  }

  #smallBuffer(): Buffer {
    this.#small ??= Buffer.allocUnsafeSlow(Math.min(smallSize, this.#end - this.#position))
    return this.#small
  }

  async #fill(buffer: Buffer): Promise<Buffer> {
    const wanted = buffer.subarray(0, this.#end - this.#position)
    return wanted.subarray(0, await this.#readInto(wanted, this.#position))
  }

  /** Once for each chunk: ending a timer by a signal would make two errors, a twentieth of the time of a fast download. */
  #isWrittenSoon(writing: Promise<void>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(false), this.#longestPause).unref()
      writing.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
    })
  }

  #write(response: NodeJS.WritableStream, chunk: Buffer, buffer: Buffer | undefined): Promise<void> {
    const began = performance.now()
    return new Promise((resolve, reject) => {
      response.write(chunk, (error) => {
        if (buffer) this.#giveBack(buffer)
        const hasPaused = performance.now() - began > this.#longestPause
        this.#taken = hasPaused ? 0 : this.#taken + chunk.length
        if (error) reject(error)
        else resolve()
      })
    })
  }

  #giveBack(buffer: Buffer) {
    if (this.#lent.delete(buffer)) this.#pool.giveBack(buffer)
  }
}
