// Archives with as many names as they may have, and few bytes that stand for many: read in memory that does not grow with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ArchiveNames } from '../../src-server/archives/archive-names.ts'
import { Budget } from '../../src-server/archives/budget.ts'
import { gunzipped, type OpenBytes } from '../../src-server/archives/byte-source.ts'
import { tarUnpacker } from '../../src-server/archives/tar-reader.ts'
import { unpackedInThread } from '../../src-server/archives/unpack-in-thread.ts'
import type { Unpacker } from '../../src-server/archives/unpacked-entry.ts'
import { unxz } from '../../src-server/archives/unxz.ts'
import { unzstd } from '../../src-server/archives/unzstd.ts'
import { zipUnpacker } from '../../src-server/archives/zip-reader.ts'
import { packedBy } from '../support/archive-tools.ts'
import { tarOf } from '../support/attack-tar.ts'
import { zipOf } from '../support/attack-zip.ts'
import { byScale } from '../support/scale.ts'
import { usedMemory } from '../support/used-memory.ts'

const count = byScale({ usual: 10_000, long: 300_000, full: 1_000_000 })
const mebibyte = 2 ** 20
const nameAt = (index: number) => String(index).padStart(8, '0')
const limits = { gigabytes: 100, ratio: 1000, entries: 1_000_000, spare: 5 }

/** Entries without content. */
async function read(unpacker: Unpacker, isWhole: boolean): Promise<{ entries: number; grown: number }> {
  const budget = new Budget(limits, mebibyte)
  const before = usedMemory().all
  let most = before
  for await (const { parts } of unpacker.entries({ isWhole, names: new ArchiveNames() })) {
    assert.deepEqual(parts, [nameAt(budget.entries)])
    budget.addEntry()
    if (budget.entries % Math.ceil(count / 8) === 0) most = Math.max(most, usedMemory().all)
  }
  return { entries: budget.entries, grown: most - before }
}

/** The bytes of an archive are made when they are read. */
function longZip() {
  const one = zipOf([{ name: nameAt(0) }])
  const [local, row, end] = [one.subarray(0, 38), one.subarray(38, 38 + 54), one.subarray(38 + 54)]
  const rows = count * local.length
  const last = count * (local.length + row.length)
  // The counts of the old record end at 65,535: those of zip64 hold.
  const long = Buffer.alloc(56 + 20)
  long.writeUInt32LE(0x06064b50, 0)
  long.writeBigUInt64LE(44n, 4)
  for (const at of [24, 32]) long.writeBigUInt64LE(BigInt(count), at)
  long.writeBigUInt64LE(BigInt(last - rows), 40)
  long.writeBigUInt64LE(BigInt(rows), 48)
  long.writeUInt32LE(0x07064b50, 56)
  long.writeBigUInt64LE(BigInt(last), 64)
  long.writeUInt32LE(1, 72)
  const tail = Buffer.concat([long, end])
  tail.fill(0xff, long.length + 8, long.length + 20)
  const pieceAt = (at: number): [Buffer, number] => {
    if (at >= last) return [tail, at - last]
    const isLocal = at < rows
    const [length, from] = isLocal ? [local.length, at] : [row.length, at - rows]
    const index = Math.floor(from / length)
    const piece = Buffer.from(isLocal ? local : row)
    piece.write(nameAt(index), isLocal ? 30 : 46)
    if (!isLocal) piece.writeUInt32LE(index * local.length, 42)
    return [piece, from % length]
  }
  return {
    size: last + tail.length,
    async read(buffer: Uint8Array, position: number) {
      for (let filled = 0; filled < buffer.length; ) {
        const [piece, from] = pieceAt(position + filled)
        const part = piece.subarray(from, from + buffer.length - filled)
        buffer.set(part, filled)
        filled += part.length
      }
    },
  }
}

const longTar: OpenBytes = async function* () {
  for (let index = 0; index < count; index++) yield tarOf([{ name: nameAt(index) }], Buffer.alloc(0))
  yield Buffer.alloc(1024)
}

for (const [what, unpacker] of [
  ['zip', zipUnpacker(longZip())],
  ['tar', tarUnpacker(longTar)],
] as const) {
  for (const isWhole of [false, true]) {
    test(`${count} names of a ${what} are read in bounded memory${isWhole ? ', with their entries' : ''}`, {
      timeout: 300_000,
    }, async (t) => {
      const { entries, grown } = await read(unpacker, isWhole)
      t.diagnostic(`${Math.round(grown / mebibyte)} MiB`)
      assert.equal(entries, count)
      assert.ok(grown < byScale({ usual: 16, long: 16, full: 32 }) * mebibyte, `${grown} bytes`)
    })
  }
}

test('one name more than there may be is refused', () => {
  const budget = new Budget(limits, 1)
  for (let entries = 0; entries < limits.entries; entries++) budget.addEntry()
  assert.throws(() => budget.addEntry(), { code: 'tooLarge' })
})

const length = byScale({ usual: 24, long: 256 }) * mebibyte
async function* once(bytes: Uint8Array) {
  yield bytes
}
const packings = {
  bz2: [packedBy(['bzip2', '-9'], Buffer.alloc(length)), (bytes: Buffer) => unpackedInThread('bzip2', once(bytes))],
  lz4: [packedBy(['lz4', '-q'], Buffer.alloc(length)), (bytes: Buffer) => unpackedInThread('lz4', once(bytes))],
  xz: [packedBy(['xz', '-1'], Buffer.alloc(length)), (bytes: Buffer) => unxz(once(bytes))],
  zst: [packedBy(['zstd', '-3'], Buffer.alloc(length)), (bytes: Buffer) => unzstd(once(bytes))],
} as const

for (const [what, [bytes, unpacked]] of Object.entries(packings)) {
  test(`${bytes.length} bytes of ${what} that stand for ${length / mebibyte} MiB come out in bounded memory`, {
    timeout: 300_000,
  }, async (t) => {
    usedMemory()
    const before = process.memoryUsage.rss()
    let [most, all] = [0, 0]
    for await (const piece of unpacked(bytes)) {
      all += piece.length
      // The server collects garbage as it goes on: see `collectGarbage`.
      if (all % (8 * mebibyte) < piece.length) usedMemory()
      most = Math.max(most, process.memoryUsage.rss() - before)
    }
    t.diagnostic(`${Math.round(most / mebibyte)} MiB`)
    assert.equal(all, length)
    assert.ok(most < 64 * mebibyte, `${most} bytes`)
  })
}

test('a tar.gz that would hold terabytes is refused at its first header', async () => {
  const bomb = gzipSync(tarOf([{ name: 'b', sizeBytes: Buffer.from('777777777777') }], Buffer.alloc(0)))
  const budget = new Budget(limits, bomb.length)
  const unpacker = tarUnpacker(() => gunzipped(once(bomb)))
  await assert.rejects(
    async () => {
      for await (const { size } of unpacker.entries({ isWhole: false, names: new ArchiveNames() })) budget.addBytes(size)
    },
    { template: 'the archive holds more than {{number}} times its own size' },
  )
})
