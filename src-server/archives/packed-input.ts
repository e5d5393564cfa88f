// Packed bytes that a decoder takes as it needs them.
import { cut, moreBehind } from './archive-file.ts'
import { pieceLength } from './byte-source.ts'

/** Unpacks bytes in pieces that each have memory of their own. @throws Failure('invalid') when they are not packed so */
export type Unpack = (input: PackedInput) => Generator<Uint8Array, void, undefined>

export class PackedInput {
  readonly #next: () => Uint8Array | undefined
  #piece: Uint8Array = new Uint8Array(0)
  #at = 0

  /** @param next the next bytes, undefined at the end */
  constructor(next: () => Uint8Array | undefined) {
    this.#next = next
  }

  isAtEnd(): boolean {
    while (this.#at === this.#piece.length) {
      const next = this.#next()
      if (!next) return true
      this.#piece = next
      this.#at = 0
    }
    return false
  }

  /** Whether nothing but zeros follows, with which some programs fill up what they write. @throws Failure('invalid') when more follows zeros */
  isOver(): boolean {
    if (this.isAtEnd()) return true
    if (this.#piece[this.#at] !== 0) return false
    while (!this.isAtEnd()) {
      if (this.#piece.subarray(this.#at).some((byte) => byte !== 0)) throw moreBehind()
      this.#at = this.#piece.length
    }
    return true
  }

  /** The next byte. @throws Failure('invalid') at the end */
  byte(): number {
    if (this.isAtEnd()) throw cut()
    return this.#piece[this.#at++] as number
  }

  /** Exactly so many bytes. @throws Failure('invalid') when there are fewer */
  bytes(length: number): Buffer {
    const bytes = this.upTo(length)
    if (bytes.length < length) throw cut()
    return bytes
  }

  /** So many bytes, or fewer at the end. */
  upTo(length: number): Buffer {
    const bytes = Buffer.alloc(length)
    for (let filled = 0; filled < length; ) {
      if (this.isAtEnd()) return bytes.subarray(0, filled)
      const part = this.#piece.subarray(this.#at, this.#at + length - filled)
      bytes.set(part, filled)
      filled += part.length
      this.#at += part.length
    }
    return bytes
  }
}

/** Pieces of memory of their own. */
export function* inPieces(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield new Uint8Array(bytes.subarray(at, at + pieceLength))
}
