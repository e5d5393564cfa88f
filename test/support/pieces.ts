/** Bytes that stay in the pieces in which they came, so that a stream that repeats one buffer may be longer than the memory. */
export class Pieces {
  readonly length: number
  readonly #pieces: readonly Uint8Array[]
  readonly #starts: number[] = []

  constructor(pieces: readonly Uint8Array[]) {
    let length = 0
    for (const piece of pieces) {
      this.#starts.push(length)
      length += piece.length
    }
    this.#pieces = pieces
    this.length = length
  }

  /** The pieces between two offsets. @throws RangeError when the bytes end before */
  *between(start: number, end: number): Generator<Uint8Array> {
    if (start < 0 || end < start || end > this.length) throw new RangeError(`${start} to ${end} of ${this.length}`)
    const first = this.#starts.findLastIndex((offset) => offset <= start)
    for (let index = first; index < this.#pieces.length; index++) {
      const [offset = 0, piece = new Uint8Array()] = [this.#starts[index], this.#pieces[index]]
      if (offset >= end) return
      yield piece.subarray(Math.max(0, start - offset), end - offset)
    }
  }

  /** A copy. */
  slice(start: number, end: number): Buffer {
    return Buffer.concat([...this.between(start, end)])
  }
}
