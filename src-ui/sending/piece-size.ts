// How large the pieces of an upload are: large ones cost fewer requests, and what breaks off is sent again in part.
import { getItem, setItem } from '../core/storage.ts'

const mebibyte = 1 << 20
/** Bytes of the first pieces, and of the smallest. */
const [largest, least] = [64 * mebibyte, mebibyte]
/** The name under which the browser keeps what a proxy of this server has let through. */
const kept = 'upload.piece'
/** After so many pieces that have arrived a larger one is tried again. */
const enough = 8
/** Some proxies cut what is too large for them in place of refusing it. */
const mostCuts = 3

/** The size of the next piece, for all uploads of the page. */
export class PieceSize {
  #most: number
  #size: number
  #whole = 0
  #cuts = 0
  #hasArrived = false

  constructor() {
    const most = Number(getItem(kept))
    this.#most = most >= least && most <= largest ? most : largest
    this.#size = this.#most
  }

  /** Bytes. */
  get value(): number {
    return this.#size
  }

  /** A piece has arrived whole. */
  wentThrough(): void {
    this.#hasArrived = true
    this.#cuts = 0
    this.#whole += 1
    if (this.#whole < enough || this.#size >= this.#most) return
    this.#whole = 0
    this.#size = Math.min(this.#most, 2 * this.#size)
  }

  /** A piece broke off on the way: smaller ones lose less. @param size what `value` was for it: several break off at once */
  cut(size: number): void {
    if (size > this.#size) return
    this.#cuts += 1
    // Nothing has ever come through: it is too large for something on the way.
    if (!this.#hasArrived && this.#cuts >= mostCuts) this.refused(size)
    else this.#halve()
  }

  /** A piece is too large for the server or something before it. @param size as for `cut` @returns whether a smaller one can be tried */
  refused(size: number): boolean {
    if (size > this.#size) return true
    const was = this.#size
    this.#halve()
    this.#cuts = 0
    this.#most = this.#size
    setItem(kept, String(this.#most))
    return this.#size < was
  }

  #halve() {
    this.#whole = 0
    this.#size = Math.max(least, Math.floor(this.#size / 2))
  }
}
