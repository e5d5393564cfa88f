import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArchiveEntry, ArchiveWriter } from '../../src-server/archives/archive.ts'
import { zip } from '../../src-server/archives/zip.ts'
import { file, folder, inOrder, repeated } from '../support/archive-entries.ts'
import { nameInZip, nastyNames } from '../support/nasty-names.ts'
import { readZip } from '../support/read-zip.ts'
import { isLong } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { zipByArchiver } from '../support/zip-by-archiver.ts'

const mebibyte = 1024 * 1024

const text = Buffer.alloc(3 * mebibyte, 'A line of text.\n')
const noise = randomBytes(3 * mebibyte)
const contents: readonly (readonly [path: string, content: Uint8Array, method: number, hasDescriptor: boolean])[] = [
  ['empty.txt', Buffer.alloc(0), 0, false],
  ['short.txt', text.subarray(0, 1000), 8, false],
  ['noise.txt', noise.subarray(0, 1000), 0, false],
  ['compressed.JPG', text.subarray(0, 1000), 0, false],
  ['jpg', text.subarray(0, 1000), 8, false],
  ['folder.zip/a.txt', text.subarray(0, 1000), 8, false],
  ['longest whole.txt', text.subarray(0, mebibyte), 8, false],
  ['long.txt', text.subarray(0, mebibyte + 1), 8, true],
  ['longer.txt', text, 8, true],
  ['noise.bin', noise, 0, true],
  ['noise that is read whole.bin', noise.subarray(0, 500_000), 0, false],
  ['noise and text.bin', Buffer.concat([noise.subarray(0, 30_000), text]), 8, true],
  ['noise.mp4', noise, 0, true],
]

// Two implementations of one interface: what every writer promises is tried with both.
for (const [writer, write] of [
  ['our writer', zip],
  ['archiver', zipByArchiver],
] as const) {
  test(`${writer}: an archive without entries is valid`, async () => {
    assert.deepEqual(await packed(write, []), { entries: [], isZip64: false })
  })

  test(`${writer}: every name arrives as it was, except that a backslash becomes _`, async () => {
    const { entries } = await packed(
      write,
      nastyNames.map((name) => file(`ü/${name}`, name)),
    )
    const expected = nastyNames.map((name) => [`ü/${nameInZip(name)}`, name])
    assert.deepEqual(
      entries.map(({ name, content }) => [name, content().toString()]),
      expected,
    )
  })

  test(`${writer}: folders are kept, also empty ones, and so are permissions`, async () => {
    const { entries } = await packed(write, [
      folder('empty'),
      folder('closed', { mode: 0o700 }),
      folder('closed/😀', { mode: 0o1777 }),
      file('run.sh', '#!/bin/sh\n', { mode: 0o755 }),
      file('secret', '', { mode: 0o600 }),
      { path: 'without content', isDir: false, size: 0, modified: 0n, mode: 0 },
    ])
    assert.deepEqual(
      entries.map(({ name, size, mode }) => [name, size, mode.toString(8)]),
      [
        ['empty/', 0, '40755'],
        ['closed/', 0, '40700'],
        ['closed/😀/', 0, '41777'],
        ['run.sh', 10, '100755'],
        ['secret', 0, '100600'],
        ['without content', 0, '100000'],
      ],
    )
  })

  test(`${writer}: contents of all lengths arrive byte for byte`, async () => {
    const { entries } = await packed(
      write,
      contents.map(([path, content]) => file(path, content)),
    )
    for (const [index, [path, content, method]] of contents.entries()) {
      const entry = entries[index]
      assert.equal(entry?.name, path)
      assert.ok(entry.content().equals(content), path)
      // What gets no shorter may still be deflated; what is compressed by its name is not.
      if (method === 8) assert.equal(entry.method, 8, path)
      if (/\.(jpg|mp4)$/i.test(path)) assert.equal(entry.method, 0, path)
    }
  })

  for (const path of ['', '/etc/passwd', '../up', 'a/../../up', 'a//b', 'a/', './a', 'nul\0', 'n'.repeat(65_536)])
    test(`${writer}: the path ${JSON.stringify(path.slice(0, 20))} is refused`, async () => {
      await assert.rejects(packed(write, [file('a', 'a'), file(path, 'b')]), { code: 'invalid' })
    })
}

const times: readonly (readonly [modified: string, dosTime: string, timestamp: string | undefined])[] = [
  ['2024-02-29T12:34:57.999Z', '2024-02-29T12:34:56.000Z', '2024-02-29T12:34:57.000Z'],
  ['1980-01-01T00:00:00.000Z', '1980-01-01T00:00:00.000Z', '1980-01-01T00:00:00.000Z'],
  ['1979-12-31T23:59:59.000Z', '1980-01-01T00:00:00.000Z', '1979-12-31T23:59:59.000Z'],
  ['1969-12-31T23:59:58.500Z', '1980-01-01T00:00:00.000Z', '1969-12-31T23:59:58.000Z'],
  ['1901-12-13T20:45:52.000Z', '1980-01-01T00:00:00.000Z', '1901-12-13T20:45:52.000Z'],
  ['1901-12-13T20:45:51.000Z', '1980-01-01T00:00:00.000Z', undefined],
  ['2038-01-19T03:14:07.000Z', '2038-01-19T03:14:06.000Z', '2038-01-19T03:14:07.000Z'],
  ['2038-01-19T03:14:08.000Z', '2038-01-19T03:14:08.000Z', undefined],
  ['2107-12-31T23:59:59.000Z', '2107-12-31T23:59:58.000Z', undefined],
  ['2400-01-01T00:00:00.000Z', '2107-12-31T23:59:58.000Z', undefined],
]
for (const [modified, dosTime, timestamp] of times)
  test(`a file of ${modified} has the nearest time that the format holds`, async () => {
    const { entries } = await packed(zip, [file('a', '', { modified: BigInt(Date.parse(modified)) * 1_000_000n })])
    const seconds = timestamp && Date.parse(timestamp) / 1000
    assert.deepEqual(
      entries.map((entry) => [entry.dosTime.toISOString(), entry.timestamp]),
      [[dosTime, seconds]],
    )
  })

for (const [path, content, method, hasDescriptor] of contents)
  test(`${path} with ${content.length} bytes is ${method ? 'deflated' : 'stored'}`, async () => {
    const { entries, isZip64 } = await packed(zip, [file(path, content)])
    assert.deepEqual(
      entries.map((entry) => [entry.name, entry.method, entry.hasDescriptor, entry.isZip64]),
      [[path, method, hasDescriptor, false]],
    )
    assert.ok(entries[0]?.content().equals(content))
    assert.equal(isZip64, false)
  })

// In `npm test` other programs unpack such an archive: test/server/archives.long.test.ts.
if (isLong)
  test('a file of 5 GiB and the files behind it use zip64', { timeout: 300_000 }, async () => {
    const zeros = repeated('disk.mp4', Buffer.alloc(mebibyte), 5 * 1024)
    const { entries, isZip64 } = await packed(zip, [file('before', 'b'), zeros, file('behind', 'c'), folder('last')])
    assert.deepEqual(
      entries.map(({ name, size, isZip64 }) => [name, size, isZip64]),
      [
        ['before', 1, false],
        ['disk.mp4', 5 * 1024 ** 3, true],
        ['behind', 1, true],
        ['last/', 0, true],
      ],
    )
    assert.equal(entries[2]?.content().toString(), 'c')
    assert.equal(isZip64, true)
  })

// 65,535 is what the last field without zip64 says where it stands for a larger number.
for (const [count, expected] of [[1000, false], [65_535, true], ...(isLong ? ([[70_000, true]] as const) : [])] as const)
  test(`${count} entries ${expected ? 'use' : 'do not use'} zip64`, async () => {
    const names = Array.from({ length: count }, (_, index) => `${index % 100}/${index}`)
    const { entries, isZip64 } = await packed(
      zip,
      names.map((name) => file(name, '')),
    )
    assert.deepEqual(
      entries.map(({ name }) => name),
      names,
    )
    assert.equal(isZip64, expected)
  })

test('memory of a long content is given back once it is packed, deflated or stored', async () => {
  for (const [path, content] of [
    ['deflated.txt', text],
    ['stored.mp4', noise],
  ] as const) {
    let count = 0
    const giveBack = (chunk: Uint8Array) => {
      count++
      chunk.fill(0)
    }
    const { entries } = await packed(zip, [file(path, content, { giveBack, read: () => copies(content) })])
    assert.ok(entries[0]?.content().equals(content), path)
    assert.equal(count, Math.ceil(content.length / mebibyte), path)
  }
})

async function* copies(content: Uint8Array) {
  for (let at = 0; at < content.length; at += mebibyte) yield Uint8Array.from(content.subarray(at, at + mebibyte))
}

async function packed(write: ArchiveWriter, entries: Iterable<ArchiveEntry>) {
  return readZip(await Array.fromAsync(write(inOrder(entries), new AbortController().signal)))
}

function randomBytes(length: number) {
  const random = new SeededRandom(7)
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}
