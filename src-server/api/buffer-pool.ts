/** Size and number of the buffers of a pool. */
export type BufferPoolOptions = Readonly<{
  /** Bytes of one buffer. */
  size: number
  /** Buffers that may be in use at a time. */
  most: number
}>

/** Buffers that are kept while none is in use: one download needs two. */
const kept = 2

/** Reuses buffers: allocating a new one for each read takes longer than the read. */
export class BufferPool {
  readonly #size: number
  readonly #most: number
  readonly #lent = new Set<Buffer>()
  #free: Buffer[] = []

  constructor({ size, most }: BufferPoolOptions) {
    this.#size = size
    this.#most = most
  }

  /** How many are in use. */
  get lent(): number {
    return this.#lent.size
  }

  /** A buffer with arbitrary content; undefined when all are in use. */
  take(): Buffer | undefined {
    if (this.#lent.size === this.#most) return undefined
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size)
    this.#lent.add(buffer)
    return buffer
  }

  /** Returns a buffer that nothing reads or writes any more. Does nothing for one that is not in use. */
  giveBack(buffer: Buffer): void {
    if (!this.#lent.delete(buffer)) return
    this.#free.push(buffer)
    if (this.#lent.size === 0) this.#free = this.#free.slice(0, kept)
  }

  /** Drops a buffer that something may still read or write: it is not reused and is garbage-collected. */
  forget(buffer: Buffer): void {
    this.#lent.delete(buffer)
  }
}
