// Packed streams come out as they were, whatever program packed them, in short pieces; and what is not right is noticed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, crc32, gzipSync, zstdCompressSync } from 'node:zlib'
import { cut, moreBehind } from '../../src-server/archives/archive-file.ts'
import { ArchiveNames } from '../../src-server/archives/archive-names.ts'
import { bunzip2 } from '../../src-server/archives/bunzip2.ts'
import { bytesOf, gunzipped } from '../../src-server/archives/byte-source.ts'
import { bzip2, lz4, snappy, xz } from '../../src-server/archives/compress.ts'
import { unpackerOf } from '../../src-server/archives/known-archives.ts'
import { PackedInput, type Unpack } from '../../src-server/archives/packed-input.ts'
import { lz4Unpacker } from '../../src-server/archives/unlz4.ts'
import { unpackedInThread } from '../../src-server/archives/unpack-in-thread.ts'
import { unsnappy } from '../../src-server/archives/unsnappy.ts'
import { unxz } from '../../src-server/archives/unxz.ts'
import { unzstd } from '../../src-server/archives/unzstd.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { packedBy } from '../support/archive-tools.ts'
import { tarOf } from '../support/attack-tar.ts'
import { zipOf } from '../support/attack-zip.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const random = new SeededRandom(21)
const noise = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)))
const words = Buffer.from(Array.from({ length: 30_000 }, () => `word${random.below(500)} `).join(''))
/** Text, what cannot be packed, what repeats, and runs of each length that a decoder may treat on its own. */
const content = Buffer.concat([
  words,
  noise(90_000),
  Buffer.alloc(300_000),
  ...Array.from({ length: 300 }, (_, length) => Buffer.alloc(length, length % 251)),
  words.subarray(0, 70_000),
])

type Decoder = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** Without a thread, which takes longer to start than a short stream to unpack. */
const here = (unpack: () => Unpack | Promise<Unpack>): Decoder =>
  async function* (bytes) {
    const all: Uint8Array[] = []
    for await (const piece of bytes) all.push(piece)
    yield* (await unpack())(new PackedInput(() => all.shift()))
  }
const decoders = {
  bz2: here(() => bunzip2),
  lz4: here(lz4Unpacker),
  sz: here(() => unsnappy),
  xz: unxz,
  zst: unzstd,
  gz: gunzipped,
}
type Kind = keyof typeof decoders

const fileOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (buffer: Uint8Array, at: number) => void buffer.set(bytes.subarray(at, at + buffer.length)),
})

async function unpacked(decoder: Decoder, bytes: Buffer): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of decoder(bytesOf(fileOf(bytes)))) {
    assert.ok(piece.length <= 65_536)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const byTools: readonly (readonly [Kind, ...command: Parameters<typeof packedBy>[0]])[] = [
  ['bz2', 'bzip2', '-1'],
  ['bz2', 'bzip2', '-9'],
  ['xz', 'xz', '-0', '--check=none'],
  ['xz', 'xz', '-6', '--check=crc32'],
  ['xz', 'xz', '-T2', '--block-size=100000', '--check=sha256'],
  ['xz', 'xz', '--x86', '--lzma2=preset=1'],
  ['lz4', 'lz4', '-1'],
  ['lz4', 'lz4', '-9', '-BD', '-BX', '-B4', '--content-size'],
  ['lz4', 'lz4', '--no-frame-crc', '-B5'],
  ['zst', 'zstd', '-1'],
  ['zst', 'zstd', '-19', '--check'],
  ['zst', 'zstd', '-3', '-T2', '--no-check', '--long=24'],
  ['gz', 'gzip', '-9'],
]

for (const [kind, ...command] of byTools) {
  test(`what ${command.join(' ')} packs comes out as it was`, async () => {
    for (const plain of [content, Buffer.alloc(0), Buffer.from('x')]) {
      const packed = packedBy(command, plain)
      assert.ok((await unpacked(decoders[kind], packed)).equals(plain), `${plain.length} bytes`)
    }
  })
}

const { signal } = new AbortController()
async function* once(bytes: Uint8Array) {
  yield bytes
}
for (const [kind, compress] of Object.entries({ bz2: bzip2, xz, lz4, sz: snappy })) {
  test(`what the server itself packs as ${kind} comes out as it was`, async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of compress(once(content), signal)) pieces.push(piece)
    assert.ok((await unpacked(decoders[kind as Kind], Buffer.concat(pieces))).equals(content))
  })
}

const short = Buffer.from(`${'What is packed here is some lines of text. '.repeat(8)}The end.`)

/** Short streams of each kind. */
async function shortOnes(): Promise<Record<Kind, Buffer>> {
  const ours = async (compress: typeof xz) => {
    const pieces: Uint8Array[] = []
    for await (const piece of compress(once(short), signal)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const [ofBzip2, ofXz, ofLz4, ofSnappy] = [await ours(bzip2), await ours(xz), await ours(lz4), await ours(snappy)]
  return {
    bz2: ofBzip2,
    xz: ofXz,
    lz4: ofLz4,
    sz: ofSnappy,
    zst: zstdCompressSync(short, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    gz: gzipSync(short),
  }
}

const skippable = Buffer.from('\x5a\x2a\x4d\x18\x03\0\0\0abc', 'latin1')
const isDamaged = (error: unknown) => error instanceof Failure && error.code === 'invalid'

test('streams one after the other are one, and zeros may fill up the end', async () => {
  const all = await shortOnes()
  for (const [kind, packed] of Object.entries(all) as [Kind, Buffer][]) {
    const twice = await unpacked(decoders[kind], Buffer.concat([packed, packed, Buffer.alloc(kind === 'sz' ? 0 : 64)]))
    assert.equal(String(twice), String(short).repeat(2), kind)
  }
  for (const kind of ['zst', 'lz4'] as const)
    assert.equal(String(await unpacked(decoders[kind], Buffer.concat([all[kind], skippable]))), String(short))
})

test('what a thread has said last is heard also when its end is told first', async () => {
  const { lz4 } = await shortOnes()
  for (let round = 0; round < 5; round++) {
    // The thread ends while this one is busy, behind the answer to its last piece.
    const bytes = unpackedInThread('lz4', once(lz4))
    for await (const _piece of bytes) process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150))
  }
})

test('a stream that is cut anywhere, or has something behind it, is damaged', async () => {
  for (const [kind, packed] of Object.entries(await shortOnes()) as [Kind, Buffer][]) {
    await assert.rejects(unpacked(decoders[kind], Buffer.concat([packed, Buffer.from('rubbish')])), isDamaged, kind)
    const behindZeros = Buffer.concat([packed, Buffer.from('\0\0\0\0rubbish!')])
    await assert.rejects(unpacked(decoders[kind], behindZeros), isDamaged, kind)
    for (let length = 1; length < packed.length; length++) {
      // Chunks of Snappy say nothing of an end.
      const [found] = await Promise.allSettled([unpacked(decoders[kind], packed.subarray(0, length))])
      const isShorter = kind === 'sz' && found.status === 'fulfilled' && found.value.length === 0
      assert.ok(isShorter || (found.status === 'rejected' && isDamaged(found.reason)), `${kind} of ${length} bytes`)
    }
  }
})

test('however little stands behind a stream is told as something behind its end', async () => {
  const { sz: _, ...ended } = await shortOnes()
  for (const [kind, packed] of Object.entries(ended) as [Kind, Buffer][]) {
    for (let length = 1; length < 14; length++) {
      const bytes = Buffer.concat([packed, Buffer.from('rubbish rubbish').subarray(0, length)])
      await assert.rejects(unpacked(decoders[kind], bytes), { template: moreBehind().template }, `${length} behind ${kind}`)
    }
    // Of xz they come in fours.
    for (let zeros = 1; zeros < 6 && kind !== 'xz'; zeros++)
      assert.equal(String(await unpacked(decoders[kind], Buffer.concat([packed, Buffer.alloc(zeros)]))), String(short), kind)
    const half = packed.subarray(0, packed.length / 2)
    for (const bytes of [half, Buffer.concat([packed, half])])
      await assert.rejects(unpacked(decoders[kind], bytes), { template: cut().template }, `a part of ${kind}`)
  }
})

test('what stands behind zeros behind gzip is damaged wherever the zeros begin and end, and zeros alone are not', async () => {
  const { gz: packed } = await shortOnes()
  const named = Buffer.from(packed.subarray(0, 10))
  named[3] = 8
  // A name of the file, so that the stream ends where pieces end that are read.
  const upTo = (length: number) =>
    Buffer.concat([named, Buffer.alloc(length - packed.length - 1, 'n'), Buffer.alloc(1), packed.subarray(10)])
  for (const end of [1000, 65_535, 65_536, 65_537, 131_072]) {
    // The second ends where a piece ends that is read.
    for (const zeros of [1, 65_536 - (end % 65_536), 512, 65_536, 200_000]) {
      const filled = Buffer.concat([upTo(end), Buffer.alloc(zeros)])
      assert.equal(String(await unpacked(gunzipped, filled)), String(short), `${end} and ${zeros}`)
      for (const behind of [Buffer.from('!'), packed])
        await assert.rejects(unpacked(gunzipped, Buffer.concat([filled, behind])), isDamaged, `${end} and ${zeros}`)
    }
  }
})

test('a byte that is changed is noticed, or changes nothing', async () => {
  for (const [kind, packed] of Object.entries(await shortOnes()) as [Kind, Buffer][]) {
    for (let at = 0; at < packed.length; at++) {
      const changed = Buffer.from(packed)
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
      const [found] = await Promise.allSettled([unpacked(decoders[kind], changed)])
      const isRight =
        found.status === 'fulfilled'
          ? found.value.equals(short) || found.value.length === 0
          : found.reason instanceof Failure && ['invalid', 'tooLarge'].includes(found.reason.code)
      assert.ok(isRight, `${kind} at ${at}: ${found.status === 'rejected' ? found.reason : found.value}`)
    }
  }
})

test('few bytes that stand for many come out piece by piece', async () => {
  const packed = packedBy(['bzip2', '-1'], Buffer.alloc(4_000_000))
  assert.ok(packed.length < 60)
  let length = 0
  for await (const piece of decoders.bz2(bytesOf(fileOf(packed)))) length += piece.length
  assert.equal(length, 4_000_000)
})

test('what would need more memory than there is for it is refused before it gets some', async () => {
  const { xz: packed } = await shortOnes()
  const header = packed.subarray(12, 12 + 4 * ((packed[12] ?? 0) + 1))
  const place = header.indexOf(Buffer.of(0x21, 1)) + 2
  header[place] = 40
  header.writeUInt32LE(crc32(header.subarray(0, -4)), header.length - 4)
  // A window of 128 MiB, and a block of one byte.
  const longWindow = Buffer.from('28b52ffd00880900004100'.slice(0, 20), 'hex')
  for (const [decoder, bytes] of [[unxz, packed] as const, [unzstd, longWindow] as const])
    await assert.rejects(unpacked(decoder, bytes), { code: 'tooLarge' })
})

test('streams of xz without a block are left out, however many there are, and are checked', async () => {
  const [empty, packed] = [packedBy(['xz', '-0'], Buffer.alloc(0)), packedBy(['xz', '-0'], words)]
  const many = Array<Buffer>(1000).fill(empty)
  const zeros = Buffer.alloc(4)
  for (const bytes of [[...many, packed], [packed, ...many], many.flatMap((one) => [one, zeros]).concat(packed)])
    assert.ok((await unpacked(unxz, Buffer.concat(bytes))).equals(words))
  for (const place of empty.keys()) {
    const wrong = Buffer.from(empty)
    wrong[place] = (wrong[place] ?? 0) ^ 1
    await assert.rejects(unpacked(unxz, Buffer.concat([packed, wrong])), isDamaged, `byte ${place}`)
  }
})

test('a stream of very many parts of which each holds next to nothing is refused', async () => {
  const parts = { xz: [unxz, packedBy(['xz', '-0'], Buffer.alloc(0))], zst: [unzstd, zstdCompressSync(Buffer.alloc(0))] } as const
  for (const [decoder, part] of Object.values(parts)) {
    const one = await unpacked(decoder, Buffer.concat(Array<Buffer>(300).fill(part)))
    assert.equal(one.length, 0)
    await assert.rejects(unpacked(decoder, Buffer.concat(Array<Buffer>(11_000).fill(part))), isDamaged)
  }
})

test('a thread that is woken for nothing goes on waiting', async (t) => {
  const packed = packedBy(['lz4', '-1'], content)
  const { notify } = Atomics
  let waking: Int32Array | undefined
  t.mock.method(Atomics, 'notify', (array: Int32Array, ...rest: [number]) => {
    waking = array
    return notify(array, ...rest)
  })
  const timer = setInterval(() => waking && notify(waking, 0), 0)
  async function* pieces() {
    // Each of its own, so that the thread waits often.
    for (let at = 0; at < packed.length; at += 50) {
      yield Uint8Array.from(packed.subarray(at, at + 50))
      if (waking) notify(waking, 0)
    }
  }
  try {
    const all = await unpacked(() => unpackedInThread('lz4', pieces()), packed)
    assert.ok(all.equals(content))
  } finally {
    clearInterval(timer)
  }
})

test('a thread unpacks no further than its reader has read, and ends with it', async () => {
  const packed = packedBy(['bzip2', '-1'], content)
  const all = await unpacked((bytes) => unpackedInThread('bzip2', bytes), packed)
  assert.ok(all.equals(content))
  let taken = 0
  let isClosed = false
  async function* source() {
    try {
      for (; ; taken++) yield packed
    } finally {
      isClosed = true
    }
  }
  for await (const _piece of unpackedInThread('bzip2', source())) break
  assert.deepEqual([taken, isClosed], [0, true])
  await assert.rejects(
    unpacked((bytes) => unpackedInThread('lz4', bytes), packed),
    isDamaged,
  )
})

test('what its source throws comes out of each decoder', async () => {
  const all = await shortOnes()
  for (const [kind, packed] of Object.entries(all) as [Kind, Buffer][]) {
    async function* failing() {
      yield packed.subarray(0, 20)
      throw Object.assign(new Error('the disk broke'), { code: 'EIO' })
    }
    await assert.rejects(
      async () => {
        for await (const _piece of decoders[kind](failing()));
      },
      { code: 'EIO' },
      kind,
    )
  }
})

/** The names of what a file holds, whatever it is. */
async function namesIn(bytes: Buffer): Promise<string[]> {
  const unpacker = await unpackerOf(fileOf(bytes))
  const names: string[] = []
  for await (const { name } of unpacker.entries({ isWhole: true, names: new ArchiveNames() })) names.push(name)
  return names
}

test('what an archive is, is told by its content: behind frames that are skipped, and behind a program', async () => {
  const tar = tarOf([{ name: 'a', content: 'A' }])
  const lz4Of = async (bytes: Buffer) => {
    const pieces: Uint8Array[] = []
    for await (const piece of lz4(once(bytes), signal)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const packed = [await lz4Of(tar), zstdCompressSync(tar)]
  for (const one of packed) assert.deepEqual(await namesIn(Buffer.concat([skippable, skippable, one])), ['a'])
  const { length } = zipOf([{ name: 'a' }])
  const zip = zipOf([{ name: 'a' }], { before: Buffer.alloc(1024 - (length % 512), '#') })
  assert.deepEqual([zip.length % 512, await namesIn(zip)], [0, ['a']])
  assert.deepEqual(await namesIn(tarOf([{ name: 'a', magic: '\0', type: '\0' }])), ['a'])
  await assert.rejects(namesIn(skippable), isDamaged)
})
