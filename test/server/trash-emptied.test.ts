// Deleting for good all that a person may, also of very many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule } from '../../src-server/access/rules.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { jobCalls } from '../support/job-calls.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { deleted, pathsOf, purge, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'

const users = { ann: {}, bob: {} }

test('of what a person has deleted nothing is asked about others, and of what another has deleted only about that one', async (t) => {
  const app = await startApp(t, { users, files: { a: 'a', b: 'b', c: 'c' } })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  const [first] = [await deleted(ann, '/a'), await deleted(ann, '/b')]
  const others = await deleted(bob, '/c')
  let asked = 0
  const { identify } = Disk.prototype
  t.mock.method(Disk.prototype, 'identify', async function (this: Disk, ...given: Parameters<Disk['identify']>) {
    asked++
    return identify.apply(this, given)
  })
  assert.equal((await purge(ann, { items: [first] })).purged, 1)
  assert.equal((await purge(ann, { all: true })).purged, 1)
  assert.equal(asked, 0)
  assert.equal((await purge(ann, { items: [others] })).failures[0]?.code, 'othersTrash')
  assert.equal(asked, 1)
  assert.deepEqual(await pathsOf(ann), ['/c'])
})

test('a job deletes for good all that the person may at the moment when it is made, and nothing that comes later', async (t) => {
  const names = Array.from({ length: 70 }, (_, index) => `f${index}`)
  const files = { ...Object.fromEntries(names.map((name) => [name, name])), late: 'late', others: 'others' }
  const app = await startApp(t, { users, files })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  for (const name of names) await deleted(ann, `/${name}`)
  await deleted(bob, '/others')
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.after(() => held.resolve())
  const { purge: purgeOnDisk } = Disk.prototype
  t.mock.method(Disk.prototype, 'purge', async function (this: Disk, ...given: Parameters<Disk['purge']>) {
    reached.resolve()
    await held.promise
    return purgeOnDisk.apply(this, given)
  })
  const jobs = jobCalls(ann)
  const asked = { id: 'empty-the-trash', kind: 'purge', all: true }
  const { status, job } = await jobs.start(asked)
  assert.deepEqual([status, job.entries], [202, 70])
  await reached.promise
  await deleted(ann, '/late')
  const again = await jobs.start(asked)
  assert.deepEqual([again.status, again.job.entries], [202, 70])
  held.resolve()
  const { done, failed } = await jobs.reaches(job.id, 'ended')
  assert.deepEqual([done, failed, await pathsOf(ann)], [70, 0, ['/late', '/others']])
  assert.equal((await jobs.start(asked)).job.done, 70)
  assert.deepEqual(await pathsOf(ann), ['/late', '/others'])
})

test('a job for all of an empty trash ends at once, and one that is no purge, or names entries, is refused', async (t) => {
  const noDelete = { perm: only('download', 'create', 'modify') }
  const app = await startApp(t, { users: { ann: {}, reader: noDelete }, files: { a: 'a' } })
  const ann = await app.as('ann')
  const jobs = jobCalls(ann)
  const { status, job } = await jobs.start({ kind: 'purge', all: true })
  assert.deepEqual([status, job.state, job.entries, job.done], [200, 'ended', 0, 0])
  for (const asked of [
    { kind: 'delete', all: true },
    { kind: 'restore', all: true },
    { kind: 'purge', all: true, entries: [await deleted(ann, '/a')] },
  ]) {
    const refused = await jobs.start(asked)
    assert.deepEqual([refused.status, /all goes with a purge that names no entries/.test(refused.text)], [400, true])
  }
  assert.equal((await jobCalls(await app.as('reader')).start({ kind: 'purge', all: true })).status, 403)
  assert.deepEqual(await pathsOf(ann), ['/a'])
})

test('who has deleted a folder does not delete it for good once the rules hide something in it', async (t) => {
  const app = await startApp(t, { files: { 'd/hidden/x': 'x', 'd/y': 'y', z: 'z' } })
  const ann = await app.as('ann')
  const [id, other] = [await deleted(ann, '/d'), await deleted(ann, '/z')]
  const setRules = (rules: readonly Rule[]) =>
    changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => void Object.assign(user, { rules }))
  await setRules([deny('/d/hidden')])
  const { purged, failures } = await purge(ann, { items: [id, other] })
  assert.deepEqual([purged, failures.map(({ id: its, code }) => [its, code])], [1, [[id, 'foreignInside']]])
  await setRules([])
  assert.equal((await restore(ann, [id])).restored.length, 1)
  assert.deepEqual(await harvest(app.root), { 'd/hidden/x': 'x', 'd/y': 'y' })
})
