export type BufferPoolOptions = Readonly<{
  /** Bytes of one buffer. */
  size: number
  /** Buffers that may be lent at once. */
  most: number
}>

/** Buffers that are still kept when none is lent: two serve one download. */
const kept = 2

/** Buffers that are lent and given back: a new buffer for each read costs more than the read. */
export class BufferPool {
  readonly #size: number
  readonly #most: number
  readonly #lent = new Set<Buffer>()
  #free: Buffer[] = []

  constructor({ size, most }: BufferPoolOptions) {
    this.#size = size
    this.#most = most
  }

  /** How many are lent now. */
  get lent(): number {
    return this.#lent.size
  }

  /** A buffer with anything in it; undefined when all are lent. */
  take(): Buffer | undefined {
    if (this.#lent.size === this.#most) return undefined
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size)
    this.#lent.add(buffer)
    return buffer
  }

  /** Takes a buffer back that nothing reads or writes any more. Does nothing for one that is not lent. */
  giveBack(buffer: Buffer): void {
    if (!this.#lent.delete(buffer)) return
    this.#free.push(buffer)
    if (this.#lent.size === 0) this.#free = this.#free.slice(0, kept)
  }

  /** Ends the lending of a buffer that may still be in use: it is left to the garbage collector. */
  forget(buffer: Buffer): void {
    this.#lent.delete(buffer)
  }
}
