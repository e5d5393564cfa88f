import { RecordWriter } from './record-writer.ts'
import { directoryRecordLength, endRecords, type Header, putDirectoryRecord, type Sums } from './zip-records.ts'

const pageLength = 64 * 1024

/** The records of the directory. They are written into pages, because many short buffers need several times their length. */
export class ZipDirectory {
  /** Bytes of the archive so far: where the next entry begins. */
  offset = 0
  #count = 0
  #size = 0
  readonly #full: Buffer[] = []
  #page = new RecordWriter(pageLength)

  /** @param offset where the entry begins */
  add(header: Header, sums: Sums, offset: number): void {
    const length = directoryRecordLength(header, offset)
    if (this.#page.room < length) this.#turn(length)
    putDirectoryRecord(this.#page, header, sums, offset)
    this.#count++
    this.#size += length
  }

  /** What ends the archive. */
  pages(): readonly Buffer[] {
    return [...this.#full, this.#page.written(), endRecords(this.#count, { offset: this.offset, size: this.#size })]
  }

  #turn(least: number) {
    this.#full.push(this.#page.written())
    this.#page = new RecordWriter(Math.max(least, pageLength))
  }
}
