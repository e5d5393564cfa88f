// The reader of BoltDB files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BoltBucket, BoltFile } from '../../src-server/import/bolt-file.ts'
import { bytesIn, openSourceFile, type SourceBytes, SourceFault } from '../../src-server/import/source-file.ts'
import { type BoltContent, boltOf, metaPage, sealMeta } from '../support/bolt-writer.ts'

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/filebrowser', name)

/** All of a bucket, with its buckets as objects. */
function contentOf({ entries }: BoltBucket): Record<string, unknown> {
  return Object.fromEntries(
    [...entries()].map(({ key, value, bucket }) => {
      const inner = bucket()
      return [key.toString('latin1'), inner ? contentOf(inner) : value().toString()]
    }),
  )
}

const read = (file: Buffer) => {
  const bolt = new BoltFile(bytesIn(file))
  return contentOf({ entries: () => bolt.entries() })
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const key = (number: number) => String(number).padStart(6, '0')
const many = (count: number): BoltContent => numbers(count).map((number) => [key(number), `value ${number}`])
const expected = (content: BoltContent): Record<string, unknown> =>
  Object.fromEntries(
    content.map(([name, value]) => [
      String(name),
      typeof value === 'object' && 'bucket' in value ? expected(value.bucket) : String(value),
    ]),
  )

for (const pageSize of [1024, 4096, 16_384, 65_536])
  for (const isInline of [true, false])
    test(`pages of ${pageSize} bytes, small buckets ${isInline ? 'within them' : 'with pages of their own'}`, () => {
      const content: BoltContent = [
        ['plain', { bucket: [['a', '1']] }],
        ['levels', { bucket: many(700) }],
        [
          'nested',
          {
            bucket: [
              ['in', { bucket: [['deep', 'yes']] }],
              ['long', 'x'.repeat(150_000)],
            ],
          },
        ],
        ['empty', { bucket: [] }],
      ]
      const file = boltOf(content, { pageSize, isInline, entriesOfPage: 9, deleted: [['plain', 'deleted']] })
      assert.deepEqual(read(file), expected(content))
    })

test('the newer of two whole meta pages counts, and each alone when the other is damaged', () => {
  const file = boltOf([['state', 'new']], { deleted: [['state', 'old']], listsFree: false })
  // Pages 2 and 3 are two whole states.
  metaPage({ pageSize: 4096, root: 2, freelist: undefined, end: 4, transaction: 6 }, 0).copy(file, 0)
  metaPage({ pageSize: 4096, root: 3, freelist: undefined, end: 4, transaction: 7 }, 1).copy(file, 4096)
  assert.deepEqual(read(file), { state: 'new' })
  const withoutSecond = Buffer.from(file).fill(0, 4096, 8192)
  assert.deepEqual(read(withoutSecond), { state: 'old' })
  const withoutFirst = Buffer.from(file).fill(0, 0, 4096)
  assert.deepEqual(read(withoutFirst), { state: 'new' })
  assert.deepEqual(
    [file, withoutSecond].map((one) => new BoltFile(bytesIn(one)).meta.isOnlyOne),
    [false, true],
  )
  const newerFirst = Buffer.from(file)
  newerFirst.writeUInt32LE(8, 16 + 48)
  sealMeta(newerFirst)
  assert.deepEqual(read(newerFirst), { state: 'old' })
})

test('a file is read page by page, and a long value only when it is asked for', () => {
  const file = boltOf([
    ['long', Buffer.alloc(3 << 20)],
    ['short', 'x'],
    ['also', 'y'],
  ])
  let most = 0
  let sum = 0
  const counted: SourceBytes = {
    size: file.length,
    read: (at, length) => {
      most = Math.max(most, length)
      sum += length
      return file.subarray(at, at + length)
    },
  }
  assert.deepEqual(
    [...new BoltFile(counted).entries()].map(({ key: name }) => String(name)),
    ['also', 'long', 'short'],
  )
  assert.ok(most <= 4096 && sum < 50_000, `${most}, ${sum}`)
})

/** A change of one page of a file whose page 2 is the root, a branch page from page 3 on where there are levels. */
const faults: readonly (readonly [what: string, reason: RegExp, make: () => Buffer])[] = [
  ['an empty file', /is not a database/, () => Buffer.alloc(0)],
  ['a text', /is not a database/, () => Buffer.from('# users\n'.repeat(1000))],
  [
    'another version of the format',
    /is in version 1 of its format/,
    () => changed(({ metas }) => metas((page) => page.writeUInt32LE(1, 20))),
  ],
  [
    'damaged meta pages',
    /neither of its two meta pages is whole/,
    () => changed(({ file }) => void file.fill(7, 70, 72).fill(7, 4166, 4168)),
  ],
  ['half a file', /is truncated: it has \d+ of \d+ bytes/, () => boltOf(many(500)).subarray(0, 12_000)],
  [
    'a root that is none of its pages',
    /page 9999999 is none/,
    () => changed(({ metas }) => metas((page) => page.writeUInt32LE(9_999_999, 32))),
  ],
  ['a root that is a meta page', /page 1 is none/, () => changed(({ metas }) => metas((page) => page.writeUInt32LE(1, 32)))],
  [
    'a page number that no file has',
    /a page has a number that none can have/,
    () => changed(({ metas }) => metas((page) => page.fill(255, 32, 40))),
  ],
  [
    'a page that is part of itself',
    /is part of itself, or is used twice/,
    () => changed(({ root }) => void root.writeUInt32LE(pageOfRoot(root), 24), { entriesOfPage: 9 }),
  ],
  [
    'a page that is used twice',
    /is part of itself, or is used twice/,
    () => changed(({ root }) => void root.writeUInt32LE(root.readUInt32LE(24), 40), { entriesOfPage: 9 }),
  ],
  ['more entries than fit', /more entries than fit/, () => changed(({ root }) => void root.writeUInt16LE(65_535, 10))],
  ['an overflow behind the end', /longer than the file/, () => changed(({ root }) => void root.writeUInt32LE(0xffff_ffff, 12))],
  ['a key that is too long', /a key is longer/, () => changed(({ root }) => void root.writeUInt32LE(0xffff_ffff, 24))],
  [
    'a value that is too long',
    /an entry is longer than its page/,
    () => changed(({ root }) => void root.writeUInt32LE(0xffff_ffff, 28)),
  ],
  [
    'a value behind its page',
    /an entry is longer than its page/,
    () => changed(({ root }) => void root.writeUInt32LE(0xffff_fff0, 20)),
  ],
  ['a page of another kind', /of another kind/, () => changed(({ root }) => void root.writeUInt16LE(16, 8))],
  ['a page with another number', /says that it is another one/, () => changed(({ root }) => void root.writeUInt32LE(77, 0))],
  [
    'keys that are not in order',
    /keys are not in order/,
    () => changed(({ root }) => void root.write('999999', root.indexOf('000000'))),
  ],
  ['a key twice', /keys are not in order/, () => changed(({ root }) => void root.write('000001', root.indexOf('000000')))],
  [
    'a page that is listed as free',
    /is used, and listed as free/,
    () =>
      changed(
        ({ metas, file }) => {
          metas((page) => page.writeUInt32LE(2, 32))
          return file
        },
        {},
        [['deleted', 'x']],
      ),
  ],
  [
    'a list of free pages that is too long',
    /free pages is too long/,
    () => changed(({ freelist }) => void freelist.writeUInt16LE(60_000, 10)),
  ],
  [
    'a bucket in a bucket within a page',
    /a bucket within a page has buckets/,
    () =>
      changed(
        ({ root }) => void root.writeUInt32LE(1, root.indexOf('inner') - 16),
        {},
        [],
        [['outer', { bucket: [['inner', 'x']] }]],
      ),
  ],
  [
    'a bucket whose header is too short',
    /header of a bucket is too short/,
    () => changed(({ root }) => void root.writeUInt32LE(1, 16)),
  ],
]

type Parts = { file: Buffer; root: Buffer; freelist: Buffer; metas(change: (page: Buffer) => void): void }

function changed(
  change: (parts: Parts) => unknown,
  options: Parameters<typeof boltOf>[1] = {},
  deleted: BoltContent = [],
  content: BoltContent = many(30),
): Buffer {
  const file = boltOf(content, { ...options, deleted })
  const page = (number: number) => file.subarray(number * 4096)
  const metas = (each: (page: Buffer) => void) => {
    for (const number of [0, 1]) {
      each(page(number))
      sealMeta(page(number))
    }
  }
  change({ file, root: page(file.readUInt32LE(32)), freelist: page(file.readUInt32LE(48)), metas })
  return file
}

const pageOfRoot = (root: Buffer) => root.readUInt32LE(0)

for (const [what, reason, make] of faults)
  test(`${what} is refused with its reason`, () => {
    assert.throws(
      () => read(make()),
      (error) => error instanceof SourceFault && reason.test(error.message),
    )
  })

test('a file with more than databases of File Browser have is refused', () => {
  const bounded = (bounds: ConstructorParameters<typeof BoltFile>[1]) => () =>
    [...new BoltFile(bytesIn(boltOf(many(500))), bounds).entries()].map(({ value }) => value())
  assert.equal(bounded({})().length, 500)
  assert.throws(bounded({ entries: 499 }), /has more than 499 entries/)
  assert.throws(bounded({ content: 5000 }), /has more than 5000 bytes of content/)
})

test('pages that are nested too deep are refused', () => {
  const depth = 60
  const page = (number: number) => {
    const bytes = Buffer.alloc(4096)
    bytes.writeUInt32LE(number, 0)
    bytes.writeUInt16LE(1, 8)
    bytes.writeUInt16LE(1, 10)
    bytes.writeUInt32LE(16, 16)
    bytes.writeUInt32LE(number + 1, 24)
    return bytes
  }
  const meta = { pageSize: 4096, root: 2, freelist: undefined, end: depth + 2, transaction: 1 }
  const file = Buffer.concat([metaPage(meta, 0), metaPage(meta, 1), ...numbers(depth).map((number) => page(number + 2))])
  assert.throws(() => read(file), /nested too deep/)
})

test('what File Browser wrote is read', () => {
  for (const [name, users, links] of [
    ['filebrowser-2.63.db', 9, 7],
    ['sample-small-v2.7.0.db', 3, 3],
    ['sample-v2.7.0.db', 150, 3],
  ] as const) {
    const file = openSourceFile(fixture(name))
    const bolt = new BoltFile(file)
    assert.equal(bolt.meta.pageSize, 4096)
    const content = contentOf({ entries: () => bolt.entries() }) as Record<string, Record<string, unknown>>
    const records = (bucket = {}) => Object.values(bucket).filter((value) => typeof value === 'string').length
    assert.deepEqual([records(content.User), records(content.Link)], [users, links])
    assert.deepEqual(JSON.parse(String(content.config?.version)), 2)
    file.close()
    assert.deepEqual(contentOf({ entries: () => new BoltFile(bytesIn(readFileSync(fixture(name)))).entries() }), content)
  }
})

test('what cannot be opened is refused with its reason', () => {
  assert.throws(() => openSourceFile(fixture('none.db')), /does not exist/)
  assert.throws(() => openSourceFile(import.meta.dirname), /is not a file/)
})
