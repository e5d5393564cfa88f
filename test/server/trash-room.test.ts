// A disk that gets full in the midst of something goes on being written once room was made from the trash, without being asked again.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Keeping, type Needed } from '../../src-server/trash/keeping.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { fullSystem } from '../support/full-system.ts'
import { jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { harvest, harvestAll, plant } from '../support/tree.ts'

const files = { f: 'f', g: 'g', 'd/x': 'x', 'd/e/y': 'y', big: 'b'.repeat(2 ** 21) }
const large = 'n'.repeat(2.5 * 2 ** 20)

type Tried = Readonly<{
  run(ann: PrincipalCalls, at: string): Promise<Response>
  after: Readonly<Record<string, string | undefined>>
}>

const tried: Readonly<Record<string, Tried>> = {
  'an upload': { run: (ann, at) => ann.upload(`${at}/n`, 'n'), after: { n: 'n' } },
  'an upload into new folders': { run: (ann, at) => ann.upload(`${at}/new/folder/n`, 'n'), after: { 'new/folder/n': 'n' } },
  'a large upload': { run: (ann, at) => ann.upload(`${at}/n`, large), after: { n: large } },
  'an upload that replaces': { run: (ann, at) => ann.upload(`${at}/f`, large, 'override=true'), after: { f: large } },
  'a save': { run: (ann, at) => ann.save(`${at}/f`, 'saved'), after: { f: 'saved' } },
  'a folder': { run: (ann, at) => ann.makeFolder(`${at}/a/b`), after: { 'a/b/': '' } },
  'the copy of a file': { run: (ann, at) => ann.copy(`${at}/f`, `${at}/copy`), after: { copy: 'f' } },
  'the copy of a large file': { run: (ann, at) => ann.copy(`${at}/big`, `${at}/copy`), after: { copy: files.big } },
  'a copy that replaces': { run: (ann, at) => ann.copy(`${at}/f`, `${at}/g`, 'override=true'), after: { g: 'f' } },
  'the copy of a folder': { run: (ann, at) => ann.copy(`${at}/d`, `${at}/copy`), after: { 'copy/x': 'x', 'copy/e/y': 'y' } },
  'a move that replaces': { run: (ann, at) => ann.move(`${at}/f`, `${at}/g`, 'override=true'), after: { f: undefined, g: 'f' } },
  'a removal': { run: (ann, at) => ann.remove(`${at}/d`), after: { 'd/x': undefined, 'd/e/y': undefined } },
}

for (const [what, { run, after }] of Object.entries(tried)) {
  test(`${what} goes on where the disk was full, wherever that was, as one change`, async (t) => {
    const { system, space } = fullSystem()
    const app = await startApp(t, { files: { first: '' }, services: { system } })
    const ann = await app.as('ann')
    const made = t.mock.method(Keeping.prototype, 'makeRoom', async () => {
      space.isFull = false
      return 'freed' as const
    })
    // Hooks are run by such a listener.
    let asked = 0
    app.parts.events.before(() => void asked++)
    // The trash has its folders.
    await ann.remove('/first')
    let isDone = false
    for (let left = 0; !isDone; left++) {
      const folder = join(app.root, `${left}`)
      await plant(folder, files)
      const before = [app.events.length, made.mock.callCount()] as const
      asked = 0
      Object.assign(space, { isFull: true, left })
      const answer = await run(ann, `/${left}`)
      assert.equal(answer.status, 200, `${left}: ${await answer.text()}`)
      isDone = made.mock.callCount() === before[1]
      space.isFull = false
      const now = await harvest(folder)
      const expected = Object.entries({ ...files, ...after }).filter(([, text]) => text !== undefined)
      const sizes = (all: object) => Object.entries(all).map(([path, text]) => `${path} ${text?.length}`)
      assert.deepEqual(sizes(now).sort(), sizes(Object.fromEntries(expected)).sort(), `after ${left} calls`)
      assert.deepEqual(now, Object.fromEntries(expected))
      assert.deepEqual([app.events.length - before[0], asked], [1, 1])
    }
    // Nothing half done stays, and what was replaced or removed is there as often as that was done.
    const all = await harvestAll(app.root)
    assert.deepEqual(
      Object.keys(all).filter((path) => /\.holdall-(?!trash)|\.(purging|replacing|restoring)$/.test(path)),
      [],
    )
  })
}

describe('where no room can be made', () => {
  test('it is refused after one look, or after four further attempts where others may have made room', async (t) => {
    const { system, space } = fullSystem()
    const app = await startApp(t, { files, services: { system } })
    const ann = await app.as('ann')
    let answer: 'none' | 'enough' = 'none'
    const made = t.mock.method(Keeping.prototype, 'makeRoom', async () => answer)
    space.isFull = true
    assert.equal((await ann.upload('/n', 'n')).status, 507)
    assert.equal(made.mock.callCount(), 1)
    answer = 'enough'
    assert.equal((await ann.upload('/n', 'n')).status, 507)
    assert.equal(made.mock.callCount(), 6)
    space.isFull = false
    assert.deepEqual(Object.keys(await harvest(app.root)).sort(), Object.keys(files).sort())
  })

  test('what is known of the whole is told: the length of a body, and what is left of a copy', async (t) => {
    const { system, space } = fullSystem()
    const app = await startApp(t, { files: { 'd/a': 'a'.repeat(1000), 'd/b': 'b'.repeat(500) }, services: { system } })
    const ann = await app.as('ann')
    const asked: unknown[] = []
    t.mock.method(Keeping.prototype, 'makeRoom', async (path: string, { bytes, left }: Needed) => {
      asked.push([path, bytes, left?.bytes])
      return 'none' as const
    })
    Object.assign(space, { isFull: true, left: 0 })
    assert.equal((await ann.upload('/n', large)).status, 507)
    Object.assign(space, { isFull: true, left: 1 })
    const { job } = await jobCalls(ann).start({ kind: 'copy', entries: ['/d'], to: '/', taken: 'number' })
    await jobCalls(ann).reaches(job.id, 'ended')
    const [uploads, copy] = [0, 1].map((at) =>
      (asked as [string, number, number][]).filter(([path]) => (path === '/n') === (at === 0)),
    )
    const upload = uploads?.[0]
    assert.equal(upload?.[0], '/n')
    // What has come and is not written yet is still to be written.
    assert.equal(upload?.[2], large.length)
    assert.ok(copy && copy.length > 0 && copy.every(([path, , whole]) => path.startsWith('/d(1)') && whole === 1500), `${copy}`)
  })
})
