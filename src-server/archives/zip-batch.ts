import { crc32 } from 'node:zlib'
import { MemoryPool } from '../base/memory-pool.ts'
import { packInThread } from './pack-threads.ts'
import { RecordWriter } from './record-writer.ts'
import type { Packed } from './zip-deflate.ts'
import { type Header, localHeaderLength, putLocalHeader, type Sums } from './zip-records.ts'

/** What is known about an entry before it is packed. */
export type Facts = Pick<Header, 'name' | 'nameLength' | 'isDir' | 'times' | 'mode'>

/** The entries of a batch as they stand in the archive, all in one piece. */
export type PackedBatch = Readonly<{ piece: Buffer; headers: readonly Header[]; sums: readonly Sums[] }>

/** Bytes and contents after which a batch is full. */
const enoughBytes = 256 * 1024
const enoughContents = 64

/** For the contents of one batch, also on their way to a thread and back. */
const pool = new MemoryPool(enoughBytes, 8)

/**
 * Entries with short contents that are packed together, because a message to a thread for each would take longer than deflating it.
 * It has a copy of the contents and only the facts about their entries: what is referred to for long is collected late.
 */
export class ZipBatch {
  readonly #facts: Facts[] = []
  readonly #lengths: number[] = []
  readonly #wanted: boolean[] = []
  #memory = new Uint8Array(0)
  #filled = 0

  get isEmpty(): boolean {
    return this.#facts.length === 0
  }

  get isFull(): boolean {
    return this.#filled >= enoughBytes || this.#facts.length >= enoughContents
  }

  /** Whether there is room for a content of this length. */
  fits(length: number): boolean {
    return this.#memory.length === 0 || this.#filled + length <= this.#memory.length
  }

  /** @param content which fits, and is needed no longer afterwards @param isDeflated whether it is to be deflated if that makes it shorter */
  add(facts: Facts, content: Uint8Array, isDeflated: boolean): void {
    if (this.#memory.length === 0 && content.length > 0) this.#memory = pool.take(Math.max(content.length, enoughBytes))
    this.#memory.set(content, this.#filled)
    this.#filled += content.length
    this.#facts.push(facts)
    this.#lengths.push(content.length)
    this.#wanted.push(isDeflated && content.length > 0)
  }

  async pack(): Promise<PackedBatch> {
    const { content, crcs, packedLengths } = this.#wanted.includes(true) ? await this.#packInThread() : this.#stored()
    const sums = this.#lengths.map((size, index) => ({
      crc: crcs[index] as number,
      size,
      packedSize: packedLengths[index] as number,
    }))
    const headers = sums.map(({ size, packedSize }, index) => {
      const method = packedSize < size ? 'deflated' : 'stored'
      return { ...(this.#facts[index] as Facts), method, hasDescriptor: false, isLarge: false } as const
    })
    const piece = joined(headers, sums, content)
    if (content.length > 0) pool.giveBack(content)
    return { piece, headers, sums }
  }

  async #packInThread(): Promise<Packed & { content: Uint8Array }> {
    const request = { work: 'zip', content: this.#memory, lengths: this.#lengths, wanted: this.#wanted } as const
    const { content, packed } = await packInThread(request)
    return { content, ...packed }
  }

  #stored(): Packed & { content: Uint8Array } {
    let at = 0
    const crcs = this.#lengths.map((length) => {
      at += length
      return crc32(this.#memory.subarray(at - length, at))
    })
    return { content: this.#memory, crcs, packedLengths: this.#lengths }
  }
}

/** @param content the packed contents, one after the other */
function joined(headers: readonly Header[], sums: readonly Sums[], content: Uint8Array): Buffer {
  let length = 0
  for (const [index, { packedSize }] of sums.entries()) length += localHeaderLength(headers[index] as Header) + packedSize
  const to = new RecordWriter(length)
  let at = 0
  for (const [index, sum] of sums.entries()) {
    putLocalHeader(to, headers[index] as Header, sum)
    to.bytes(content.subarray(at, at + sum.packedSize))
    at += sum.packedSize
  }
  return to.written()
}
