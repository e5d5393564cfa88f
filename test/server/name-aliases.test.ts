// Rules and names on a case-insensitive file system: each entry has one name, the listed one.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { linkSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { body, capability, principal } from '../support/capabilities.ts'
import {
  caseInsensitiveStrategy,
  caseInsensitiveSystem,
  formInsensitive,
  unicodeInsensitive,
} from '../support/case-insensitive.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvest, type Tree } from '../support/tree.ts'

const addOnly = { replace: false }
const replacing = { replace: true }
const caseInsensitive = () => ({
  strategy: caseInsensitiveStrategy,
  system: caseInsensitiveSystem,
  protectedPaths: nothingProtected,
})

const files: Tree = { 'private/f': 'hidden', 'caf\u00e9/f': 'hidden', '123/f': 'hidden', 'open/f': 'mine' }
const spellings = ['/PRIVATE/f', '/Private/F', '/private./f', '/cafe\u0301/f', '/CAF\u00c9/f', '/123./f', '/123../F']

test('the simulated file system is case-insensitive', async (t) => {
  const { root } = await openDisk(t, { files })
  for (const path of ['PRIVATE', 'private.', 'cafe\u0301', 'CAFE\u0301', '123..'])
    (await caseInsensitiveStrategy.openPath(join(root, path))).close()
})

for (const path of spellings) {
  test(`a blocked folder is not reached as ${JSON.stringify(path)}`, async (t) => {
    const { disk, root } = await openDisk(t, { files, options: caseInsensitive })
    const who = principal('/private', '/caf\u00e9', '/123')
    const before = await harvest(root)
    for (const call of [
      () => disk.stat(capability('read', path, who)),
      () => disk.open(capability('download', path, who)),
      () => disk.list(capability('read', path.slice(0, -2), who)),
      () => disk.write(capability('modify', path, who), body('x'), replacing),
      () => disk.write(capability('create', path, who), body('x'), addOnly),
      () => disk.remove(capability('delete', path, who)),
      () => disk.move(capability('rename', path, who), capability('rename', '/open/x', who), replacing),
      () => disk.move(capability('rename', '/open', who), capability('rename', path.slice(0, -2), who), addOnly),
      () => disk.move(capability('rename', '/open', who), capability('rename', path.slice(0, -2), who), replacing),
      () => disk.makeFolder(capability('create', path.slice(0, -2), who)),
    ]) {
      await assert.rejects(call(), /Failure/, String(call))
    }
    assert.deepEqual(await harvest(root), before)
  })
}

for (const [listed, ...others] of [
  ['секрет', 'СЕКРЕТ', 'Секрет', 'секреТ'],
  ['naïve', 'NAÏVE', 'nai\u0308ve', 'NAI\u0308VE'],
  ['straße', 'STRASSE', 'Strasse', 'straſſe'],
  ['σίσυφος', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
  ['1²3', '1²3.'],
  ['각', '\u1100\u1161\u11a8'],
]) {
  for (const other of others) {
    test(`on a disk that folds case and keeps dots, a rule against ${listed} is not passed as ${JSON.stringify(other)}`, async (t) => {
      const options = () => ({ ...unicodeInsensitive, protectedPaths: nothingProtected })
      const { disk } = await openDisk(t, { files: { [`${listed}/f`]: 'hidden', 'open/f': 'x' }, options })
      const who = principal(`/${listed}`)
      for (const call of [
        () => disk.stat(capability('read', `/${other}/f`, who)),
        () => disk.open(capability('download', `/${other}/f`, who)),
        () => disk.list(capability('read', `/${other}`, who)),
        () => disk.write(capability('modify', `/${other}/f`, who), body('x'), replacing),
        () => disk.move(capability('rename', `/${other}`, who), capability('rename', '/taken', who), addOnly),
        () => disk.remove(capability('delete', `/${other}/f`, who)),
      ]) {
        await assert.rejects(call(), /Failure/, String(call))
      }
      assert.equal((await disk.stat(capability('read', `/${listed}/f`))).size, 6)
    })
  }
}

test('on a case-sensitive disk that ignores Unicode forms, a rule applies to every form', async (t) => {
  const options = () => ({ ...formInsensitive, protectedPaths: nothingProtected })
  const { disk } = await openDisk(t, {
    files: { 'na\u00efve/f': 'hidden', 'na\u00efve/caf\u00e9': 'hidden', open: 'x' },
    options,
  })
  const who = principal('/na\u00efve')
  // Makes the disk find out that the folder is case-sensitive.
  assert.equal((await disk.stat(capability('read', '/open', who))).size, 1)
  await assert.rejects(disk.stat(capability('read', '/nai\u0308ve/f', who)), { code: 'notFound' })
  await assert.rejects(disk.write(capability('modify', '/nai\u0308ve/f', who), body('x'), replacing), /Failure/)
  await assert.rejects(disk.remove(capability('delete', '/nai\u0308ve/caf\u00e9', who)), /Failure/)
  assert.equal((await disk.stat(capability('read', '/na\u00efve/caf\u00e9'))).size, 6)
})

test('a protected name is protected in every spelling that some file system treats as equal', async (t) => {
  const { root } = await openDisk(t, { files: { 'straße.json.lock': '' } })
  const protectedPaths = ProtectedPaths.of({ stateFile: join(root, 'straße.json'), files: [], folders: [] })
  await protectedPaths.refresh()
  const { dev, ino } = statSync(root, { bigint: true })
  for (const name of ['straße.json', 'STRASSE.JSON.lock', 'stra\u00adße.json', 'straſſe.json.x']) {
    assert.equal(protectedPaths.namesIn(`${dev}:${ino}`)?.(name), true, name)
  }
  assert.equal(protectedPaths.namesIn(`${dev}:${ino}`)?.('strase.json'), false)
})

test('a link in another spelling does not bypass the rules', async (t) => {
  const { disk } = await openDisk(t, { files: { ...files, l: { link: 'PRIVATE/f' } }, options: caseInsensitive })
  await assert.rejects(disk.open(capability('download', '/l', principal('/private'))), { code: 'notFound' })
})

test('the listed names work as usual', async (t) => {
  const { disk, root } = await openDisk(t, { files, options: caseInsensitive })
  for (const path of ['/private/f', '/caf\u00e9/f', '/123/f', '/open/f']) {
    await disk.write(capability('modify', path), body('new'), replacing)
    assert.equal((await disk.stat(capability('read', path))).size, 3)
  }
  await disk.write(capability('create', '/open/G'), body('new'), addOnly)
  await disk.remove(capability('delete', '/open/f'))
  assert.deepEqual(readdirSync(join(root, 'open')), ['G'])
})

test('a name that is taken in another spelling is a conflict', async (t) => {
  const { disk, root } = await openDisk(t, { files: { a: 'old', 'd/': '', b: 'B' }, options: caseInsensitive })
  for (const how of [addOnly, replacing]) {
    await assert.rejects(disk.write(capability('create', '/A'), body('x'), how), { code: 'conflict' })
    await assert.rejects(disk.move(capability('rename', '/b'), capability('rename', '/A'), how), { code: 'conflict' })
    await assert.rejects(disk.move(capability('rename', '/b'), capability('rename', '/D'), how), { code: 'conflict' })
  }
  await assert.rejects(disk.makeFolder(capability('create', '/A')), { code: 'conflict' })
  assert.deepEqual(await harvest(root), { a: 'old', b: 'B', 'd/': '' })
})

test('case alone can change, of files and of folders', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'a.txt': 'A', 'd/f': 'F' }, options: caseInsensitive })
  await disk.move(capability('rename', '/a.txt'), capability('rename', '/A.TXT'), addOnly)
  await disk.move(capability('rename', '/d'), capability('rename', '/D'), replacing)
  assert.deepEqual(await harvest(root), { 'A.TXT': 'A', 'D/f': 'F' })
})

test('on a case-sensitive file system two hard links may differ in case alone', async (t) => {
  const { disk, root } = await openDisk(t, { files: { a: 'x' } })
  linkSync(join(root, 'a'), join(root, 'A'))
  for (const path of ['/a', '/A']) assert.equal((await disk.stat(capability('read', path))).size, 1)
  await assert.rejects(disk.move(capability('rename', '/a'), capability('rename', '/A'), addOnly), { code: 'conflict' })
  await disk.move(capability('rename', '/a'), capability('rename', '/A'), replacing)
  assert.deepEqual(await harvest(root), { A: 'x' })
})
