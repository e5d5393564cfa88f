// A move to another file system has many steps: changes between them must not lose a file.
import assert from 'node:assert/strict'
import { linkSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { open, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { type CommitHow, CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import { body, capability, principal } from '../support/capabilities.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

const create = (path: string) => capability('create', path)
async function* bytes(text: string) {
  yield Buffer.from(text)
}

/** Every move in it is one to another file system; `between` runs after each file that is copied. */
class TwoDisks extends MemoryDisk {
  between: (written: number) => Promise<void> = async () => {}
  #written = 0
  /** Runs before each file that is removed. */
  beforeRemoval: (path: string) => Promise<void> = async () => {}

  override async move(): Promise<void> {
    throw new CrossDevice()
  }

  override async write(at: Capability<'create' | 'modify' | 'rename'>, body: AsyncIterable<Uint8Array>, how: CommitHow) {
    const entry = await super.write(at, body, how)
    if (at.action === 'rename') await this.between(++this.#written)
    return entry
  }

  override async remove(...[at, signal, how]: Parameters<MemoryDisk['remove']>) {
    await this.beforeRemoval(Capability.check(at, 'delete', 'rename', 'modify').path)
    await super.remove(at, signal, how)
  }
}

function setup() {
  const disk = new TwoDisks({ 'src/a.txt': 'a', 'src/b.txt': 'b', 'other/': '' })
  const files = userFilesOn(disk, { source: { address: '', way: 'job' } })
  const names = async (path: string) => ((await files.open(parsePath(path))).items ?? []).map(({ name }) => name)
  const move = () => files.move(parsePath('/src'), parsePath('/other/src'), { override: false, rename: false })
  return { disk, files, names, move }
}

test('without other changes everything is moved', async () => {
  const { names, move } = setup()
  await move()
  assert.deepEqual(await names('/other/src'), ['a.txt', 'b.txt'])
  assert.deepEqual(await names('/'), ['other'])
})

test('a file that is added meanwhile stays where it is', async () => {
  const { disk, names, move } = setup()
  disk.between = async (written) => {
    if (written === 2) await disk.write(create('/src/c.txt'), bytes('c'), { replace: false })
  }
  await assert.rejects(move(), { code: 'conflict' })
  assert.deepEqual(await names('/src'), ['a.txt', 'b.txt', 'c.txt'])
  assert.deepEqual(await names('/other'), [])
})

test('a file that changes after it was copied stays where it is', async () => {
  const { disk, files, names, move } = setup()
  disk.between = async (written) => {
    if (written === 2) await disk.write(create('/src/a.txt'), bytes('newer'), { replace: true })
  }
  await assert.rejects(move(), { code: 'conflict' })
  assert.equal((await files.open(parsePath('/src/a.txt'))).content, 'newer')
  assert.deepEqual(await names('/src'), ['a.txt', 'b.txt'])
  assert.deepEqual(await names('/other'), [])
})

test('a file that changes while the source is removed stays there', async () => {
  const { disk, files, move } = setup()
  disk.beforeRemoval = async (path) => {
    disk.beforeRemoval = async () => {}
    await disk.write(create(path), bytes('newer'), { replace: true })
  }
  await assert.rejects(move(), { code: 'conflict', message: /something changed while it was moved/ })
  const left = (await files.open(parsePath('/src'))).items ?? []
  const texts = await Promise.all(left.map(async ({ path }) => (await files.open(parsePath(path))).content))
  assert.ok(texts.includes('newer'))
})

test('a tree move across devices that fails leaves the source whole, and removes what it made at the target', async () => {
  for (const code of ['full', 'notFound'] as const) {
    const { disk, names, move } = setup()
    disk.between = async () => {
      throw new Failure(code)
    }
    await assert.rejects(move(), { code })
    assert.deepEqual(await names('/src'), ['a.txt', 'b.txt'])
    assert.deepEqual(await names('/other'), [])
  }
})

test('a failed merge across devices leaves the source complete, and restores what it replaced', async () => {
  const { disk, files, names } = setup()
  await disk.makeFolder(capability('create', '/other/src'))
  for (const [path, text] of [
    ['/other/src/a.txt', 'old'],
    ['/other/src/mine.txt', 'mine'],
  ] as const)
    await disk.write(capability('create', path), body(text), { replace: false })
  disk.between = async (written) => {
    if (written === 2) throw new Failure('full')
  }
  await assert.rejects(files.move(parsePath('/src'), parsePath('/other/src'), { override: true, rename: false }), {
    code: 'full',
  })
  assert.deepEqual(await names('/src'), ['a.txt', 'b.txt'])
  assert.deepEqual(await names('/other/src'), ['a.txt', 'mine.txt'])
  assert.equal((await files.open(parsePath('/other/src/a.txt'))).content, 'old')
})

test('a tree that gets something hidden after it was checked is not moved', async () => {
  for (const [denied, planted] of [
    ['/src/secret', '/src/secret'],
    ['/other/src/secret', '/src/secret'],
  ] as const) {
    class Planting extends MemoryDisk {
      override async move(...asked: Parameters<MemoryDisk['move']>) {
        await this.write(create(planted), bytes('hidden'), { replace: false })
        await super.move(...asked)
      }
    }
    const disk = new Planting({ 'src/a.txt': 'a', 'other/': '' })
    const files = userFilesOn(disk, { principal: principal(denied) })
    const how = { override: false, rename: false }
    await assert.rejects(files.move(parsePath('/src'), parsePath('/other/src'), how), { code: 'forbidden' })
    assert.equal((await disk.stat(capability('read', planted))).size, 6)
  }
})

/** Writes into a file that keeps its size and its time, as some programs do that change a few bytes. */
async function editUnseen(path: string) {
  const file = await open(path, 'r+')
  await file.write('EDIT', 0)
  await file.close()
  await utimes(path, 1e9, 1e9)
}

/** A move of files with an old time, on a real disk that takes it for one to another file system. */
async function setUpReal(t: TestContext, names: readonly string[]) {
  const { disk, root } = await openDisk(t, { files: { 'other/': '', 'src/a': 'text of a', 'src/b': 'text of b' } })
  for (const name of ['a', 'b']) await utimes(join(root, 'src', name), 1e9, 1e9)
  for (const name of names) linkSync(join(root, 'src/a'), join(root, 'src', name))
  t.mock.method(disk, 'move', () => Promise.reject(new CrossDevice()))
  const move = () => userFilesOn(disk).move(parsePath('/src'), parsePath('/other/src'), { override: false, rename: false })
  return { root, move }
}

for (const [when, name] of [
  ['after it was copied', 'copyFile'],
  ['just before it is removed', 'remove'],
] as const) {
  test(`a file that is edited ${when} and keeps its size and its time is not lost`, async (t) => {
    const { root, move } = await setUpReal(t, [])
    const original = Disk.prototype[name] as (...asked: unknown[]) => Promise<unknown>
    let isEdited = false
    t.mock.method(Disk.prototype, name, async function (this: Disk, ...asked: [Capability<'rename'>, ...unknown[]]) {
      const { path } = Capability.check(asked[0], 'rename')
      const edit = async () => {
        if (path !== '/src/a' || isEdited) return
        isEdited = true
        await editUnseen(join(root, path))
      }
      if (name === 'remove') await edit()
      const done = await original.apply(this, asked)
      if (name === 'copyFile') await edit()
      return done
    })
    await assert.rejects(move(), { code: 'conflict', message: /something changed while it was moved/ })
    assert.equal((await harvest(root))['src/a'], 'EDIT of a')
  })
}

test('what others have put over the copies of a move that fails is not taken back with them', async (t) => {
  const { root, move } = await setUpReal(t, [])
  const original = Disk.prototype.inode
  const copies = new Set<string>()
  t.mock.method(Disk.prototype, 'inode', async function (this: Disk, ...args: Parameters<Disk['inode']>) {
    const { path } = Capability.check(args[0], 'read')
    // Each copy was looked at after it was made, and now the sources are again.
    if (copies.size === 2 && path.startsWith('/src/')) {
      copies.clear()
      const other = join(root, 'other/src/a')
      writeFileSync(`${other}.new`, 'TEXT OF A')
      utimesSync(`${other}.new`, 1e9, 1e9)
      renameSync(`${other}.new`, other)
      writeFileSync(join(root, 'src/b'), 'another b')
    }
    const inode = await original.apply(this, args)
    if (path.startsWith('/other/')) copies.add(path)
    return inode
  })
  await assert.rejects(move(), { code: 'conflict' })
  assert.deepEqual(await harvest(root), { 'src/a': 'text of a', 'src/b': 'another b', 'other/src/a': 'TEXT OF A' })
})

test('the names of one file all go to another file system', async (t) => {
  const { root, move } = await setUpReal(t, ['c', 'd', 'e'])
  await move()
  const [a, b] = ['text of a', 'text of b']
  assert.deepEqual(await harvest(root), {
    ...{ 'other/src/a': a, 'other/src/b': b, 'other/src/c': a, 'other/src/d': a, 'other/src/e': a },
  })
})
