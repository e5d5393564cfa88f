// A disk on which no space is left for the trash.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Keeping } from '../../src-server/trash/keeping.ts'
import { fullSystem } from '../support/full-system.ts'
import { jobCalls } from '../support/job-calls.ts'
import { whileMounted, withoutMounts } from '../support/mounts.ts'
import { startApp } from '../support/start-app.ts'
import { itemsOf } from '../support/trash-calls.ts'
import { harvest, harvestAll } from '../support/tree.ts'

test('what is deleted is refused where no space is left for the trash, in a sentence that names the way to delete for good', async (t) => {
  const { system, space } = fullSystem()
  const app = await startApp(t, { files: { f: 'f', 'd/x': 'x' }, services: { system } })
  const ann = await app.as('ann')
  space.isFull = true
  for (const query of ['', '?trash=true']) {
    for (const path of ['/f', '/d']) {
      const refused = await ann.ask('DELETE', `/api/resources${path}${query}`)
      assert.deepEqual([refused.status, refused.headers.get('X-Refusal')], [507, 'code=trashFull'])
      assert.match(await refused.text(), /no space is left .*\?trash=false deletes it for good/)
    }
  }
  const { job } = await jobCalls(ann).start({ kind: 'delete', entries: ['/f'], trash: true })
  const { failures } = await jobCalls(ann).reaches(job.id, 'ended')
  assert.deepEqual(
    failures.map(({ code, refusal }) => [code, refusal?.code]),
    [['full', 'trashFull']],
  )
  assert.deepEqual(await harvest(app.root), { f: 'f', 'd/x': 'x' })
  for (const path of ['/f', '/d']) assert.equal((await ann.ask('DELETE', `/api/resources${path}?trash=false`)).status, 200)
  assert.deepEqual(await harvestAll(app.root), {})
})

test('what room was made for goes to the trash at once, as one act, and what has failed for another reason is not tried again', async (t) => {
  const { system, space } = fullSystem()
  const files = { f: 'f', g: 'g', 'd/x': 'x', 'e/y': 'y' }
  const app = await startApp(t, { files, services: { system } })
  const ann = await app.as('ann')
  const made = t.mock.method(Keeping.prototype, 'makeRoom', async () => {
    space.isFull = false
    return 'freed' as const
  })
  space.isFull = true
  assert.equal((await ann.ask('DELETE', '/api/resources/f?trash=true', { headers: { 'Holdall-Act': 'one-file' } })).status, 200)
  space.isFull = true
  const body = JSON.stringify({ id: 'removal-1', kind: 'delete', entries: ['/none', '/d', '/e'], trash: true })
  assert.equal((await ann.ask('POST', '/api/jobs', { body, headers: { 'Holdall-Act': 'removal-1' } })).ok, true)
  const { failures, done } = await jobCalls(ann).reaches('removal-1', 'ended')
  assert.deepEqual([failures.map(({ path, code }) => [path, code]), done], [[['/none', 'notFound']], 2])
  assert.ok(made.mock.callCount() >= 2)
  assert.deepEqual(await harvest(app.root), { g: 'g' })
  const { acts } = (await (await ann.ask('GET', '/api/history')).json()) as { acts: { key: string; count: number }[] }
  assert.deepEqual(
    acts.map(({ key, count }) => [key, count]),
    [
      ['removal-1', 2],
      ['one-file', 1],
    ],
  )
})

test('a disk that takes no further file although it has space gets room from the trash too', {
  skip: withoutMounts,
}, async (t) => {
  const app = await startApp(t, { files: { 'm/': '' } })
  const ann = await app.as('ann')
  await whileMounted(join(app.root, 'm'), ['-t', 'tmpfs', '-o', 'size=4m,nr_inodes=40', 'none'], async () => {
    for (const name of ['a', 'b', 'c']) {
      assert.equal((await ann.upload(`/m/${name}`, name)).status, 200)
      assert.equal((await ann.ask('DELETE', `/api/resources/m/${name}?trash=true`)).status, 200)
    }
    const fill = () => {
      for (let made = 0; ; made++) writeFileSync(join(app.root, `m/filler ${made}`), '')
    }
    assert.throws(fill, { code: 'ENOSPC' })
    assert.equal((await ann.upload('/m/new', 'new')).status, 200)
    const left = (await itemsOf(ann)).map(({ name }) => name)
    assert.deepEqual(left.sort(), ['b', 'c'])
  })
})
