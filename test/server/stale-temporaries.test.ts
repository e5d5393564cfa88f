import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { removeStaleTemporaries } from '../../src-server/disk/remove-stale-temporaries.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { beginInstallation, newArchiveName, newTemporaryName, uploadName } from '../../src-server/disk/temporary-names.ts'
import { TemporaryJournal } from '../../src-server/state/temporary-journal.ts'
import { body, capability } from '../support/capabilities.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvest, plant, temporaryFolder } from '../support/tree.ts'

const day = 24 * 60 * 60 * 1000
const temporary = (digit: string) => `.holdall-${digit.repeat(32)}.part`
const later = () => Date.now() + 2 * day

/** Writes a tree, and the journal of an earlier run that names some of its folders. */
async function makeRoot(t: TestContext, tree: Parameters<typeof plant>[1], noted: readonly string[] = ['']) {
  const folder = await temporaryFolder(t)
  const [root, file] = [join(folder, 'root'), join(folder, 'journal')]
  fs.mkdirSync(root)
  await plant(root, tree)
  const before = new TemporaryJournal(file)
  for (const name of noted) await before.note(join(root, name))
  return { root, file, journal: new TemporaryJournal(file) }
}

test('temporary files of a killed server are found at the next start by the journal, without a walk of the tree', async (t) => {
  const tree = { [`d/${temporary('a')}`]: '', [`d/e/${temporary('b')}`]: '', [`other/${temporary('c')}`]: '', f: '' }
  const { root, file, journal } = await makeRoot(t, tree, ['d', 'd/e', 'gone'])
  assert.equal(await removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: later() }), 2)
  assert.deepEqual(await harvest(root), { 'd/e/': '', [`other/${temporary('c')}`]: '', f: '' })
  assert.deepEqual(new TemporaryJournal(file).folders(), [], 'nothing is left to be found')
})

test('those younger than a day stay, and their folder in the journal; other names and folders of that name stay', async (t) => {
  const tree = { [temporary('a')]: 'young', 'x.part': '', [`${temporary('b')}/f`]: 'x', c: { link: 'x.part' } }
  const { root, file, journal } = await makeRoot(t, tree)
  fs.utimesSync(join(root, temporary('a')), new Date(), new Date(Date.now() + 2 * day))
  const before = await harvest(root)
  assert.equal(await removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: later() }), 0)
  assert.deepEqual(await harvest(root), before)
  assert.deepEqual(new TemporaryJournal(file).folders(), [root])
})

test('a kept old file stays for a day too; a hidden link is removed as a file is', async (t) => {
  const { root, journal } = await makeRoot(t, { old: 'x', [temporary('c')]: { link: 'old' } })
  const tenDaysAgo = new Date(Date.now() - 10 * day)
  fs.utimesSync(join(root, 'old'), tenDaysAgo, tenDaysAgo)
  fs.linkSync(join(root, 'old'), join(root, temporary('a')))
  const search = { journal, protectedPaths: nothingProtected }
  assert.equal(await removeStaleTemporaries({ ...search, now: Date.now() + day / 2 }), 0)
  assert.equal(await removeStaleTemporaries({ ...search, now: later() }), 2)
  assert.deepEqual(await harvest(root), { old: 'x' })
})

test('those in a folder that is moved are found under its new path, also below it', async (t) => {
  const { root, journal } = await makeRoot(t, { [`d/e/${temporary('a')}`]: '', [`d/${temporary('b')}`]: '' }, ['d', 'd/e'])
  const rest = { protectedPaths: nothingProtected, linksInto: [], journal }
  const disk = await openLocalDisk({ root, scope: rootPath, ...rest })
  await disk.move(capability('rename', '/d'), capability('rename', '/moved'), { replace: false })
  disk.close()
  assert.equal(await removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: later() }), 2)
})

test('a folder takes what is noted of it along, with few writes however many folders are in it, and leaves nothing behind', async (t) => {
  const folders = Array.from({ length: 40 }, (_, index) => `d/e${index}`)
  const { root, file } = await makeRoot(t, Object.fromEntries(folders.map((path) => [`${path}/`, ''])), folders.slice(0, 20))
  let syncs = 0
  const sync = async (fd: number) => {
    syncs++
    await diskSystem.sync(fd)
  }
  const journal = new TemporaryJournal(file, { ...diskSystem, sync })
  await Promise.all(folders.slice(20).map((path) => journal.note(join(root, path))))
  const disk = await openLocalDisk({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [], journal })
  syncs = 0
  const names = ['/d', '/moved', '/d', '/moved']
  for (const [index, name] of names.slice(1).entries())
    await disk.move(capability('rename', names[index] as string), capability('rename', name), { replace: false })
  disk.close()
  const moved = folders.map((path) => join(root, path.replace('d/', 'moved/')))
  assert.deepEqual(journal.folders().toSorted(), moved.toSorted())
  assert.ok(syncs <= 9, `${syncs} writes`)
  assert.ok(new Set(new TemporaryJournal(file).folders()).isSupersetOf(new Set(moved)))
  await journal.close()
})

test('a running upload of this process stays, and its folder is in the journal', async (t) => {
  const file = join(await temporaryFolder(t), 'journal')
  const journal = new TemporaryJournal(file)
  const { disk, root } = await openDisk(t, { files: { 'a\nb/': '' }, options: () => ({ journal }) })
  const slow = async function* () {
    yield Buffer.from('half')
    assert.deepEqual(new TemporaryJournal(file).folders(), [join(root, 'a\nb')])
    assert.equal(await removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: later() }), 0)
    yield Buffer.from('whole')
  }
  await disk.write(capability('create', '/a\nb/f'), slow(), { replace: false })
  await disk.write(capability('create', '/a\nb/g'), body('x'), { replace: false })
  assert.deepEqual(await harvest(root), { 'a\nb/f': 'halfwhole', 'a\nb/g': 'x' })
  assert.equal(
    fs.readFileSync(`${file}.temporary-folders`, 'utf8').trimEnd().split('\n').length,
    1,
    'one line for all writes into a folder',
  )
})

test('a folder that was added to the journal survives a power cut', async (t) => {
  const folder = await temporaryFolder(t)
  const [stateFolder, left] = [join(folder, 'state'), join(folder, 'left')]
  fs.mkdirSync(stateFolder)
  for (let step = 0; ; step++) {
    fs.rmSync(join(stateFolder, 'journal.temporary-folders'), { force: true })
    const faulty = new FaultyDisk(stateFolder)
    faulty.crashAt(step)
    const isDone = await new TemporaryJournal(join(stateFolder, 'journal'), faulty.system).note('/a').then(
      () => true,
      () => false,
    )
    faulty.afterPowerCut(join(left, `${step}`), 'nothing')
    faulty.close()
    const found = new TemporaryJournal(join(left, `${step}`, 'journal')).folders()
    if (isDone) return assert.deepEqual(found, ['/a'])
    assert.ok(found.length === 0 || found[0] === '/a')
  }
})

test('protected folders are not searched', async (t) => {
  const { root, journal } = await makeRoot(t, { [`cache/${temporary('a')}`]: '' }, ['cache'])
  const protectedPaths = ProtectedPaths.of({ stateFile: join(root, 'holdall.json'), files: [], folders: [join(root, 'cache')] })
  assert.equal(await removeStaleTemporaries({ journal, protectedPaths, now: later() }), 0)
})

test('it stops when it is aborted', async (t) => {
  const { journal } = await makeRoot(t, { [temporary('a')]: '' })
  const search = { journal, protectedPaths: nothingProtected, now: later() }
  assert.equal(await removeStaleTemporaries({ ...search, signal: AbortSignal.abort() }), 0)
  assert.equal(await removeStaleTemporaries(search), 1)
})

test('a temporary file that cannot be removed is skipped, and searched for again', async (t) => {
  const { root, file, journal } = await makeRoot(t, { [temporary('a')]: '', [temporary('b')]: '' })
  const system = {
    ...diskSystem,
    unlink: async (path: string | Buffer) => {
      if (String(path).endsWith(temporary('a'))) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' })
      await diskSystem.unlink(path)
    },
  }
  assert.equal(await removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: later(), system }), 1)
  assert.deepEqual(await harvest(root), { [temporary('a')]: '' })
  assert.deepEqual(new TemporaryJournal(file).folders(), [root])
})

test('a folder with a temporary file that another server may be writing is deleted only two minutes after its last byte', async (t) => {
  const { disk, root } = await openDisk(t, { files: { [`d/${temporary('a')}`]: 'half' } })
  const remove = () => disk.remove(capability('delete', '/d'))
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 110_000 })
  await assert.rejects(remove(), { code: 'conflict' })
  assert.deepEqual(await harvest(root), { [`d/${temporary('a')}`]: 'half' })
  t.mock.timers.setTime(Date.now() + 20_000)
  await remove()
  assert.deepEqual(await harvest(root), {})
})

test('of an earlier run of this installation it is deleted at once, and what is kept under a hidden name since the start is not', async (t) => {
  beginInstallation('0123abcd')
  const [before, now] = [newTemporaryName(), newTemporaryName()]
  beginInstallation('other')
  const files = { [`d/${before}`]: 'half', [`e/${now}`]: 'half', [`f/${newTemporaryName()}`]: 'half' }
  const { disk, root } = await openDisk(t, { files })
  const remove = (path: string) => disk.remove(capability('delete', path))
  t.after(() => beginInstallation(''))
  const changed = Math.max(...Object.keys(files).map((path) => fs.statSync(join(root, path)).ctimeMs))
  beginInstallation('0123abcd', changed - 1000)
  await assert.rejects(remove('/e'), { code: 'conflict' })
  beginInstallation('0123abcd', changed + 1000)
  await remove('/d')
  await assert.rejects(remove('/f'), { code: 'conflict' })
  assert.deepEqual(Object.keys(await harvest(root)).sort(), Object.keys(files).slice(1).sort())
})

test('the journal forgets a folder of this run a day after the last write there, and notes it again for the next', async (t) => {
  const { root, file, journal } = await makeRoot(t, { 'a/': '', 'b/': '' }, [])
  const search = { journal, protectedPaths: nothingProtected }
  const folders = () => new TemporaryJournal(file).folders()
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  await journal.note(join(root, 'a'))
  await journal.note(join(root, 'b'))
  t.mock.timers.tick(day)
  await journal.note(join(root, 'b'))
  assert.equal(await removeStaleTemporaries({ ...search, now: Date.now() + 1 }), 0)
  assert.deepEqual(folders(), [join(root, 'b')])
  await journal.note(join(root, 'a'))
  assert.deepEqual(folders(), [join(root, 'b'), join(root, 'a')])
})

test('the content of an unfinished upload stays as long as the upload is known, and what is of no upload for a day', async (t) => {
  t.after(() => beginInstallation(''))
  beginInstallation('other')
  const others = uploadName('c'.repeat(32))
  beginInstallation('0123abcd')
  const [known, lost] = [uploadName('a'.repeat(32)), uploadName('b'.repeat(32))]
  const { root, file, journal } = await makeRoot(t, { [known]: 'k', [lost]: 'l', [others]: 'o' })
  const isUpload = (id: string) => id === 'a'.repeat(32)
  const remove = (days: number) =>
    removeStaleTemporaries({ journal, protectedPaths: nothingProtected, isUpload, now: Date.now() + days * day })
  assert.equal(await remove(0.5), 0)
  assert.equal(await remove(2), 1)
  assert.deepEqual(await harvest(root), { [known]: 'k', [others]: 'o' })
  assert.equal(await remove(364), 0)
  assert.deepEqual(new TemporaryJournal(file).folders(), [root], 'it is looked for again')
  assert.equal(await remove(366), 1)
  assert.deepEqual(await harvest(root), { [known]: 'k' })
})

test('an archive that this installation has left half made goes at once, unless it is being made, and one of another after a day', async (t) => {
  t.after(() => beginInstallation(''))
  beginInstallation('other')
  const others = newArchiveName()
  beginInstallation('0123abcd')
  const [left, now] = [newArchiveName(), newArchiveName()]
  const { root, journal } = await makeRoot(t, { [left]: 'half', [others]: 'half' })
  const disk = await openLocalDisk({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [], journal })
  t.after(() => disk.close())
  const write = await disk.beginWrite(capability('create', '/x'), { replace: false, name: now })
  await write.append(body(Buffer.alloc(3_000_000)), { offset: 0 })
  const remove = (days: number) =>
    removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: Date.now() + days * day })
  assert.equal(await remove(0), 1)
  assert.deepEqual(fs.readdirSync(root).sort(), [others, now].sort())
  assert.equal(await remove(2), 1)
  await write.commit(capability('create', '/x'), { replace: false })
  assert.deepEqual(fs.readdirSync(root), ['x'])
})

test('a folder is deleted with an unfinished upload of this installation to which nothing arrives, and not with one of another', async (t) => {
  t.after(() => beginInstallation(''))
  beginInstallation('other')
  const others = uploadName('c'.repeat(32))
  beginInstallation('0123abcd')
  const { disk, root } = await openDisk(t, {
    files: { [`d/${uploadName('a'.repeat(32))}`]: 'half', [`e/${others}`]: 'half', 'f/': '' },
  })
  const remove = (path: string) => disk.remove(capability('delete', path))
  await remove('/d')
  await assert.rejects(remove('/e'), { code: 'conflict' })
  const how = { replace: false, resumable: true, forLater: true, name: uploadName('b'.repeat(32)) }
  const write = await disk.beginWrite(capability('create', '/f/x'), how)
  await assert.rejects(remove('/f'), { code: 'conflict' })
  await write.close()
  await remove('/f')
  assert.deepEqual(await harvest(root), { [`e/${others}`]: 'half' })
})
