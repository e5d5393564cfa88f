// Functions behind a listing: order, kinds, names, modes and times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRules } from '../../src-server/access/rules.ts'
import { type Path, parsePath } from '../../src-server/base/paths.ts'
import type { Entry, OpenFile } from '../../src-server/disk/disk.ts'
import { FileShrunk } from '../../src-server/disk/driver.ts'
import { inspect, isBinary } from '../../src-server/files/content.ts'
import { freeNameFor, numbered } from '../../src-server/files/free-name.ts'
import { extensionOf, kindByName } from '../../src-server/files/kinds.ts'
import { goMode } from '../../src-server/files/resource.ts'
import { nameOrder, sortEntries } from '../../src-server/files/sorting.ts'
import { rfc3339 } from '../../src-server/files/times.ts'
import { fileContext, principal } from '../support/capabilities.ts'
import { MemoryDisk } from '../support/memory-disk.ts'

function entry(name: string, { size = 0, modified = 0, isDir = false } = {}): Entry {
  const path = `/${name}` as Path
  return { name, path, isDir, isSymlink: false, size, modified: BigInt(modified), mode: 0, version: name }
}
const namesOf = (entries: readonly Entry[]) => entries.map(({ name }) => name)

const byName = { by: 'name', asc: true } as const
const sortedNames = async (names: readonly string[], locale: string) =>
  namesOf(
    await sortEntries(
      names.map((name) => entry(name)),
      { ...byName, locale },
    ),
  )

test('names sort naturally, case aside, and as the locale says', async () => {
  const sorted = sortedNames
  assert.deepEqual(await sorted(['file10', 'file9', 'File1', 'file01', 'a', 'B', '_x'], 'en'), [
    '_x',
    'a',
    'B',
    'file01',
    'File1',
    'file9',
    'file10',
  ])
  assert.deepEqual(await sorted(['z', 'ö', 'o'], 'sv-se'), ['o', 'z', 'ö'])
  assert.deepEqual(await sorted(['z', 'ö', 'o'], 'de'), ['o', 'ö', 'z'])
  assert.deepEqual(await sorted(['b', 'a'], 'no such locale'), ['a', 'b'])
  assert.deepEqual(await sorted(['1.10', '1.9', '1.9.1'], ''), ['1.9', '1.9.1', '1.10'])
})

test('names that are equal in the locale have a stable order', async () => {
  const names = ['cafe\u0301', 'caf\u00e9', 'a\u0001', 'a', 'A']
  assert.deepEqual(await sortedNames(names, 'en'), await sortedNames(names.toReversed(), 'en'))
})

test('a large folder is sorted as a small one, and sorting stops when it is aborted', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `file${(index * 2741) % 5000}.${index % 7}`)
  const { compare, keyOf } = nameOrder('en')
  const expected = names.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
  assert.deepEqual(await sortedNames(names, 'en'), expected)
  const entries = Array.from({ length: 200_000 }, (_, index) => entry(String(index)))
  const operation = new AbortController()
  const sorted = sortEntries(entries, { ...byName, locale: 'en', signal: operation.signal })
  operation.abort(new Error('gone'))
  await assert.rejects(sorted, /gone/)
})

test('the fast order is that of the collator, for every pair of random names', () => {
  // A fixed seed makes a failure repeatable.
  let seed = 20261121
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const name = () => Array.from({ length: 1 + random(6) }, () => String.fromCharCode(32 + random(95))).join('')
  for (const locale of ['en', 'de', 'sv-se', 'is', 'ja', 'zh-cn', 'ar', 'cs', 'th', 'da']) {
    const order = nameOrder(locale)
    const collator = new Intl.Collator(locale, { numeric: true })
    for (let round = 0; round < 2000; round++) {
      const [a, b] = [name(), name()]
      const expected = Math.sign(collator.compare(a, b))
      if (expected !== 0)
        assert.equal(Math.sign(order.compare(order.keyOf(a), order.keyOf(b))), expected, `${locale}: ${a} | ${b}`)
    }
  }
})

test('by name folders come first in both orders; by size only in ascending order; by time they are among files', async () => {
  const entries = [
    entry('b', { size: 5, modified: 1 }),
    entry('dir2', { isDir: true, size: 4096, modified: 2 }),
    entry('a', { size: 9, modified: 3 }),
    entry('dir1', { isDir: true, size: 4096, modified: 4 }),
    entry('c', { size: 5, modified: 3 }),
  ]
  const sorted = async (by: 'name' | 'size' | 'modified', asc: boolean) =>
    namesOf(await sortEntries(entries, { by, asc, locale: 'en' })).join(' ')
  assert.equal(await sorted('name', true), 'dir1 dir2 a b c')
  assert.equal(await sorted('name', false), 'dir2 dir1 c b a')
  assert.equal(await sorted('size', true), 'dir1 dir2 b c a')
  assert.equal(await sorted('size', false), 'a b c dir1 dir2')
  assert.equal(await sorted('modified', true), 'b dir2 a c dir1')
  assert.equal(await sorted('modified', false), 'dir1 a c dir2 b')
})

test('kinds are determined by the name: extensions in any case, dotfiles, whole names', () => {
  const kinds = {
    image: ['a.PNG', 'a.jpeg', 'a.svg', 'a.heic'],
    audio: ['a.mp3', 'a.FLAC', 'a.m4a'],
    video: ['a.mp4', 'a.mkv', 'a.webm'],
    pdf: ['a.pdf', 'A.PDF'],
    text: [
      'a.txt',
      'a.ts',
      'a.rs',
      '.gitignore',
      'Makefile',
      'LICENSE',
      'Dockerfile',
      '.bashrc',
      'x.tar.md',
      'a.json',
      'a.csv',
      '.env',
    ],
    blob: ['a', 'a.exe', 'a.zip', 'a.constructor', 'a.__proto__', 'mp3', 'png', ''],
  }
  for (const [kind, names] of Object.entries(kinds)) for (const name of names) assert.equal(kindByName(name), kind, name)
})

test('an extension is what follows the last dot, with the dot and its case', () => {
  const extensions = { 'a.txt': '.txt', 'a.tar.GZ': '.GZ', '.bashrc': '.bashrc', none: '', 'dot.': '.', '..': '.' }
  for (const [name, extension] of Object.entries(extensions)) assert.equal(extensionOf(name), extension, name)
})

test('the kind of a text that is written anew while it is looked at is known, and its content is not', async () => {
  const read = () =>
    new ReadableStream({
      start: (controller) => controller.error(new FileShrunk()),
    })
  const file = { entry: { size: 6 }, read } as unknown as OpenFile
  const how = { name: 'rota.yaml', signal: new AbortController().signal }
  assert.deepEqual(await inspect(file, { ...how, withContent: false }), { type: 'text' })
  await assert.rejects(inspect(file, { ...how, withContent: true }), FileShrunk)
})

test('binary is a control character up to 8, or what is no UTF-8 but for the cut end', () => {
  assert.ok(!isBinary(Buffer.from('plain \t\r\n\f text ünï😀')))
  assert.ok(!isBinary(Buffer.from('')))
  for (const byte of [0, 1, 8]) assert.ok(isBinary(Buffer.of(97, byte)))
  assert.ok(isBinary(Buffer.of(0xff)))
  assert.ok(isBinary(Buffer.from('é').subarray(0, 1)))
  assert.ok(!isBinary(Buffer.from(`${'a'.repeat(511)}é`).subarray(0, 512)))
  assert.ok(isBinary(Buffer.concat([Buffer.alloc(510, 'a'), Buffer.of(0xc3, 0x28)])))
})

test('a numbered name keeps its extension, and fits 255 bytes in whole characters', () => {
  assert.equal(numbered('a.txt', 1), 'a(1).txt')
  assert.equal(numbered('a.tar.gz', 12), 'a.tar(12).gz')
  assert.equal(numbered('.bashrc', 1), '(1).bashrc')
  assert.equal(numbered('none', 1), 'none(1)')
  assert.equal(Buffer.byteLength(numbered(`${'n'.repeat(251)}.txt`, 1)), 255)
  const wide = numbered(`${'😀'.repeat(62)}.txt`, 10)
  assert.ok(wide.isWellFormed() && wide.endsWith('(10).txt') && Buffer.byteLength(wide) <= 255)
  const dotted = numbered(`.${'é'.repeat(127)}`, 1)
  assert.ok(dotted.isWellFormed() && dotted.endsWith('(1)') && Buffer.byteLength(dotted) <= 255)
})

test('a free name is the first that nothing has, counted from the original, and that no rule hides', async () => {
  const disk = new MemoryDisk({ 'a.txt': '', 'a(1).txt': '', 'a(3).txt': '' })
  assert.equal(await freeNameFor(fileContext(disk, { principal: principal('/a(2).txt') }), parsePath('/a.txt')), '/a(4).txt')
})

test('where rules hide every name with a number, one that is taken is refused', async () => {
  const rules = compileRules([{ regex: true, allow: false, path: '', regexp: { raw: '^/[^/]*[0-9]' } }])
  const context = fileContext(new MemoryDisk({ 'a.txt': '' }), { principal: { ...principal('/x'), rules } })
  await assert.rejects(freeNameFor(context, parsePath('/a.txt')), { code: 'conflict', message: 'the name is taken' })
})

test('modes are Go’s', () => {
  assert.equal(goMode(0o040755), 2147484141)
  assert.equal(goMode(0o100644), 420)
  assert.equal(goMode(0o120777), 134218239)
  assert.equal(goMode(0o010644), 2 ** 25 + 0o644)
  assert.equal(goMode(0o041777), 2 ** 31 + 2 ** 20 + 0o777)
})

test('times are RFC 3339 with nanoseconds, trailing zeros dropped, in the server’s offset', () => {
  const zone = process.env.TZ
  try {
    for (const [tz, nanoseconds, text] of [
      ['UTC', 1_600_000_300_000_000_000n, '2020-09-13T12:31:40Z'],
      ['America/New_York', 1_600_000_300_500_000_000n, '2020-09-13T08:31:40.5-04:00'],
      ['Asia/Kolkata', 1_600_000_300_000_000_001n, '2020-09-13T18:01:40.000000001+05:30'],
      ['UTC', -1n, '1969-12-31T23:59:59.999999999Z'],
      ['UTC', 0n, '1970-01-01T00:00:00Z'],
      ['Asia/Kolkata', 253_402_300_799_000_000_000n, '9999-12-31T23:59:59Z'],
      ['UTC', 2n ** 63n - 1n, '2262-04-11T23:47:16.854775807Z'],
      ['UTC', 9_000_000_000_000n * 1_000_000_000n, '9999-12-31T23:59:59Z'],
      ['America/New_York', -9_000_000_000_000n * 1_000_000_000n, '0000-01-01T00:00:00Z'],
    ] as const) {
      process.env.TZ = tz
      assert.equal(rfc3339(nanoseconds), text)
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})
