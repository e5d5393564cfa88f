import { directoryRecord, endRecords, type Header, type Sums } from './zip-records.ts'

/** The records of the directory, joined to pages because many short buffers need several times their length. */
export class ZipDirectory {
  /** Bytes of the archive so far: where the next entry begins. */
  offset = 0
  #count = 0
  #size = 0
  readonly #full: Buffer[] = []
  #last: Buffer[] = []
  #lastSize = 0

  /** @param offset where the entry begins */
  add(header: Header, sums: Sums, offset: number): void {
    const record = directoryRecord(header, sums, offset)
    this.#count++
    this.#size += record.length
    this.#last.push(record)
    this.#lastSize += record.length
    if (this.#lastSize >= 64 * 1024) this.#turn()
  }

  /** What ends the archive. */
  pages(): readonly Buffer[] {
    this.#turn()
    return [...this.#full, endRecords(this.#count, { offset: this.offset, size: this.#size })]
  }

  #turn() {
    if (this.#last.length === 0) return
    this.#full.push(Buffer.concat(this.#last))
    this.#last = []
    this.#lastSize = 0
  }
}
