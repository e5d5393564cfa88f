import { crc32 } from 'node:zlib'
import { MemoryPool } from '../base/memory-pool.ts'
import { packInThread } from './pack-threads.ts'
import type { Method, Sums } from './zip-records.ts'

/** A content in one piece, as it stands in the archive. */
export type PackedWhole = Readonly<{ sums: Sums; method: Method; packed: Uint8Array }>

/** Bytes and contents after which a batch is full. */
const enoughBytes = 256 * 1024
const enoughContents = 64

/** For the contents of one batch on their way to a thread and back. */
const memory = new MemoryPool(enoughBytes, 8)

/** Short contents that are packed together, because a message to a thread for each would take longer than deflating it. */
export class ZipBatch<Of> {
  readonly #of: Of[] = []
  readonly #contents: Readonly<{ content: Uint8Array; wanted: Method }>[] = []
  #bytes = 0

  get isFull(): boolean {
    return this.#bytes >= enoughBytes || this.#of.length >= enoughContents
  }

  /** @param of what the content belongs to */
  add(of: Of, content: Uint8Array, wanted: Method): void {
    this.#of.push(of)
    this.#contents.push({ content, wanted: content.length > 0 ? wanted : 'stored' })
    this.#bytes += content.length
  }

  /** All contents in their order, each with what it belongs to. */
  async pack(): Promise<(PackedWhole & { of: Of })[]> {
    const deflating = this.#contents.filter(({ wanted }) => wanted === 'deflated').map(({ content }) => content)
    const deflated = (deflating.length > 0 ? await deflatedAll(deflating) : []).values()
    return this.#contents.map(({ content, wanted }, index) => {
      const packed = wanted === 'deflated' ? (deflated.next().value as PackedWhole) : stored(content)
      return { ...packed, of: this.#of[index] as Of }
    })
  }
}

function stored(content: Uint8Array): PackedWhole {
  const { length } = content
  return { sums: { crc: crc32(content), size: length, packedSize: length }, method: 'stored', packed: content }
}

async function deflatedAll(contents: readonly Uint8Array[]): Promise<PackedWhole[]> {
  const lengths = contents.map(({ length }) => length)
  const { packed, deflated = [], content } = await packInThread({ work: 'zip', content: joined(contents), lengths })
  memory.giveBack(content)
  let at = 0
  return deflated.map(({ crc, packedSize, isDeflated }, index) => {
    const part = packed.subarray(at, at + packedSize)
    at += packedSize
    return { sums: { crc, size: lengths[index] ?? 0, packedSize }, method: isDeflated ? 'deflated' : 'stored', packed: part }
  })
}

/** A copy, because the memory goes to the thread. */
function joined(contents: readonly Uint8Array[]): Uint8Array {
  const all = memory.take(contents.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const content of contents) {
    all.set(content, at)
    at += content.length
  }
  return all
}
