/** Bytes of one page. */
export const pageLength = 64 * 1024

/** Copies short pieces into pages, so that many small files do not become many small writes. */
export class Pages {
  #page: Buffer | undefined
  #filled = 0

  /** @returns the pages that are full now. The piece may be changed afterwards. */
  add(piece: Uint8Array): Buffer[] {
    const full: Buffer[] = []
    for (let at = 0; at < piece.length; ) {
      this.#page ??= Buffer.allocUnsafeSlow(pageLength)
      const part = piece.subarray(at, at + pageLength - this.#filled)
      this.#page.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === pageLength) full.push(...this.flush())
    }
    return full
  }

  /** @returns what is in the last page, if there is anything */
  flush(): Buffer[] {
    const page = this.#page
    const last = page && this.#filled > 0 ? [page.subarray(0, this.#filled)] : []
    this.#page = undefined
    this.#filled = 0
    return last
  }
}
