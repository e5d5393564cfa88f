// Copying, moving and deleting: complete trees, or nothing.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { whileMounted, withoutMounts } from '../support/mounts.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

const tree = { 'src/a.txt': 'a', 'src/sub/b.txt': 'b', 'src/empty/': '', 'dst/old.txt': 'old' }

test('a copy of a tree is a second tree, and makes the folders it needs', async (t) => {
  const app = await startApp(t, { files: tree })
  const ann = await app.as('ann')
  utimesSync(join(app.root, 'src/a.txt'), 0, 1_500_000_000)
  assert.equal((await ann.copy('/src', '/new/place/copy')).status, 200)
  const copied = await harvest(join(app.root, 'new/place'))
  assert.deepEqual(copied, { 'copy/a.txt': 'a', 'copy/sub/b.txt': 'b', 'copy/empty/': '' })
  assert.equal(statSync(join(app.root, 'new/place/copy/a.txt')).mtimeMs, 1_500_000_000_000)
  assert.equal(statSync(join(app.root, 'new/place/copy/a.txt')).mode & 0o777, 0o644)
  assert.deepEqual(app.events, ['copy /src /new/place/copy'])
})

test('a move removes the source tree', async (t) => {
  const app = await startApp(t, { files: tree })
  const ann = await app.as('ann')
  assert.equal((await ann.move('/src', '/dst/moved')).status, 200)
  assert.deepEqual(await harvest(app.root), {
    'dst/moved/a.txt': 'a',
    'dst/moved/empty/': '',
    'dst/moved/sub/b.txt': 'b',
    'dst/old.txt': 'old',
  })
  assert.deepEqual(app.events, ['rename /src /dst/moved'])
})

test('a rename makes the folders above its target, as an upload does', async (t) => {
  const app = await startApp(t, { files: { ...tree, 'x.txt': 'x' }, users: { ann: {}, renamer: { perm: only('rename') } } })
  const ann = await app.as('ann')
  assert.equal((await ann.move('/src/a.txt', '/new/deep/a.txt')).status, 200)
  assert.equal((await ann.list('/new/deep')).join(), 'a.txt')
  assert.equal((await ann.move('/dst/old.txt', '/x.txt/old.txt')).status, 409)
  // Making a folder needs the permission to create.
  const renamer = await app.as('renamer')
  assert.equal((await renamer.move('/x.txt', '/other/x.txt')).status, 403)
  assert.equal((await renamer.move('/x.txt', '/new/x.txt')).status, 200)
  assert.deepEqual(
    app.events.filter((event) => !event.startsWith('failed')),
    ['rename /src/a.txt /new/deep/a.txt', 'rename /x.txt /new/x.txt'],
  )
})

for (const action of ['copy', 'move'] as const) {
  test(`${action}: a taken target is 409 and all stays`, async (t) => {
    const app = await startApp(t, { files: { ...tree, 'x.txt': 'x', 'y.txt': 'y' } })
    const before = await harvest(app.root)
    const ann = await app.as('ann')
    assert.equal((await ann[action]('/x.txt', '/y.txt')).status, 409)
    assert.equal((await ann[action]('/src', '/dst')).status, 409)
    assert.equal((await ann[action]('/x.txt', '/y.txt', 'override=yes')).status, 409)
    assert.deepEqual(await harvest(app.root), before)
    assert.deepEqual(app.events, [])
  })

  test(`${action}: override replaces a file and merges folders`, async (t) => {
    const app = await startApp(t, {
      files: { 'src/a.txt': 'new', 'src/sub/b.txt': 'b', 'dst/a.txt': 'old', 'dst/sub/c.txt': 'c', 'x.txt': 'x', 'y.txt': 'y' },
    })
    const ann = await app.as('ann')
    assert.equal((await ann[action]('/x.txt', '/y.txt', 'override=true')).status, 200)
    assert.equal((await ann[action]('/src', '/dst', 'override=true')).status, 200)
    const left = action === 'copy' ? { 'src/a.txt': 'new', 'src/sub/b.txt': 'b' } : {}
    const x = action === 'copy' ? { 'x.txt': 'x' } : {}
    const merged = { 'dst/a.txt': 'new', 'dst/sub/b.txt': 'b', 'dst/sub/c.txt': 'c', 'y.txt': 'x' }
    assert.deepEqual(await harvest(app.root), { ...merged, ...left, ...x })
  })

  test(`${action}: a folder and a file cannot replace each other, also deep in a tree, and nothing is touched`, async (t) => {
    const files = { 'src/a.txt': 'new', 'src/sub': 'file', 'dst/a.txt': 'old', 'dst/sub/c.txt': 'c', 'x.txt': 'x' }
    const app = await startApp(t, { files })
    const ann = await app.as('ann')
    for (const [from, to] of [
      ['/src', '/dst'],
      ['/x.txt', '/dst'],
      ['/src', '/x.txt'],
    ] as const) {
      assert.equal((await ann[action](from, to, 'override=true')).status, 409, `${from} → ${to}`)
    }
    assert.deepEqual(await harvest(app.root), files)
  })

  test(`${action}: rename takes the next free name`, async (t) => {
    const app = await startApp(t, {
      files: { 'a.tar.gz': '1', '.rc': 'rc', 'd.ir/x': 'x', 'to/a.tar.gz': 'taken', 'to/a.tar(1).gz': 'taken' },
    })
    const ann = await app.as('ann')
    assert.equal((await ann[action]('/a.tar.gz', '/to/a.tar.gz', 'rename=true')).status, 200)
    assert.equal((await ann[action]('/.rc', '/.rc', 'rename=true')).status, 200)
    assert.equal((await ann[action]('/d.ir', '/d.ir', 'rename=true')).status, 200)
    const now = Object.keys(await harvest(app.root))
    for (const path of ['to/a.tar(2).gz', '(1).rc', 'd(1).ir/x']) assert.ok(now.includes(path), path)
  })

  test(`${action}: into itself is 400, also through a link`, async (t) => {
    const app = await startApp(t, { files: { 'dir/sub/x': 'x', link: { link: 'dir' }, deep: { link: 'dir/sub' } } })
    const ann = await app.as('ann')
    for (const to of ['/dir/in', '/dir/sub/in', '/link/in', '/deep/in']) {
      assert.equal((await ann[action]('/dir', to)).status, 400, to)
    }
    assert.deepEqual(Object.keys(await harvest(app.root)).sort(), ['deep', 'dir/sub/x', 'link'])
  })

  test(`${action}: a missing source is 404; the root is 403 at either end`, async (t) => {
    const app = await startApp(t, { files: tree })
    const ann = await app.as('ann')
    assert.equal((await ann[action]('/none', '/dst/none')).status, 404)
    assert.equal((await ann[action]('/', '/dst/all')).status, 403)
    assert.equal((await ann[action]('/src', '/', 'override=true')).status, 403)
  })

  test(`${action}: override needs the permissions to create and to modify`, async (t) => {
    const app = await startApp(t, {
      files: { 'x.txt': 'x', 'y.txt': 'y' },
      users: { half: { perm: only('rename', 'download', 'create') }, other: { perm: only('rename', 'download', 'modify') } },
    })
    for (const name of ['half', 'other']) {
      assert.equal((await (await app.as(name))[action]('/x.txt', '/y.txt', 'override=true')).status, 403, name)
    }
    assert.deepEqual(await harvest(app.root), { 'x.txt': 'x', 'y.txt': 'y' })
  })

  test(`${action}: a target that rules hide is refused before anything happens, also deep in a tree`, async (t) => {
    const app = await startApp(t, {
      files: { 'src/a.txt': 'a', 'src/priv/b.txt': 'b', 'dst/': '' },
      users: { ann: { rules: [deny('/dst/src/priv'), deny('/private')] } },
    })
    const before = await harvest(app.root)
    const ann = await app.as('ann')
    assert.equal((await ann[action]('/src', '/dst/src')).status, 403)
    assert.equal((await ann[action]('/src/a.txt', '/private/a.txt')).status, 403)
    assert.equal((await ann[action]('/src/a.txt', '/dst/../private/a.txt')).status, 400)
    assert.deepEqual(await harvest(app.root), before)
  })
}

test('copying onto itself is a conflict, with override too; moving onto itself with override is nothing', async (t) => {
  const app = await startApp(t, { files: tree })
  const before = await harvest(app.root)
  const ann = await app.as('ann')
  for (const path of ['/src', '/src/a.txt']) {
    assert.equal((await ann.copy(path, path)).status, 409)
    assert.equal((await ann.copy(path, path, 'override=true')).status, 409)
    assert.equal((await ann.move(path, path)).status, 409)
    assert.equal((await ann.move(path, path, 'override=true')).status, 200)
  }
  assert.equal((await ann.move('/none', '/none', 'override=true')).status, 404)
  assert.deepEqual(await harvest(app.root), before)
  assert.deepEqual(app.events, [])
})

test('what rules hide is left out of a copy, and prevents a move or deletion of the whole tree', async (t) => {
  const app = await startApp(t, { files: { ...tree, 'src/secret/s.txt': 's' }, users: { ann: { rules: [deny('/src/secret')] } } })
  const before = await harvest(app.root)
  const ann = await app.as('ann')
  assert.equal((await ann.move('/src', '/moved')).status, 403)
  assert.equal((await ann.remove('/src')).status, 403)
  assert.deepEqual(await harvest(app.root), before)
  assert.equal((await ann.copy('/src', '/copied')).status, 200)
  assert.deepEqual(Object.keys(await harvest(join(app.root, 'copied'))), ['a.txt', 'empty/', 'sub/b.txt'])
})

test('links: those that stay inside are copied as links, those that leave are left out, all move along', async (t) => {
  const app = await startApp(t, {
    files: { 'src/a.txt': 'a', 'src/in': { link: 'a.txt' }, 'src/dir': { link: '../other' }, 'other/b': 'b' },
  })
  symlinkSync('/etc', join(app.root, 'src/out'))
  const ann = await app.as('ann')
  assert.equal((await ann.copy('/src', '/copy')).status, 200)
  assert.deepEqual(await harvest(join(app.root, 'copy')), { 'a.txt': 'a', in: { link: 'a.txt' }, dir: { link: '../other' } })
  assert.equal((await ann.copy('/src/out', '/out')).status, 403)
  assert.equal((await ann.move('/src', '/moved')).status, 200)
  assert.equal(readlinkSync(join(app.root, 'moved/out')), '/etc')
})

test('a deletion removes the tree, and of a link the link alone', async (t) => {
  const app = await startApp(t, { files: { ...tree, 'src/l': { link: '../dst' }, 'src/lost': { link: 'none' } } })
  symlinkSync('/etc', join(app.root, 'src/out'))
  execFileSync('mkfifo', [join(app.root, 'src/pipe')])
  const ann = await app.as('ann')
  assert.equal((await ann.remove('/src')).status, 200)
  assert.deepEqual(await harvest(app.root), { 'dst/old.txt': 'old' })
  assert.ok(existsSync('/etc/hostname'))
  symlinkSync('none', join(app.root, 'lost'))
  assert.equal((await ann.remove('/lost')).status, 200)
  assert.equal((await ann.remove('/none')).status, 404)
  for (const address of ['/api/resources/', '/api/resources', '/api/resources//', '/api/resources/.']) {
    assert.equal((await ann.ask('DELETE', address)).status, 403)
  }
  assert.deepEqual(app.events, ['delete /src', 'delete /lost'])
})

test('protected files prevent changes of the folders above them', async (t) => {
  const app = await startApp(t, {
    files: { 'conf/inner/x.txt': 'x', 'conf/a.txt': 'a', 'dst/conf/a.txt': 'old' },
    options: ({ root }) => ({ database: join(root, 'conf/inner/state.json'), cacheDir: join(root, 'conf/cache') }),
  })
  const ann = await app.as('ann')
  assert.deepEqual(await ann.list('/conf'), ['inner', 'a.txt'])
  assert.deepEqual(await ann.list('/conf/inner'), ['x.txt'])
  for (const name of ['state.json', 'state.json.lock', 'state.json.backup-x', 'state.json.pid']) {
    const path = `/conf/inner/${name}`
    for (const answer of [
      await ann.get(path),
      await ann.raw(path),
      await ann.upload(path, 'x', 'override=true'),
      await ann.save(path, 'x'),
    ]) {
      assert.equal(answer.status, 403, name)
    }
    assert.equal((await ann.copy('/conf/a.txt', path)).status, 403)
    assert.equal((await ann.move('/conf/a.txt', path, 'override=true')).status, 403)
  }
  for (const flags of ['', 'override=true', 'rename=true']) {
    assert.equal((await ann.move('/conf', '/dst/conf', flags)).status, flags ? 403 : 409, flags)
  }
  assert.equal((await ann.move('/conf', '/elsewhere')).status, 403)
  assert.equal((await ann.remove('/conf')).status, 403)
  assert.equal((await ann.remove('/conf/inner')).status, 403)
  assert.deepEqual(await ann.list('/conf'), ['inner', 'a.txt'])
  assert.equal(readdirSync(join(app.root, 'conf/inner')).includes('x.txt'), true)
  assert.equal(await (await ann.raw('/dst/conf/a.txt')).text(), 'old')
})

test('move: into itself through a mount is 400, and nothing is made', { skip: withoutMounts }, async (t) => {
  const app = await startApp(t, { files: { 'a/sub/f': 'x', 'b/': '' } })
  const ann = await app.as('ann')
  for (const mounted of ['a', 'a/sub']) {
    await whileMounted(join(app.root, 'b'), ['--bind', join(app.root, mounted)], async () => {
      assert.equal((await ann.move('/a', '/b/x')).status, 400)
    })
  }
  assert.deepEqual(await harvest(app.root), { 'a/sub/f': 'x', 'b/': '' })
})

test('a folder in which something is mounted is not deleted, and what is mounted stays whole', {
  skip: withoutMounts,
}, async (t) => {
  const app = await startApp(t, { files: { 'd/e/m/': '', 'd/f': 'f', 'other/g': 'kept' } })
  const ann = await app.as('ann')
  await whileMounted(join(app.root, 'd/e/m'), ['--bind', join(app.root, 'other')], async () => {
    for (const path of ['/d', '/d/e', '/d/e/m']) {
      const answer = await ann.remove(path)
      assert.equal(answer.status, 409, path)
      assert.match(await answer.text(), /a file system is mounted in it/)
    }
    assert.equal((await ann.remove('/d/f')).status, 200)
  })
  assert.deepEqual(await harvest(app.root), { 'd/e/m/': '', 'other/g': 'kept' })
})

test('across file systems a tree is copied and then removed', async (t) => {
  const elsewhere = mkdtempSync('/dev/shm/holdall-test-')
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
  const app = await startApp(t, {
    files: { ...tree, 'src/in': { link: 'a.txt' }, other: { link: elsewhere } },
    options: { linksInto: [elsewhere] },
  })
  symlinkSync('/etc', join(app.root, 'src/out'))
  const ann = await app.as('ann')
  const moved = await ann.move('/src', '/other/src')
  assert.equal(moved.status, 200, await moved.text())
  assert.deepEqual(await harvest(elsewhere), {
    'src/a.txt': 'a',
    'src/empty/': '',
    'src/in': { link: 'a.txt' },
    'src/out': { link: '/etc' },
    'src/sub/b.txt': 'b',
  })
  assert.equal(existsSync(join(app.root, 'src')), false)
  assert.equal((await ann.move('/other/src/a.txt', '/dst/old.txt', 'override=true')).status, 200)
  assert.equal(await (await ann.raw('/dst/old.txt')).text(), 'a')
  assert.equal(existsSync(join(elsewhere, 'src/a.txt')), false)
})

test('a tree that contains a device is not moved to another file system, and stays complete', async (t) => {
  const elsewhere = mkdtempSync('/dev/shm/holdall-test-')
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
  const app = await startApp(t, { files: { ...tree, other: { link: elsewhere } }, options: { linksInto: [elsewhere] } })
  execFileSync('mkfifo', [join(app.root, 'src/pipe')])
  assert.equal((await (await app.as('ann')).move('/src', '/other/src')).status, 400)
  assert.deepEqual(readdirSync(elsewhere), [])
  assert.ok(existsSync(join(app.root, 'src/a.txt')))
})

test('copies at once that all want a free name each get one', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a', 'dir/x': 'x' } })
  const ann = await app.as('ann')
  for (const [path, names] of [
    ['/a.txt', ['a(1).txt', 'a(2).txt', 'a(3).txt', 'a(4).txt']],
    ['/dir', ['dir(1)', 'dir(2)', 'dir(3)', 'dir(4)']],
  ] as const) {
    const answers = await Promise.all(names.map(() => ann.copy(path, path, 'rename=true')))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const there = await ann.list('/')
    for (const name of names) assert.ok(there.includes(name), name)
  }
})
