/** Memory that is used again, because much new memory stays with the process until it is collected. */
export class MemoryPool {
  readonly #unit: number
  readonly #most: number
  readonly #free: Uint8Array<ArrayBuffer>[] = []

  /** @param unit bytes of which each piece has a multiple @param most pieces that are kept while nobody uses them */
  constructor(unit: number, most: number) {
    this.#unit = unit
    this.#most = most
  }

  /** @returns memory with any content, at least as long as asked. It need not be given back. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const index = this.#free.findIndex((piece) => piece.length >= length)
    const [found] = index < 0 ? [] : this.#free.splice(index, 1)
    return found ?? Buffer.allocUnsafeSlow(Math.ceil(length / this.#unit) * this.#unit)
  }

  /** @param piece that nobody uses any more, or a part of it: taken from here and perhaps transferred since */
  giveBack({ buffer }: Uint8Array): void {
    // A piece for something unusually long would be kept for good.
    if (this.#free.length < this.#most && buffer.byteLength <= 4 * this.#unit) {
      this.#free.push(new Uint8Array(buffer as ArrayBuffer))
    }
  }
}
