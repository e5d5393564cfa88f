// Tar archives that a job extracts, alone and packed.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { ArchiveNames } from '../../src-server/archives/archive-names.ts'
import { tarUnpacker } from '../../src-server/archives/tar-reader.ts'
import { paxOf, type TarPart, tarOf } from '../support/attack-tar.ts'
import { jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

const long = `${'long/'.repeat(30)}name`
const a: TarPart = { name: 'a', content: 'A' }
const b: TarPart = { name: 'b', content: 'B' }
const sparse = { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': 's', 'GNU.sparse.realsize': '6' }
const inBlock = (map: string, content: string) => map.padEnd(512, '\0') + content
/** The old form of GNU, with a map of nothing in blocks behind the header. */
function oldSparse({ size = Buffer.alloc(12), blocks = 0 }): TarPart {
  const block = Buffer.alloc(512)
  block[504] = 1
  const map = Buffer.concat(Array.from({ length: blocks }, () => block))
  if (blocks > 0) map[(blocks - 1) * 512 + 504] = 0
  return { name: 's', type: 'S', size: 0, content: map, sparse: { size, isMore: blocks > 0 } }
}
const base256 = Buffer.alloc(12)
base256[0] = 0x80
base256[11] = 1

async function start(t: TestContext) {
  const app = await startApp(t, { files: { 'o/x': 'X' } })
  const jobs = jobCalls(await app.as('ann'))
  let count = 0
  const extract = async (archive: Uint8Array, name = 'old.tar') => {
    await writeFile(join(app.root, name), archive)
    const { job } = await jobs.start({ kind: 'extract', entries: [`/${name}`], to: `/${++count}` })
    const below = Object.entries(await harvest(app.root)).filter(([path]) => path.startsWith(`${count}/`))
    return { job, found: Object.fromEntries(below.map(([path, what]) => [path.slice(`${count}/`.length), what])) }
  }
  return { app, jobs, extract }
}

const right: readonly (readonly [what: string, archive: Buffer, wanted: object])[] = [
  [
    'files, folders and links',
    tarOf([a, { name: 'd/', type: '5' }, { name: 'd/e/f', content: 'F' }, { name: 'l', type: '2', link: 'd/e/f' }]),
    {
      'old/a': 'A',
      'old/d/e/f': 'F',
      'old/l': { link: 'd/e/f' },
    },
  ],
  [
    'the oldest form',
    tarOf([
      { ...a, type: '\0', magic: '\0' },
      { name: 'd/', type: '\0', magic: '\0' },
    ]),
    { 'old/a': 'A', 'old/d/': '' },
  ],
  ['names of pax', tarOf([paxOf({ path: long, mtime: '1.5' }), a]), { [long]: 'A' }],
  ['names of GNU', tarOf([{ name: '././@LongLink', type: 'L', content: `${long}\0` }, a]), { [long]: 'A' }],
  ['a size of pax', tarOf([paxOf({ size: '1' }), { ...a, size: 0, sizeBytes: Buffer.from('00000000000\0') }]), { a: 'A' }],
  ['a size in bytes', tarOf([{ ...a, sizeBytes: base256 }]), { a: 'A' }],
  ['records for all', tarOf([paxOf({ comment: 'x' }, 'g'), a]), { a: 'A' }],
  ['a hard link', tarOf([a, { name: 'd/h', type: '1', link: 'a' }]), { 'old/a': 'A', 'old/d/h': 'A' }],
  [
    'a hard link to a link',
    tarOf([a, { name: 'l', type: '2', link: 'a' }, { name: 'h', type: '1', link: 'l' }]),
    {
      'old/a': 'A',
      'old/h': { link: 'a' },
      'old/l': { link: 'a' },
    },
  ],
  ['a file that was added again', tarOf([a, b, { ...a, content: 'new' }]), { 'old/a': 'new', 'old/b': 'B' }],
  [
    'dots at the beginning',
    tarOf([
      { name: './', type: '5' },
      { name: './a', content: 'A' },
    ]),
    { a: 'A' },
  ],
  ['an end of one block', tarOf([a], Buffer.alloc(512)), { a: 'A' }],
  ['nothing but its end', tarOf([]), { 'old/': '' }],
  ['holes', tarOf([paxOf(sparse), { ...a, content: inBlock('2\n1\n2\n5\n1\n', 'ABC') }]), { s: '\0AB\0\0C' }],
  ['a label', tarOf([{ name: 'label', type: 'V' }, a]), { a: 'A' }],
  ['a label as GNU tar writes it', tarOf([{ name: 'label', type: 'V', magic: '' }, a]), { a: 'A' }],
  [
    'a folder with a list of what is in it',
    tarOf([{ name: 'd/', type: 'D', content: 'Ya\0\0' }, a]),
    { 'old/a': 'A', 'old/d/': '' },
  ],
]

test('tar archives of all kinds, alone and packed', async (t) => {
  const { app, extract } = await start(t)
  for (const [what, archive, wanted] of right) {
    const { job, found } = await extract(archive)
    assert.deepEqual([job.failures, found], [[], wanted], what)
  }
  const [, plain = Buffer.alloc(0)] = right[0] ?? []
  assert.deepEqual((await extract(zstdCompressSync(plain), 'old.tar.zst')).found, right[0]?.[2])
  for (const name of ['old.tar.gz', 'old.TGZ']) {
    const [, , wanted] = right[0] ?? []
    const parts = [gzipSync(plain.subarray(0, 700)), gzipSync(plain.subarray(700))]
    assert.deepEqual((await extract(Buffer.concat(parts), name)).found, wanted, name)
  }
  const { found } = await extract(tarOf([{ ...a, name: 'm/a', mode: 0o6777 }]))
  assert.deepEqual(found, { 'm/a': 'A' })
  const { mode, mtime } = statSync(join(app.root, `${right.length + 4}/m/a`))
  assert.deepEqual([mode & 0o7777, mtime.toISOString()], [0o755, '2024-02-29T00:00:00.000Z'])
})

test('times before 1970 and after 2038 stay', async (t) => {
  const { app, extract } = await start(t)
  for (const [index, year] of ['1968', '1975', '2040', '2110'].entries()) {
    const time = new Date(`${year}-02-03T04:05:06Z`)
    await extract(tarOf([paxOf({ mtime: String(time.getTime() / 1000) }), { ...a, name: 'm/a' }]))
    assert.equal(statSync(join(app.root, `${index + 1}/m/a`)).mtime.getTime(), time.getTime(), year)
  }
})

const gz = gzipSync(tarOf([a]))
const attacks: readonly (readonly [what: string, archive: Buffer, code: string, name?: string])[] = [
  ['a name that leads out', tarOf([a, { name: '../out', content: '!' }]), 'archiveLeaves', '../out'],
  ['the same by pax', tarOf([paxOf({ path: 'd/../../out' }), a]), 'archiveLeaves', 'd/../../out'],
  ['the same by GNU', tarOf([{ name: 'x', type: 'L', content: '/out\0' }, a]), 'archiveLeaves', '/out'],
  ['a link out', tarOf([a, { name: 'l', type: '2', link: '..' }]), 'archiveLink', 'l'],
  ['a link that is the only entry', tarOf([{ name: 'l', type: '2', link: 'x' }]), 'archiveLink', 'l'],
  ['a link out by pax', tarOf([a, paxOf({ linkpath: '/etc' }), { name: 'l', type: '2', link: 'a' }]), 'archiveLink', 'l'],
  [
    'a file through a link',
    tarOf([a, { name: 'l', type: '2', link: 'd' }, { name: 'l/out', content: '!' }]),
    'archiveTwice',
    'l',
  ],
  ['a hard link out', tarOf([a, { name: 'h', type: '1', link: '../../etc/passwd' }]), 'archiveLeaves'],
  ['a hard link to what comes later', tarOf([{ name: 'h', type: '1', link: 'a' }, a]), 'archiveLink', 'h'],
  [
    'a hard link to a folder',
    tarOf([
      { name: 'd/', type: '5' },
      { name: 'h', type: '1', link: 'd' },
    ]),
    'archiveLink',
    'h',
  ],
  ['a hard link to itself', tarOf([a, { name: 'h', type: '1', link: 'h' }]), 'archiveLink', 'h'],
  [
    'a hard link to another top than the only one',
    tarOf([
      { name: 'd/a', content: 'A' },
      { name: 'd/h', type: '1', link: 'e/a' },
    ]),
    'archiveLink',
    'd/h',
  ],
  ['a file that is a folder too', tarOf([a, { name: 'a/b', content: '!' }]), 'archiveTwice', 'a/b'],
  [
    'a link of a name twice',
    tarOf([a, { name: 'l', type: '2', link: 'a' }, { name: 'l', type: '2', link: 'a' }]),
    'archiveTwice',
    'l',
  ],
  ['a device', tarOf([a, { name: 'dev', type: '3' }]), 'archiveDevice', 'dev'],
  ['a pipe', tarOf([a, { name: 'pipe', type: '6' }]), 'archiveDevice', 'pipe'],
  ['a sparse file without a map', tarOf([{ ...a, type: 'S' }]), 'archiveDamaged'],
  ['a sparse file of an old form of pax', tarOf([paxOf({ 'GNU.sparse.major': '0' }), a]), 'archiveMethod', 'a'],
  [
    'a sparse file that would be long',
    tarOf([paxOf({ ...sparse, 'GNU.sparse.realsize': '9007199254740991' }), a]),
    'archiveTooLarge',
  ],
  ['a map that goes on without parts', tarOf([oldSparse({ blocks: 3000 }), a]), 'archiveDamaged'],
  ['parts that overlap', tarOf([paxOf(sparse), { ...a, content: inBlock('2\n0\n2\n1\n1\n', 'ABC') }]), 'archiveDamaged'],
  ['parts behind the end', tarOf([paxOf(sparse), { ...a, content: inBlock('1\n5\n2\n', 'AB') }]), 'archiveDamaged'],
  ['more content than parts', tarOf([paxOf(sparse), { ...a, content: inBlock('1\n0\n1\n', 'AB') }]), 'archiveDamaged'],
  ['a map without an end', tarOf([paxOf(sparse), { ...a, content: '9'.repeat(2000) }]), 'archiveDamaged'],
  ['an unknown type', tarOf([{ ...a, type: 'M' }]), 'archiveMethod', 'a'],
  ['a reserved name', tarOf([a, { name: '.holdall-trash/x', content: '!' }]), 'archiveName'],
  ['a reserved name of a file', tarOf([a, { name: '.holdall-volume', content: '!' }]), 'archiveName', '.holdall-volume'],
  ['a name that is not UTF-8', tarOf([a, { name: Buffer.from([0xff]), content: '!' }]), 'archiveNotUtf8'],
  ['a wrong checksum', tarOf([{ ...a, checksum: 1 }]), 'archiveDamaged'],
  ['a size below zero', tarOf([{ ...a, sizeBytes: Buffer.alloc(12, 0xff) }]), 'archiveDamagedAt', 'a'],
  ['a size that is no number', tarOf([{ ...a, sizeBytes: Buffer.from('9') }]), 'archiveDamaged'],
  ['records that are torn', tarOf([{ name: 'pax', type: 'x', content: '99 path=x\n' }, a]), 'archiveDamaged'],
  [
    'a record whose length is no decimal number',
    tarOf([{ name: 'pax', type: 'x', content: '0xb path=q\n' }, a]),
    'archiveDamaged',
  ],
  ['records that are too long', tarOf([{ name: 'pax', type: 'x', content: Buffer.alloc(2 ** 20 + 1) }, a]), 'archiveDamaged'],
  ['records without end', tarOf(Array.from({ length: 200 }, () => paxOf({ comment: 'x' }))), 'archiveDamaged'],
  ['content behind the end', Buffer.concat([tarOf([a]), tarOf([{ name: 'b', content: '!' }])]), 'archiveBehind'],
  ['no end', tarOf([a], Buffer.alloc(0)), 'archiveCut'],
  ['no end of what is packed', gzipSync(tarOf([a], Buffer.alloc(0))), 'archiveCut'],
  ['a cut archive', tarOf([a, { name: 'b', content: 'B'.repeat(2000) }]).subarray(0, 2000), 'archiveCut'],
  ['far more than its size', gzipSync(tarOf([{ name: 'b', size: 2 ** 31 }])), 'archiveTooDense'],
  [
    'far more than its size of what is left out',
    gzipSync(tarOf([a, { name: 'b', type: 'V', size: 2 ** 31 }])),
    'archiveTooDense',
  ],
  ['the same of a folder', gzipSync(tarOf([a, { name: 'b/', type: '5', size: 2 ** 31 }])), 'archiveTooDense'],
  [
    'the same of a sparse file that would be short',
    gzipSync(tarOf([paxOf({ ...sparse, 'GNU.sparse.realsize': '0' }), { name: 'b', size: 2 ** 31 }])),
    'archiveTooDense',
  ],
  ['a cut stream', gz.subarray(0, -12), 'archiveCut'],
  ['a wrong sum of the stream', Buffer.concat([gz.subarray(0, -8), Buffer.alloc(8)]), 'archiveDamaged'],
  ['rubbish behind the stream', Buffer.concat([gz, Buffer.from('rubbish')]), 'archiveBehind'],
  ['a byte behind the stream', Buffer.concat([gz, Buffer.from('!')]), 'archiveBehind'],
  ['a stream without a tar', gzipSync('no archive'), 'archiveCut'],
  ['a cut stream of bzip2', Buffer.from('BZh91AY&SY'), 'archiveCut'],
  ['a window that is too long', Buffer.from('28b52ffd008809000041', 'hex'), 'archiveMemory'],
  ['another packing', Buffer.from('Rar!'), 'archiveKind'],
]

test('a tar that attacks refuses the whole, and nothing of it is left', async (t) => {
  const { app, extract } = await start(t)
  const all = async () => ({ ...(await harvest(app.root)), 'old.tar': '' })
  const before = { ...(await all()) }
  for (const [what, archive, code, name] of attacks) {
    const { job } = await extract(archive)
    const [failure] = job.failures
    assert.equal(failure?.refusal?.code ?? `${failure?.code} ${failure?.message}`, code, what)
    if (name !== undefined) assert.equal(failure?.refusal?.params.name, name, what)
    assert.deepEqual(await all(), before, what)
  }
})

test('a length below zero of a file with holes is noticed before anything is written, and makes no room for others', async () => {
  const below = tarOf([oldSparse({ size: Buffer.alloc(12, 0xff) })])
  const unpacker = tarUnpacker(async function* () {
    yield below
  })
  const survey = unpacker.entries({ isWhole: false, names: new ArchiveNames() })[Symbol.asyncIterator]()
  await assert.rejects(survey.next(), { template: 'the archive is damaged' })
})

for (const [format, ending] of [
  ['zip', '.zip'],
  ['tar', '.tar'],
  ['targz', '.tar.gz'],
  ['tarbz2', '.tar.bz2'],
  ['tarxz', '.tar.xz'],
  ['tarlz4', '.tar.lz4'],
  ['tarsz', '.tar.sz'],
] as const) {
  test(`what is packed as ${format} comes out equal`, async (t) => {
    const files = {
      'd/a': 'A',
      'd/ä 😀/%2F': 'x',
      'd/empty/': '',
      [`d/${'n'.repeat(200)}/m`]: 'M',
      'd/large': 'L'.repeat(3 * 2 ** 20),
    }
    const app = await startApp(t, { files: { ...files, 't/': '' } })
    const jobs = jobCalls(await app.as('ann'))
    const made = await jobs.start({ kind: 'compress', entries: ['/d'], to: '/t', name: `d${ending}`, format })
    assert.deepEqual(made.job.failures, [])
    const { job } = await jobs.start({ kind: 'extract', entries: [`/t/d${ending}`], to: '/t' })
    assert.deepEqual(job.failures, [])
    assert.deepEqual(await harvest(join(app.root, 't/d')), await harvest(join(app.root, 'd')))
  })
}
