// Archives that a job extracts: what of an honest one is there at the end, and that nothing is of another.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { Budget } from '../../src-server/archives/budget.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { extraField, type ZipPart, zipOf } from '../support/attack-zip.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { type AppSetup, deny, only, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

const key = 'an-archive-extracted'

const [folderMode, linkMode] = [0o40755, 0o120777]

const honest: readonly ZipPart[] = [
  { name: 'd/', mode: folderMode },
  { name: 'd/1', content: 'one', mode: 0o100755 },
  { name: 'e/f/2', content: 'two' },
  { name: 'l', content: 'd/1', mode: linkMode },
  { name: 'empty' },
]

async function start(t: TestContext, archive: Uint8Array = zipOf(honest), setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 't/x': 'X', 'old.zip': archive, ...setup.files }, ...setup })
  const ann = await app.as('ann')
  const history = historyCalls(app.url, ann)
  const jobs = jobCalls(history.act(key))
  const extract = (asked: object = {}) => jobs.start({ id: key, kind: 'extract', entries: ['/old.zip'], to: '/t', ...asked })
  const below = async () => {
    const all = Object.entries(await harvest(app.root)).filter(([path]) => path.startsWith('t/'))
    return Object.fromEntries(all.map(([path, what]) => [path.slice(2), what]))
  }
  return { app, ann, history, jobs, extract, below }
}

const extracted = { 'old/d/1': 'one', 'old/e/f/2': 'two', 'old/empty': '', 'old/l': { link: 'd/1' } }

test('an archive goes into a new folder with its name, which is undone as one change', async (t) => {
  const { app, extract, history, below } = await start(t)
  const { status, job } = await extract()
  assert.deepEqual([status, job.state, job.done, job.failures], [200, 'ended', 1, []])
  assert.deepEqual(job.renamed, [{ path: '/old.zip', to: '/t/old' }])
  assert.deepEqual(await below(), { ...extracted, x: 'X' })
  const stats = (path: string) => statSync(join(app.root, 't/old', path))
  assert.deepEqual([stats('d').mode & 0o7777, stats('d/1').mode & 0o7777, stats('e').mode & 0o7777], [0o755, 0o755, 0o750])
  assert.equal(stats('d/1').mtime.getFullYear(), 2024)
  assert.deepEqual(app.events, ['extract /old.zip /t/old'])
  const [act] = await history.list()
  assert.deepEqual([act?.kind, act?.names, act?.count], ['upload', ['old'], 1])
  await history.undo(act?.id ?? '')
  assert.deepEqual(await below(), { x: 'X' })
  await history.redo(act?.id ?? '')
  assert.deepEqual(await below(), { ...extracted, x: 'X' })
})

test('what lies in one entry gets no other folder around it, and a taken name gets a number', async (t) => {
  const parts = honest.map((part) => ({ ...part, name: `x/${part.name}` }))
  const { extract, below } = await start(t, zipOf(parts))
  const { job } = await extract()
  assert.deepEqual(job.renamed, [{ path: '/old.zip', to: '/t/x(1)' }])
  const found = Object.entries(extracted).map(([path, what]) => [path.replace('old', 'x(1)'), what])
  assert.deepEqual(await below(), { ...Object.fromEntries(found), x: 'X' })
})

test('a new folder has the whole name of an archive where the rest without the ending is none', async (t) => {
  const { extract, below } = await start(t, undefined, { files: { 't/..zip': zipOf([]), 't/...zip': zipOf([]) } })
  assert.deepEqual((await extract({ entries: ['/t/..zip', '/t/...zip'] })).job.failures, [])
  const found = Object.keys(await below())
  assert.deepEqual(found.sort(), ['...zip', '..(1).zip/', '..zip', '.(1).zip/'].sort())
})

test('one file alone is put beside the others', async (t) => {
  const { extract, below } = await start(t, zipOf([{ name: 'x', content: 'new' }]))
  assert.equal((await extract()).job.done, 1)
  assert.deepEqual(await below(), { 'x(1)': 'new', x: 'X' })
})

const notUtf8 = Buffer.from([0x61, 0xff])
const sumOfName = Buffer.alloc(5, 1)
sumOfName.writeUInt32LE(crc32(notUtf8), 1)
const namedTwice = extraField(0x7075, Buffer.concat([sumOfName, Buffer.from('é')]))
const longSizes = Buffer.alloc(16)
longSizes.writeUInt32LE(1, 0)
longSizes.writeUInt32LE(3, 8)
const inField = { size: 0xffffffff, packed: 0xffffffff, extra: extraField(1, longSizes) }

/** The time of Unix, beside that of DOS. */
const unixTime = (seconds: number) => {
  const field = Buffer.of(1, 0, 0, 0, 0)
  field.writeInt32LE(seconds | 0, 1)
  return extraField(0x5455, field)
}

const odd: readonly (readonly [what: string, archive: Buffer, wanted: object])[] = [
  ['a name in UTF-8 beside another', zipOf([{ name: notUtf8, content: 'A', extra: namedTwice }]), { é: 'A' }],
  ['sizes of zip64', zipOf([{ name: 'a', content: 'A', ...inField, local: inField }]), { a: 'A' }],
  ['an empty archive', zipOf([]), { 'old/': '' }],
  ['stored content', zipOf([{ name: 'a', content: 'A', method: 0 }]), { a: 'A' }],
  ['a marked descriptor', zipOf([{ name: 'a', content: 'A', descriptor: 'marked' }]), { a: 'A' }],
  ['a descriptor without a mark', zipOf([{ name: 'a', content: 'A', descriptor: 'plain' }]), { a: 'A' }],
  ['a descriptor with 8 bytes', zipOf([{ name: 'a', content: 'A', descriptor: 'long' }]), { a: 'A' }],
  ['a program before it', zipOf([{ name: 'a', content: 'A' }], { before: Buffer.from('#!/bin/sh\n') }), { a: 'A' }],
  ['a comment', zipOf([{ name: 'a', content: 'A' }], { comment: Buffer.from('hello') }), { a: 'A' }],
  ['backslashes of Windows', zipOf([{ name: 'd\\a', content: 'A', host: 0 }]), { 'd/a': 'A' }],
  ['a backslash of Unix', zipOf([{ name: 'd\\a', content: 'A' }]), { 'd\\a': 'A' }],
  ['no mode', zipOf([{ name: 'a', content: 'A', mode: 0 }]), { a: 'A' }],
  ['empty parts and dots', zipOf([{ name: './d//./a', content: 'A' }]), { 'd/a': 'A' }],
  ['a folder named twice', zipOf([{ name: 'd/' }, { name: 'd/' }, { name: 'd/a', content: 'A' }]), { 'd/a': 'A' }],
  [
    'attributes of macOS',
    zipOf([{ name: 'a', content: 'A' }, { name: '__MACOSX/' }, { name: '__MACOSX/._a', content: '!' }]),
    { a: 'A' },
  ],
  [
    'a link up',
    zipOf([{ name: 'a' }, { name: 'd/e/l', content: '../../a', mode: linkMode }]),
    {
      'old/a': '',
      'old/d/e/l': { link: '../../a' },
    },
  ],
  [
    'names that one file system takes for one',
    zipOf([
      { name: 'A', content: '1' },
      { name: 'a', content: '2' },
    ]),
    {
      'old/A': '1',
      'old/a': '2',
    },
  ],
  ['1.5 MiB that pack well', zipOf([{ name: 'a', content: 'A'.repeat(1.5 * 2 ** 20) }]), { a: 'A'.repeat(1.5 * 2 ** 20) }],
]

test('archives that are right and unusual', async (t) => {
  const { app, extract, below } = await start(t)
  for (const [index, [what, archive, wanted]] of odd.entries()) {
    await writeFile(join(app.root, 'old.zip'), archive)
    const { job } = await extract({ id: `an-odd-archive-${index}`, to: `/t/${index}` })
    assert.deepEqual(job.failures, [], what)
    const found = Object.entries(await below()).flatMap(([path, is]) =>
      path.startsWith(`${index}/`) ? [[path.slice(`${index}/`.length), is]] : [],
    )
    assert.deepEqual(Object.fromEntries(found), wanted, what)
  }
})

const a: ZipPart = { name: 'a', content: 'A' }
const large = 'A'.repeat(1.5 * 2 ** 20)
const unlike = (local: NonNullable<ZipPart['local']>) => zipOf([{ ...a, local }, { name: 'b' }])

/** Of each the code of the refusal, and a part of the name that it tells. */
const attacks: readonly (readonly [what: string, archive: Uint8Array, code: string, name?: string])[] = [
  ['a name that leads out', zipOf([a, { name: '../out', content: '!' }]), 'archiveLeaves', '../out'],
  ['the same below a folder', zipOf([{ name: 'd/../../out', content: '!' }]), 'archiveLeaves', 'd/../../out'],
  ['the same by backslashes', zipOf([{ name: '..\\out', content: '!', host: 0 }]), 'archiveLeaves', '../out'],
  ['an absolute name', zipOf([{ name: '/etc/out', content: '!' }]), 'archiveLeaves', '/etc/out'],
  ['a drive', zipOf([{ name: 'C:\\out', content: '!', host: 0 }]), 'archiveLeaves', 'C:/out'],
  ['a server', zipOf([{ name: '\\\\host\\out', content: '!', host: 0 }]), 'archiveLeaves', '//host/out'],
  ['a NUL', zipOf([{ name: 'a\0b', content: '!' }]), 'archiveName'],
  ['an empty name', zipOf([a, { name: '', content: '!' }]), 'archiveDamaged'],
  ['a reserved name', zipOf([a, { name: '.holdall-trash/x', content: '!' }]), 'archiveName', '.holdall-trash/x'],
  ['a name that is too long', zipOf([{ name: 'n'.repeat(256), content: '!' }]), 'nameTooLong'],
  ['a path that is too long', zipOf([a, { name: `${'n/'.repeat(2100)}n`, content: '!' }]), 'pathTooLong'],
  ['a name twice', zipOf([a, a]), 'archiveTwice', 'a'],
  ['a file and a folder of one name', zipOf([a, { name: 'a/b' }]), 'archiveTwice', 'a/b'],
  ['a folder and a file of one name', zipOf([{ name: 'a/b' }, a]), 'archiveTwice', 'a'],
  ['a link out', zipOf([a, { name: 'l', content: '../out', mode: linkMode }]), 'archiveLink', 'l'],
  ['an absolute link', zipOf([a, { name: 'l', content: '/etc', mode: linkMode }]), 'archiveLink', 'l'],
  [
    'a link out of the only entry',
    zipOf([{ name: 'd/a' }, { name: 'd/l', content: '../a', mode: linkMode }]),
    'archiveLink',
    'd/l',
  ],
  ['a link through a name', zipOf([a, { name: 'd/l', content: 'e/../../..', mode: linkMode }]), 'archiveLink', 'd/l'],
  ['a link that is the only entry', zipOf([{ name: 'l', content: '..', mode: linkMode }]), 'archiveLink', 'l'],
  ['the same to what lies beside it', zipOf([{ name: 'l', content: 'kept', mode: linkMode }]), 'archiveLink', 'l'],
  [
    'a file through a link',
    zipOf([a, { name: 'l', content: 'd', mode: linkMode }, { name: 'l/out', content: '!' }]),
    'archiveTwice',
    'l',
  ],
  ['a link to nothing at all', zipOf([a, { name: 'l', content: '', mode: linkMode }]), 'archiveDamagedAt', 'l'],
  ['a device', zipOf([a, { name: 'dev', mode: 0o20666 }]), 'archiveDevice', 'dev'],
  ['a pipe', zipOf([{ name: 'pipe', mode: 0o10666 }]), 'archiveDevice', 'pipe'],
  ['encryption', zipOf([{ ...a, flags: 1 }]), 'archiveEncrypted', 'a'],
  ['strong encryption', zipOf([{ name: 'b' }, { ...a, flags: 0x41 }]), 'archiveEncrypted', 'a'],
  ['another method', zipOf([{ ...a, method: 14, bytes: Buffer.from('x') }]), 'archiveMethod', 'a'],
  ['another name before the content', unlike({ name: 'z' }), 'archiveDamagedAt', 'a'],
  ['another method before the content', unlike({ method: 0 }), 'archiveDamagedAt', 'a'],
  ['other flags before the content', unlike({ flags: 0x800 }), 'archiveDamagedAt', 'a'],
  ['another size before the content', unlike({ size: 2 }), 'archiveDamagedAt', 'a'],
  ['another checksum before the content', unlike({ crc: 2 }), 'archiveDamagedAt', 'a'],
  ['a wrong checksum', zipOf([{ ...a, crc: 1 }]), 'archiveDamagedAt', 'a'],
  ['a wrong checksum of a large file', zipOf([{ name: 'a', content: large, crc: 1 }]), 'archiveDamagedAt', 'a'],
  ['more content than is said', zipOf([{ name: 'a', content: 'AB', size: 1 }]), 'archiveDamagedAt', 'a'],
  [
    'more content of a large file than is said',
    zipOf([{ name: 'a', content: `${large}A`, size: large.length }]),
    'archiveDamagedAt',
    'a',
  ],
  ['less content than is said', zipOf([{ name: 'a', content: 'A', size: 2 }]), 'archiveDamagedAt', 'a'],
  [
    'more than the packed content',
    zipOf([{ ...a, bytes: Buffer.concat([Buffer.from([3, 0]), Buffer.from('junk')]) }]),
    'archiveDamagedAt',
    'a',
  ],
  ['content that is not packed', zipOf([{ ...a, bytes: Buffer.from('\xff\xff\xff') }]), 'archiveDamagedAt', 'a'],
  ['stored content of another size', zipOf([{ ...a, method: 0, size: 3 }]), 'archiveDamaged'],
  ['a descriptor that says something else', zipOf([{ ...a, descriptor: Buffer.alloc(16) }]), 'archiveDamagedAt', 'a'],
  ['two entries of the same bytes', zipOf([a, { ...a, name: 'a', offset: 0 }]), 'archiveDamagedAt', 'a'],
  [
    'an entry within another',
    zipOf([
      { name: 'o', method: 0, content: zipOf([a]).subarray(0, 34) },
      { ...a, offset: 31 },
    ]),
    'archiveDamagedAt',
  ],
  ['an entry behind the directory', zipOf([a, { ...a, name: 'b', offset: 1000 }]), 'archiveDamaged'],
  ['fewer entries than there are', zipOf([a, { name: 'b' }], { count: 1 }), 'archiveDamaged'],
  ['more entries than there are', zipOf([a], { count: 2 }), 'archiveDamaged'],
  [
    'sizes of zip64 that differ',
    zipOf([{ ...a, ...inField, local: { ...inField, extra: extraField(1, Buffer.alloc(16)) } }]),
    'archiveDamagedAt',
    'a',
  ],
  ['bytes behind the end', zipOf([a], { behind: Buffer.from('!') }), 'archiveDamaged'],
  ['an end within the comment', zipOf([a], { comment: zipOf([]) }), 'archiveDamaged'],
  ['a cut archive', zipOf(honest).subarray(0, -30), 'archiveDamaged'],
  ['no archive', Buffer.from('not an archive'), 'archiveDamaged'],
  ['nothing', Buffer.alloc(0), 'archiveDamaged'],
  ['names that are not UTF-8', zipOf([a, { name: Buffer.from([0xff, 0x41]) }]), 'archiveNotUtf8'],
  ['a name that is said to be UTF-8', zipOf([a, { name: Buffer.from([0xff, 0x41]), flags: 0x800 }]), 'archiveName'],
  ['far more than its size', zipOf([{ name: 'a', content: 'A', size: 2 ** 31 }]), 'archiveTooDense'],
]

test('times before 1970 stay, and those after 2038 that ran over are mended', async (t) => {
  const { app, extract } = await start(t)
  for (const [index, [text, year]] of [
    ['1968-02-03T04:05:06Z', 1980],
    ['2040-02-03T04:05:06Z', 2040],
  ].entries()) {
    const time = Date.parse(String(text))
    const part = { name: 'm/a', extra: unixTime(time / 1000), year: Number(year) }
    await writeFile(join(app.root, 'old.zip'), zipOf([part]))
    await extract({ id: `a-time-${index}`, to: `/${index}` })
    assert.equal(statSync(join(app.root, `${index}/m/a`)).mtime.getTime(), time, String(text))
  }
})

test('what attacks refuses the whole, by the name of the entry, and nothing of it is left', async (t) => {
  const { app, extract } = await start(t, undefined, { files: { 'out/kept': 'kept', t: '' } })
  const outside = [join(app.root, '../out'), '/etc/out', '/out']
  for (const [index, [what, archive, code, name]] of attacks.entries()) {
    await writeFile(join(app.root, 'old.zip'), archive)
    const before = await harvest(app.root)
    const { job } = await extract({ id: `an-attack-${index}`, to: '/out' })
    const [failure] = job.failures
    assert.equal(failure?.refusal?.code ?? failure?.message, code, what)
    if (name !== undefined) assert.equal(failure?.refusal?.params.name, name, what)
    assert.deepEqual(await harvest(app.root), before, what)
    assert.deepEqual(
      outside.filter((path) => existsSync(path)),
      [],
      what,
    )
  }
})

test('where the rules hide an entry, or a permission is missing, nothing is extracted', async (t) => {
  const { extract, below } = await start(t, undefined, { rules: [deny('/t/old/e')] })
  const { job } = await extract()
  assert.deepEqual(
    [job.failures.map(({ code, refusal }) => [code, refusal?.code]), await below()],
    [[['forbidden', 'archiveNotYours']], { x: 'X' }],
  )
  for (const perm of [only('create', 'modify'), only('download', 'modify')]) {
    const other = await start(t, undefined, { users: { ann: { perm } } })
    const { failures } = (await other.extract()).job
    assert.deepEqual([failures.map(({ code }) => code), await other.below()], [['forbidden'], { x: 'X' }])
  }
})

test('the folder around that is moved meanwhile, or an archive that changes, leaves nothing', async (t) => {
  const { app, extract, below } = await start(t)
  const { openTree } = Disk.prototype
  let meanwhile = () => rename(join(app.root, 't'), join(app.root, 'u'))
  t.mock.method(Disk.prototype, 'openTree', async function (this: Disk, ...asked: Parameters<Disk['openTree']>) {
    const tree = await openTree.apply(this, asked)
    await meanwhile()
    return tree
  })
  const moved = await extract()
  assert.deepEqual(
    moved.job.failures.map(({ code }) => code),
    ['notFound'],
  )
  assert.deepEqual(readdirSync(join(app.root, 'u')), ['x'])
  await rename(join(app.root, 'u'), join(app.root, 't'))
  meanwhile = () => writeFile(join(app.root, 'old.zip'), zipOf([...honest, { name: 'more' }]))
  const changed = await extract({ id: 'a-changed-archive' })
  assert.deepEqual(
    changed.job.failures.map(({ refusal }) => refusal?.code),
    ['changedWhileRead'],
  )
  assert.deepEqual(await below(), { x: 'X' })
})

test('an archive may hold as much as the settings say, each time anew', async (t) => {
  const { app, extract } = await start(t, undefined, { users: { ann: {}, admin: { perm: allPermissions } } })
  const set = async (archives: object) => {
    const admin = await app.as('admin')
    assert.equal((await admin.ask('PUT', '/api/settings', { body: JSON.stringify({ archives }) })).status, 200)
  }
  await set({ entries: 4 })
  const refused = (await extract()).job.failures[0]?.refusal
  assert.deepEqual([refused?.code, refused?.params.number], ['archiveTooMany', 4])
  await set({ entries: 7 })
  assert.deepEqual((await extract({ id: 'a-second-time' })).job.failures, [])
  const ofMac = Array.from({ length: 7 }, (_, index): ZipPart => ({ name: `__MACOSX/${index}/` }))
  await writeFile(join(app.root, 'old.zip'), zipOf([a, ...ofMac]))
  const leftOut = (await extract({ id: 'with-what-is-left-out' })).job.failures[0]?.refusal
  assert.equal(leftOut?.code, 'archiveTooMany')
})

test('what comes out of one archive is counted before it is written', () => {
  const limits = { gigabytes: 5, ratio: 1000, entries: 2, spare: 5 }
  const budget = new Budget(limits, 2 ** 22)
  budget.addEntry()
  budget.addEntry()
  assert.throws(() => budget.addEntry(), { template: 'the archive has more than {{number}} entries' })
  budget.addBytes(5e9 - 2 ** 31)
  assert.throws(() => budget.addBytes(2 ** 31 + 1), { template: 'the archive holds more than {{number}} GB' })
  const dense = new Budget(limits, 2 ** 20)
  dense.addBytes(2 ** 30)
  assert.throws(() => dense.addBytes(1), { template: 'the archive holds more than {{number}} times its own size' })
})

/** Holds the first file that is written until it is told. */
function holdWriting(t: TestContext) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { write } = Disk.prototype
  t.mock.method(Disk.prototype, 'write', async function (this: Disk, ...asked: Parameters<Disk['write']>) {
    reached.resolve()
    await released.promise
    return write.apply(this, asked)
  })
  t.after(() => released.resolve())
  return { reached: reached.promise, release: () => released.resolve() }
}

for (const action of ['pause', 'cancel'] as const) {
  test(`to ${action} leaves nothing there`, async (t) => {
    const { app, extract, jobs, below } = await start(t)
    const held = holdWriting(t)
    const begun = extract()
    await held.reached
    app.clock.advance({ seconds: 1 })
    await begun
    const { progress } = await jobs.details(key)
    assert.equal(progress?.ofFiles, 5)
    await jobs.change(key, { action })
    held.release()
    await jobs.reaches(key, action === 'pause' ? 'paused' : 'cancelled')
    assert.deepEqual(readdirSync(join(app.root, 't')), ['x'])
    if (action === 'cancel') return
    await jobs.change(key, { action: 'resume' })
    await jobs.reaches(key, 'ended')
    assert.deepEqual(await below(), { ...extracted, x: 'X' })
  })
}
