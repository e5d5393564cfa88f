// The calls of the trash where file systems are mounted below the served folder, or something else stands in their way.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { cleanEnvironment } from '../../src-server/shell/clean-environment.ts'
import { findProgram } from '../../src-server/shell/find-program.ts'
import { historyCalls } from '../support/history-calls.ts'
import { whileMounted, withoutMounts } from '../support/mounts.ts'
import { deny, startApp } from '../support/start-app.ts'
import { deleted, itemsOf, pathsOf, purge, restore } from '../support/trash-calls.ts'
import { harvest, plant, temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const bindfs = await findProgram('bindfs', cleanEnvironment().PATH)

/** Does work while a folder shows another one by FUSE. */
async function whileFused(from: string, to: string, work: () => Promise<void>) {
  const around = fs.statSync(to).dev
  const child = spawn(bindfs ?? '', ['-f', from, to], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  try {
    await until(() => child.exitCode !== null || fs.statSync(to).dev !== around, `${to} is a mount`)
    assert.equal(child.exitCode, null, 'bindfs ended')
    await work()
  } finally {
    spawnSync('umount', ['--lazy', to])
    child.kill('SIGKILL')
    await exited
  }
}

describe('a folder with a mount below', { skip: withoutMounts }, () => {
  const kinds: readonly [string, string | false, (from: string, to: string, work: () => Promise<void>) => Promise<void>][] = [
    ['bind', false, (from, to, work) => whileMounted(to, ['--bind', from], work)],
    ['tmpfs', false, (_from, to, work) => whileMounted(to, ['-t', 'tmpfs', 'none'], work)],
    ['FUSE', bindfs ? false : 'bindfs is not installed', whileFused],
  ]
  for (const [kind, skip, mounted] of kinds) {
    test(`is not deleted, in the trash or for good (${kind}), and what lies in it is`, { skip }, async (t) => {
      const app = await startApp(t, { files: { 'd/deep/m/': '', 'd/f': 'f', 'other/kept': 'kept' } })
      const ann = await app.as('ann')
      await mounted(join(app.root, 'other'), join(app.root, 'd/deep/m'), async () => {
        await plant(join(app.root, 'd/deep/m'), { 'x/y': 'y' })
        const before = await harvest(app.root)
        for (const query of ['', '?trash=true', '?trash=false']) {
          const answer = await ann.ask('DELETE', `/api/resources/d/${query}`)
          assert.equal(answer.status, 409, query)
          assert.match(await answer.text(), /a file system is mounted in it|mount/)
          assert.deepEqual(await harvest(app.root), before)
        }
        const inner = await deleted(ann, '/d/deep/m/x')
        const outer = await deleted(ann, '/d/f')
        assert.equal(fs.existsSync(join(app.root, 'd/deep/m/.holdall-trash')), true, 'a file system has its own trash')
        assert.deepEqual(await pathsOf(ann), ['/d/deep/m/x', '/d/f'])
        assert.equal((await restore(ann, [inner, outer])).restored.length, 2)
        assert.deepEqual(await harvest(app.root), before)
        await deleted(ann, '/d/deep/m/x')
        assert.equal((await purge(ann, { all: true })).purged, 1)
      })
    })
  }
})

/** A system on which what is in a folder called `m` lies on another file system than the trash, once that is mounted. */
function mountedLater() {
  const mounted = { is: false }
  const across = <R>(call: (from: string | Buffer, to: string | Buffer) => Promise<R>) => {
    return async (from: string | Buffer, to: string | Buffer): Promise<R> => {
      if (mounted.is && fs.readlinkSync(dirname(String(to))).endsWith('/m'))
        throw Object.assign(new Error('EXDEV'), { code: 'EXDEV', syscall: 'rename' })
      return call(from, to)
    }
  }
  const system = { ...diskSystem, rename: across(diskSystem.rename), link: across(diskSystem.link) } as DiskSystem
  return { mounted, system }
}

test('what was deleted before a file system was mounted at its folder stays in the trash until that is unmounted, and the rest comes back', async (t) => {
  const files = { 'm/f': 'f', 'm/d/g': 'g', 'm/r': 'old', h: 'h' }
  const { mounted, system } = mountedLater()
  const app = await startApp(t, { files, services: { system } })
  const ann = await app.as('ann')
  const history = historyCalls(app.url, ann)
  const one = history.act()
  const ids = [await deleted(one, '/m/f'), await deleted(one, '/m/d'), await deleted(one, '/m/r'), await deleted(one, '/h')]
  await ann.upload('/m/r', 'new')
  mounted.is = true
  const { undone } = await history.undo((await history.list()).find(({ count }) => count === 4)?.id, { rest: true })
  const left = { '/m/f': 'failed', '/m/d': 'failed', '/m/r': 'taken' }
  assert.deepEqual([undone.done, Object.fromEntries(undone.left.map(({ path, how }) => [path, how]))], [1, left])
  await deleted(ann, '/h')
  const outcome = await restore(ann, [...ids.slice(0, 3), ...(await itemsOf(ann)).slice(0, 1).map(({ id }) => id)], 'replace')
  assert.deepEqual(
    [outcome.restored.map(({ path }) => path), outcome.failures.map(({ code }) => code)],
    [['/h'], Array(3).fill('mountedSince')],
  )
  assert.deepEqual(await harvest(app.root), { 'm/r': 'new', h: 'h' })
  mounted.is = false
  assert.deepEqual((await restore(ann, ids.slice(0, 3), 'replace')).failures, [])
  assert.deepEqual(await harvest(app.root), files)
})

test('a read-only file system says so, and its entries stay', { skip: withoutMounts }, async (t) => {
  const app = await startApp(t, { files: { 'ro/': '', f: 'f' } })
  const behind = await temporaryFolder(t)
  await plant(behind, { g: 'g', 'd/h': 'h' })
  const ann = await app.as('ann')
  await whileMounted(join(app.root, 'ro'), ['--bind', behind], async () => {
    assert.equal(spawnSync('mount', ['-o', 'remount,ro,bind', join(app.root, 'ro')]).status, 0)
    for (const path of ['/ro/g', '/ro/d']) {
      const answer = await ann.remove(path)
      assert.ok(answer.status === 403 || answer.status === 409, `${answer.status} ${await answer.text()}`)
    }
    assert.deepEqual(await harvest(app.root), { 'ro/g': 'g', 'ro/d/h': 'h', f: 'f' })
    assert.deepEqual(await itemsOf(ann), [])
    const item = await deleted(ann, '/f')
    assert.equal((await restore(ann, [item])).restored.length, 1)
  })
})

test('where a link stands in place of the trash nothing is put behind it', async (t) => {
  const app = await startApp(t, { files: { f: 'f', 'd/g': 'g' } })
  const ann = await app.as('ann')
  const behind = await temporaryFolder(t)
  fs.symlinkSync(behind, join(app.root, '.holdall-trash'))
  for (const path of ['/f', '/d']) {
    const answer = await ann.ask('DELETE', `/api/resources${path}?trash=true`)
    assert.equal(answer.status, 409, await answer.text())
  }
  assert.deepEqual(
    [fs.readdirSync(behind), await harvest(app.root)],
    [[], { 'd/g': 'g', f: 'f', '.holdall-trash': { link: behind } }],
  )
  assert.equal((await ann.upload('/f', 'new', 'override=true')).status, 200)
  assert.deepEqual([fs.readdirSync(behind), await itemsOf(ann)], [[], []])
})

test('names of 255 bytes are deleted, replaced and put back, each as often as it was', async (t) => {
  const app = await startApp(t)
  const ann = await app.as('ann')
  const names = [`${'n'.repeat(251)}.txt`, `${'é'.repeat(125)}.jpeg`, '😀'.repeat(63), `.${'d'.repeat(254)}`]
  for (const name of names) {
    for (const text of ['1', '2', '3']) assert.equal((await ann.upload(`/${name}`, text, 'override=true')).status, 200, name)
    await deleted(ann, `/${name}`)
    await ann.makeFolder(`/${name}`)
    await ann.upload(`/${name}/${name}`, 'in')
    await deleted(ann, `/${name}`)
  }
  const items = await itemsOf(ann)
  assert.equal(items.length, 4 * names.length)
  const [first] = names
  const outcome = await restore(
    ann,
    items.filter(({ path, isDir }) => !isDir || path !== `/${first}`).map(({ id }) => id),
    'number',
  )
  const texts = Object.values(await harvest(app.root))
  // A number makes a name longer than the file system takes: such an item stays where it is.
  assert.equal(outcome.restored.length + outcome.failures.length, items.length - 1)
  assert.equal(texts.length + (await itemsOf(ann)).length, items.length)
})

test('two people who delete and put back the same names at once lose nothing, and make nothing twice', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [index % 2 ? `d${index}/f` : `f${index}`, `text ${index}`]),
  )
  const app = await startApp(t, { files, users: { ann: {}, bob: {} } })
  const people = [await app.as('ann'), await app.as('bob')]
  const names = Object.keys(files).map((path) => `/${path.split('/')[0]}`)
  const counts = { deleted: 0, restored: 0 }
  const work = async (who: (typeof people)[number], name: string) => {
    for (let round = 0; round < 12; round++) {
      const answer = await who.remove(name)
      assert.ok([200, 404].includes(answer.status), `${answer.status} ${await answer.text()}`)
      if (answer.status === 200) counts.deleted++
      const ids = (await itemsOf(who)).filter(({ path }) => path === name).map(({ id }) => id)
      if (ids.length === 0) continue
      const { restored } = await restore(who, ids, round % 2 ? 'ask' : 'replace')
      counts.restored += restored.length
    }
  }
  await Promise.all(people.flatMap((who) => names.map((name) => work(who, name))))
  const [ann] = people
  const left = (await itemsOf(ann as (typeof people)[number])).map(({ id }) => id)
  if (left.length > 0) assert.equal((await restore(ann as (typeof people)[number], left)).restored.length, left.length)
  assert.deepEqual(await harvest(app.root), files)
  assert.ok(counts.deleted > 20 && counts.restored > 20, JSON.stringify(counts))
})

test('nothing is put back where the rules hide it, by another name or where a link leads by now', async (t) => {
  const files = { 'p/d/secret/s': 's', 'r/d/secret/s': 's', 'q/': '' }
  const app = await startApp(t, { files, users: { ann: { rules: [deny('/q/d/secret'), deny('/r/d(1)/secret')] } } })
  const ann = await app.as('ann')
  const history = historyCalls(app.url, ann)
  const ids = [await deleted(history.act(), '/p/d'), await deleted(history.act(), '/r/d')]
  fs.mkdirSync(join(app.root, 'r/d'))
  fs.rmdirSync(join(app.root, 'p'))
  fs.symlinkSync('q', join(app.root, 'p'))
  const before = await harvest(app.root)
  for (const taken of ['ask', 'number', 'replace']) {
    const wanted = taken === 'number' ? ids : ids.slice(0, 1)
    assert.deepEqual(
      (await restore(ann, wanted, taken)).failures.map(({ code }) => code),
      wanted.map(() => 'foreignInside'),
      taken,
    )
  }
  const [, first] = await history.list()
  const { undone } = await history.undo(first?.id, { rest: true })
  assert.deepEqual([undone.done, undone.left], [0, [{ path: '/p/d', how: 'forbidden' }]])
  assert.deepEqual(await harvest(app.root), before)
  fs.rmSync(join(app.root, 'p'))
  fs.rmdirSync(join(app.root, 'r/d'))
  assert.deepEqual((await restore(ann, ids)).failures, [])
})
