// The calls of the trash: what goes there, who sees it, and what comes back.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { completed, SettingsRecord } from '../../src-server/contract/records.ts'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import { historyCalls } from '../support/history-calls.ts'
import { picture } from '../support/pictures.ts'
import { deny, only, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { deleted, itemsOf, listed, pathsOf, purge, restore } from '../support/trash-calls.ts'
import { harvest, harvestAll } from '../support/tree.ts'
import { until } from '../support/until.ts'

const two = { ann: {}, bob: {} }
const admin = { perm: { ...usual, admin: true } }
const day = 24

describe('what is deleted', () => {
  test('goes into the trash, is listed there, and comes back with the folders above it', async (t) => {
    const app = await startApp(t, { files: { 'd/e/f.txt': 'text', 'd/g': 'g' } })
    const ann = await app.as('ann')
    const [file, folder] = [await deleted(ann, '/d/e/f.txt'), await deleted(ann, '/d')]
    assert.deepEqual(await harvest(app.root), {})
    const { items, total, days, isOn } = await listed(ann)
    assert.deepEqual([total, days, isOn], [2, 30, true])
    const { modified, ...first } = items.find(({ id }) => id === file) ?? {}
    assert.equal(typeof modified, 'number')
    assert.deepEqual(first, {
      ...{ id: file, name: 'f.txt', path: '/d/e/f.txt', isDir: false, size: 4, type: 'text', by: 'ann' },
      ...{ deletedAt: app.clock.now(), dueAt: app.clock.now() + 30 * 86_400_000, why: 'delete', mayPurge: true },
    })
    assert.deepEqual(await restore(ann, [file]), { restored: [{ id: file, path: '/d/e/f.txt' }], taken: [], failures: [] })
    assert.deepEqual(await harvest(app.root), { 'd/e/f.txt': 'text' })
    assert.deepEqual((await restore(ann, [folder], 'number')).restored, [{ id: folder, path: '/d(1)' }])
    assert.deepEqual(await harvestAll(app.root), { 'd/e/f.txt': 'text', 'd(1)/e/': '', 'd(1)/g': 'g' })
    assert.deepEqual(await itemsOf(ann), [])
    assert.deepEqual((await restore(ann, [file])).failures, [{ id: file, code: 'notFound', message: '' }])
  })

  test('is gone when that was asked for, when the trash is off, and when the server was started without one', async (t) => {
    for (const [options, off] of [
      [{}, true],
      [{ trash: false }, false],
    ] as const) {
      const app = await startApp(t, { files: { a: 'a', b: 'b', c: 'c' }, options })
      const ann = await app.as('ann')
      assert.equal((await ann.ask('DELETE', '/api/resources/a?trash=false')).status, 200)
      if (off) {
        await app.parts.state.change('other', (draft) => {
          draft.settings = { ...draft.settings, trash: { ...draft.settings.trash, isOn: false } }
        })
      }
      const refused = await ann.ask('DELETE', '/api/resources/b?trash=true')
      assert.deepEqual([refused.status, refused.headers.get('X-Refusal')?.split('&')[0]], [409, 'code=noTrash'])
      const answer = await ann.remove('/c')
      assert.deepEqual([answer.status, answer.headers.get('Holdall-Trash')], [200, null])
      const { trash, noTrash } = await ann.read('/')
      assert.deepEqual([trash, noTrash], [false, 'off'])
      assert.deepEqual([await harvestAll(app.root), (await listed(ann)).isOn], [{ b: 'b' }, false])
    }
  })

  test('is not put back over another entry unless that is asked, which then is in the trash', async (t) => {
    const app = await startApp(t, { files: { f: 'old', 'd/x': 'old' } })
    const ann = await app.as('ann')
    const [file, folder] = [await deleted(ann, '/f'), await deleted(ann, '/d')]
    await ann.upload('/f', 'new')
    await ann.upload('/d/y', 'new')
    assert.deepEqual((await restore(ann, [file, folder])).taken, [
      { id: file, path: '/f' },
      { id: folder, path: '/d' },
    ])
    assert.deepEqual(await restore(ann, [file], 'skip'), { restored: [], taken: [], failures: [] })
    assert.equal((await restore(ann, [file, folder], 'replace')).restored.length, 2)
    assert.deepEqual(await harvest(app.root), { f: 'old', 'd/x': 'old' })
    const items = await itemsOf(ann, 'by=name&order=asc')
    assert.deepEqual(
      [items.map(({ path }) => path), (await restore(ann, [items[1]?.id ?? ''], 'number')).restored.length],
      [['/d', '/f'], 1],
    )
    assert.deepEqual(await harvest(app.root), { f: 'old', 'f(1)': 'new', 'd/x': 'old' })
  })

  test('for good needs the one who deleted it, or an administrator, and is over after its time', async (t) => {
    const app = await startApp(t, { files: { a: 'a', b: 'b', c: 'c' }, users: { ...two, root: admin } })
    const [ann, bob, root] = [await app.as('ann'), await app.as('bob'), await app.as('root')]
    const [a, b, c] = [await deleted(ann, '/a'), await deleted(ann, '/b'), await deleted(bob, '/c')]
    assert.deepEqual((await purge(bob, { items: [a] })).failures[0]?.code, 'othersTrash')
    assert.equal((await purge(ann, { items: [a] })).purged, 1)
    assert.equal((await purge(bob, { all: true })).purged, 1)
    assert.deepEqual(
      (await itemsOf(root)).map(({ id }) => id),
      [b],
    )
    app.clock.advance({ hours: 31 * day })
    await app.parts.startTrash()
    assert.deepEqual([await itemsOf(await app.as('root')), await harvestAll(app.root), c.length], [[], {}, 32])
  })

  test('is told to the listeners, as what comes back and what goes for good is', async (t) => {
    const app = await startApp(t, { files: { a: 'a', b: 'b' } })
    const ann = await app.as('ann')
    const [a, b] = [await deleted(ann, '/a'), await deleted(ann, '/b')]
    await restore(ann, [a])
    await purge(ann, { items: [b] })
    assert.deepEqual(app.events, ['delete /a', 'delete /b', 'restore /a /a', 'purge /b'])
  })

  test('is read, and is no page of this server', async (t) => {
    const app = await startApp(t, { files: { 'p.html': '<b>x</b>', 'd/x': 'x' } })
    const ann = await app.as('ann')
    const [page, folder] = [await deleted(ann, '/p.html'), await deleted(ann, '/d')]
    const answer = await ann.ask('GET', `/api/trash/raw/${page}`, { headers: { Range: 'bytes=3-3' } })
    assert.deepEqual([answer.status, await answer.text()], [206, 'x'])
    assert.match(answer.headers.get('Content-Disposition') ?? '', /^attachment/)
    assert.equal((await ann.ask('GET', `/api/trash/raw/${folder}`)).status, 403)
    assert.equal((await ann.ask('GET', '/api/trash/raw/none')).status, 404)
  })

  test('has a smaller picture for who may see it', async (t) => {
    const app = await startApp(t, {
      files: { 'a.png': await picture('png', 20, 10), 'b.txt': 'b' },
      users: { ann: {}, bob: { scope: '/other' } },
    })
    const [ann, bob] = [await app.as('ann'), await app.as('bob')]
    const [image, text] = [await deleted(ann, '/a.png'), await deleted(ann, '/b.txt')]
    const thumb = (id: string) => `/api/trash/preview/thumb/${id}?inline=true`
    const answer = await ann.ask('GET', thumb(image))
    assert.deepEqual([answer.status, answer.headers.get('Content-Type')], [200, 'image/webp'])
    const headers = { 'If-None-Match': String(answer.headers.get('ETag')), 'Cache-Control': 'max-age=0' }
    const again = await ann.ask('GET', thumb(image), { headers })
    assert.equal(again.status, 304)
    assert.equal((await ann.ask('GET', thumb(text))).status, 501)
    assert.deepEqual([(await bob.ask('GET', thumb(image))).status, (await ann.ask('GET', thumb('none'))).status], [404, 404])
    await restore(ann, [image])
    assert.equal((await ann.ask('GET', thumb(image))).status, 404)
  })

  test('is open for its smaller picture only in its turn', async (t) => {
    const app = await startApp(t, { files: { 'a.png': await picture('png', 20, 10) } })
    const ann = await app.as('ann')
    const id = await deleted(ann, '/a.png')
    const { limits } = app.parts.api
    const enter = limits.enter.bind(limits)
    const waiting: number[] = []
    t.mock.method(limits, 'enter', async (...[what, ...given]: Parameters<typeof enter>) => {
      if (what === 'previews') waiting.push(openBelow(app.root))
      return enter(what, ...given)
    })
    assert.equal((await ann.ask('GET', `/api/trash/preview/thumb/${id}`)).status, 200)
    assert.deepEqual([waiting, openBelow(app.root)], [[0], 0])
  })

  test('that other programs take out or lose is noticed, and folders are counted', async (t) => {
    const app = await startApp(t, { files: { a: 'a', b: 'b', 'd/x': 'xyz' } })
    const ann = await app.as('ann')
    for (const path of ['/a', '/b', '/d']) await deleted(ann, path)
    const [own] = fs.readdirSync(join(app.root, '.holdall-trash'))
    const inTrash = (name: string) => join(app.root, '.holdall-trash', own ?? '', name)
    fs.renameSync(inTrash('files/a'), join(app.root, 'a'))
    fs.unlinkSync(inTrash('info/a.trashinfo'))
    await app.parts.startTrash()
    await until(async () => (await itemsOf(ann, 'by=size')).every(({ size }) => size !== null), 'the folder is counted')
    const items = await itemsOf(ann, 'by=size')
    assert.deepEqual(
      items.map(({ path, size }) => [path, size]),
      [
        ['/d', 3],
        ['/b', 1],
      ],
    )
    for (const path of ['/a', '/b']) assert.equal((await ann.get(path)).status, path === '/a' ? 200 : 404)
  })
})

test('the news of the trash is for administrators alone, until one of them takes note, and for states from before', async (t) => {
  const app = await startApp(t, { users: { ann: {}, root: admin, boss: admin } })
  const [ann, root, boss] = [await app.as('ann'), await app.as('root'), await app.as('boss')]
  const isNews = async (who: typeof ann) => (await listed(who)).isNews ?? false
  assert.equal(await isNews(root), false)
  // As the state of a server that had no trash is read.
  const { trash: _, ...settings } = app.parts.state.data.settings
  const { trash } = completed(SettingsRecord, settings)
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, trash }
  })
  assert.deepEqual([await isNews(ann), await isNews(root), await isNews(boss)], [false, true, true])
  const taken = await root.ask('PUT', '/api/settings', { body: JSON.stringify({ trash: { isNews: false } }) })
  assert.equal(taken.status, 200)
  assert.deepEqual([await isNews(root), await isNews(boss)], [false, false])
})

test('the list is narrowed by words of the path, as a search is', async (t) => {
  const app = await startApp(t, { files: { 'Année/Bilan final.txt': '1', 'final bilan.txt': '2', other: '3' } })
  const ann = await app.as('ann')
  for (const path of ['/Année/Bilan final.txt', '/final bilan.txt', '/other']) await deleted(ann, path)
  const found = async (filter: string) => {
    const { items, total } = await listed(ann, String(new URLSearchParams({ filter, by: 'name', order: 'asc' })))
    assert.equal(items.length, total)
    return items.map(({ name }) => name)
  }
  assert.deepEqual(await found('FINAL bilan'), ['Bilan final.txt', 'final bilan.txt'])
  assert.deepEqual(await found('"final bilan"'), ['final bilan.txt'])
  assert.deepEqual(await found('annee'), ['Bilan final.txt'])
  assert.equal((await found(' ')).length, 3)
})

test('nothing makes way for what is not there any more, and no folder for who may not delete', async (t) => {
  const users = { ann: {}, mod: { perm: only('download', 'create', 'modify') } }
  const app = await startApp(t, { files: { a: 'old', b: '1' }, users })
  const [ann, mod] = [await app.as('ann'), await app.as('mod')]
  const id = await deleted(ann, '/a')
  await ann.upload('/a', 'new')
  const [own] = fs.readdirSync(join(app.root, '.holdall-trash'))
  fs.unlinkSync(join(app.root, '.holdall-trash', own ?? '', 'files/a'))
  assert.equal((await restore(ann, [id], 'replace')).failures[0]?.code, 'notFound')
  assert.equal((await ann.read('/a')).content, 'new')
  await mod.upload('/b', '2', 'override=true')
  const [version] = await itemsOf(mod, 'path=/b')
  assert.ok(await deleted(ann, '/b'))
  await ann.upload('/b/work', 'of ann')
  assert.equal((await restore(mod, [version?.id ?? ''], 'replace')).failures[0]?.code, 'forbidden')
  assert.deepEqual(await harvest(app.root), { a: 'new', 'b/work': 'of ann' })
})

describe('what is replaced', () => {
  test('is kept by each act that replaces', async (t) => {
    const app = await startApp(t, { files: { 'up.txt': '1', 'save.txt': '2', 'copy.txt': '3', 'move.txt': '4', a: 'a', b: 'b' } })
    const ann = await app.as('ann')
    for (const answer of [
      await ann.upload('/up.txt', 'new', 'override=true'),
      await ann.save('/save.txt', 'new'),
      await ann.copy('/a', '/copy.txt', 'override=true'),
      await ann.move('/b', '/move.txt', 'override=true'),
    ]) {
      assert.equal(answer.status, 200)
    }
    const items = await itemsOf(ann)
    const texts = items.map(async ({ id, path, why }) => [path, why, await (await ann.ask('GET', `/api/trash/raw/${id}`)).text()])
    assert.deepEqual((await Promise.all(texts)).sort(), [
      ['/copy.txt', 'replace', '3'],
      ['/move.txt', 'replace', '4'],
      ['/save.txt', 'replace', '2'],
      ['/up.txt', 'replace', '1'],
    ])
    const [save] = await itemsOf(ann, 'path=/save.txt')
    await restore(ann, [save?.id ?? ''], 'replace')
    assert.equal((await ann.read('/save.txt')).content, '2')
    assert.equal((await itemsOf(ann, 'path=/save.txt')).length, 1)
  })

  test('by a merge to another file system that fails stays in the trash where another person has its name by now', async (t) => {
    const app = await startApp(t, { files: { 't/d/a': 'new', 't/d/z': 'z', 'o/d/a': 'original' }, users: two })
    const [ann, bob] = [await app.as('ann'), await app.as('bob')]
    const { copyFile } = Disk.prototype
    t.mock.method(Disk.prototype, 'move', async () => {
      throw new CrossDevice()
    })
    t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...args: Parameters<Disk['copyFile']>) {
      if (!Capability.check(args[0], 'download', 'rename').path.endsWith('/z')) return copyFile.apply(this, args)
      await until(async () => fs.readFileSync(join(app.root, 'o/d/a'), 'utf8') === 'new', 'the first file has its name')
      assert.equal((await bob.upload('/o/d/a', 'of bob', 'override=true')).status, 200)
      throw new Failure('forbidden')
    })
    assert.equal((await ann.move('/t/d', '/o/d', 'override=true')).status, 403)
    assert.deepEqual(await harvest(app.root), { 't/d/a': 'new', 't/d/z': 'z', 'o/d/a': 'of bob' })
    const texts = (await itemsOf(ann)).map(async ({ id }) => (await ann.ask('GET', `/api/trash/raw/${id}`)).text())
    assert.deepEqual((await Promise.all(texts)).sort(), ['new', 'original'])
  })

  test('by saves that follow each other within ten minutes is one version, that from before the first', async (t) => {
    const app = await startApp(t, { files: { f: '0', g: '0' }, users: two })
    const [script, bob] = [await app.as('ann'), await app.as('bob')]
    const ann = historyCalls(app.url, script).act()
    const texts = async () => {
      const items = await itemsOf(ann, 'path=/f&order=asc')
      return Promise.all(items.map(async ({ id }) => (await ann.ask('GET', `/api/trash/raw/${id}`)).text()))
    }
    const save = async (who: typeof ann, path: string, text: string) => {
      app.clock.advance({ minutes: 1 })
      assert.equal((await who.save(path, text)).status, 200)
    }
    for (const text of ['1', '2', '3']) await save(ann, '/f', text)
    assert.deepEqual(await texts(), ['0'])
    // Another act of the person, another person, and time.
    await save(ann, '/g', 'other')
    await save(ann, '/f', '4')
    assert.deepEqual(await texts(), ['0', '3'])
    await save(bob, '/f', '5')
    await save(ann, '/f', '6')
    assert.deepEqual(await texts(), ['0', '3', '4', '5'])
    app.clock.advance({ minutes: 10 })
    await save(ann, '/f', '7')
    assert.deepEqual(await texts(), ['0', '3', '4', '5', '6'])
    // Another program saves with the rights of the person: its changes are in no history.
    for (const text of ['8', '9']) await save(script, '/f', text)
    await save(ann, '/f', '10')
    assert.deepEqual(await texts(), ['0', '3', '4', '5', '6', '7', '8', '9'])
    // The clock is set back.
    app.clock.advance({ hours: -2 })
    await save(ann, '/f', '11')
    assert.ok((await texts()).includes('10'))
  })
})

describe('the trash of others', () => {
  test('shows what the scope and the rules of a person allow, to who may download and create', async (t) => {
    const files = { 'team/a': 'a', 'team/hidden/b': 'b', 'other/c': 'c' }
    const users = {
      root: admin,
      ann: { scope: '/team' },
      bob: { scope: '/team', rules: [deny('/hidden')] },
      eve: { scope: '/team', perm: only('create', 'delete') },
    }
    const app = await startApp(t, { files, users })
    const [root, ann, bob, eve] = [await app.as('root'), await app.as('ann'), await app.as('bob'), await app.as('eve')]
    for (const path of ['/team/a', '/team/hidden/b', '/other/c']) await deleted(root, path)
    assert.deepEqual(
      [await pathsOf(root), await pathsOf(ann), await pathsOf(bob)],
      [['/other/c', '/team/a', '/team/hidden/b'], ['/a', '/hidden/b'], ['/a']],
    )
    assert.equal((await eve.ask('GET', '/api/trash')).status, 403)
    const [hidden] = (await itemsOf(ann)).filter(({ path }) => path === '/hidden/b')
    assert.equal((await restore(bob, [hidden?.id ?? ''])).failures[0]?.code, 'notFound')
    assert.equal((await bob.ask('GET', `/api/trash/raw/${hidden?.id}`)).status, 404)
    assert.equal((await restore(ann, [hidden?.id ?? ''])).restored.length, 1)
  })

  test('is not given back to somebody from whom something in it is hidden', async (t) => {
    const users = { ann: {}, bob: { rules: [deny('/d/hidden')] } }
    const app = await startApp(t, { files: { 'd/hidden/x': 'x', 'd/y': 'y' }, users })
    const [ann, bob] = [await app.as('ann'), await app.as('bob')]
    assert.equal((await bob.remove('/d')).status, 403)
    const id = await deleted(ann, '/d')
    assert.equal((await restore(bob, [id])).failures[0]?.code, 'foreignInside')
    assert.equal((await restore(ann, [id])).restored.length, 1)
  })

  test('stays with a person who is renamed, and is not given to another with the id of before', async (t) => {
    const app = await startApp(t, { files: { a: 'a', b: 'b' }, users: { root: admin, ann: {} } })
    const [root, ann] = [await app.as('root'), await app.as('ann')]
    const id = userIn(app.parts.state, 'ann')?.id ?? 0
    const [a, b] = [await deleted(ann, '/a'), await deleted(ann, '/b')]
    const body = JSON.stringify({ what: 'user', which: ['username'], data: { id, username: 'anna' } })
    assert.equal((await root.ask('PUT', `/api/users/${id}`, { body })).status, 200)
    const mayPurge = async () => (await itemsOf(ann)).map((item) => item.mayPurge)
    assert.equal('formerNames' in (await (await root.ask('GET', `/api/users/${id}`)).json()), false)
    assert.deepEqual(await mayPurge(), [true, true])
    assert.equal((await purge(ann, { items: [a] })).purged, 1)
    // As after an older state was restored, in which the id was not given to anybody yet.
    await app.parts.state.change('other', (draft) => {
      draft.users = draft.users.map(({ formerNames: _, ...user }) => (user.id === id ? { ...user, username: 'eve' } : user))
    })
    assert.deepEqual(await mayPurge(), [false])
    assert.deepEqual(
      (await purge(ann, { items: [b] })).failures.map(({ code }) => code),
      ['othersTrash'],
    )
  })

  test('is not shown to a person whose folder is another one of the same name, nor that of a deleted person', async (t) => {
    const users = { root: admin, ann: { scope: '/home' }, bob: { scope: '/home' } }
    const app = await startApp(t, { files: { 'home/a': 'a', 'home/b': 'b' }, users })
    const [root, ann, bob] = [await app.as('root'), await app.as('ann'), await app.as('bob')]
    const a = await deleted(ann, '/a')
    assert.deepEqual(await pathsOf(bob), ['/a'])
    fs.renameSync(join(app.root, 'home'), join(app.root, 'old'))
    fs.mkdirSync(join(app.root, 'home'))
    assert.deepEqual([await pathsOf(bob), await pathsOf(ann), await pathsOf(root)], [[], ['/a'], ['/home/a']])
    fs.rmdirSync(join(app.root, 'home'))
    fs.renameSync(join(app.root, 'old'), join(app.root, 'home'))
    assert.deepEqual(await pathsOf(bob), ['/a'])
    await changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
      user.scope = '/'
    })
    await app.parts.state.change('other', (draft) => {
      draft.users = draft.users.filter(({ username }) => username !== 'ann')
    })
    assert.deepEqual([await pathsOf(bob), await pathsOf(root), a.length], [[], ['/home/a'], 32])
  })
})

/** How many files below a folder this process has open. */
function openBelow(folder: string): number {
  const targets = fs.readdirSync('/proc/self/fd').map((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.startsWith(folder) && target.endsWith('.png')).length
}
