/** Writes numbers one after the other, the lowest byte first, into one piece of memory. */
export class RecordWriter {
  readonly #bytes: Buffer
  #at = 0

  /** @param length bytes that can be written */
  constructor(length: number) {
    this.#bytes = Buffer.allocUnsafeSlow(length)
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#at
  }

  /** Bytes that can still be written. */
  get room(): number {
    return this.#bytes.length - this.#at
  }

  u8(value: number): this {
    this.#at = this.#bytes.writeUInt8(value, this.#at)
    return this
  }

  u16(value: number): this {
    this.#at = this.#bytes.writeUInt16LE(value, this.#at)
    return this
  }

  u32(value: number): this {
    this.#at = this.#bytes.writeUInt32LE(value, this.#at)
    return this
  }

  /** @param value an integer up to 2^53 */
  u64(value: number): this {
    return this.u32(value % 0x1_0000_0000).u32(Math.floor(value / 0x1_0000_0000))
  }

  /** In UTF-8. */
  text(value: string): this {
    this.#at += this.#bytes.write(value, this.#at)
    return this
  }

  bytes(value: Uint8Array): this {
    this.#bytes.set(value, this.#at)
    this.#at += value.length
    return this
  }

  /** The memory, without a copy. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }
}
