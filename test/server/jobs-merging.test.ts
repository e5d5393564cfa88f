// Jobs that replace or merge and break off amid it: continued they come to their end, and undo leads to how it was before.
import assert from 'node:assert/strict'
import { link, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { nextTickAfter } from '../../src-server/base/clock-ticks.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import type { Job } from '../../src-server/jobs/job.ts'
import type { Jobs } from '../../src-server/jobs/jobs.ts'
import { startActs } from '../support/start-acts.ts'
import { Gate } from '../support/start-jobs.ts'
import { harvest, harvestAll, type Tree } from '../support/tree.ts'

/** What is to be replaced has the sizes and the times of what replaces it, as of two releases that were unpacked. */
const alike: Tree = {
  ...{ 'd/1': 'new-1', 'd/2': 'new-2', 'd/e/3': 'new-3', 'd/e/4': 'new-4', 'd/5': 'new-5', 'd/n/6': 'new-6' },
  ...{ 't/d/1': 'old-1', 't/d/2': 'old-2', 't/d/e/3': 'old-3', 't/d/e/4': 'old-4', 't/d/x': 'other' },
}

for (const way of ['killed', 'paused'] as const) {
  test(`a copy that replaces what looks like its own copies, ${way} after any step, goes on to its end and is undone whole`, async (t) => {
    for (let step = 0; ; step++) {
      const app = await startActs(t, { files: alike })
      for (const path of Object.keys(alike)) await utimes(join(app.root, path), 1e9, 1e9)
      const before = await harvest(app.root)
      const gate = new Gate('files')
      const held = gate.holdAt(step, 'after')
      const jobs = await app.open(gate, way === 'killed' ? 'server' : 'disk')
      const request = app.request('copy', ['/d'], { taken: 'replace', places: ['/1', '/2'] })
      const job = await app.begin(jobs, request)
      const reached = await Promise.race([held.then(() => 'held'), job.rested.then(() => 'ended')])
      if (reached === 'ended') return assert.equal(step, 7)
      const next = way === 'killed' ? await restarted(app, gate) : await paused({ gate, job, jobs })
      // What was paused when it had nothing left to do has ended.
      const isLast = way === 'paused' && step === 6
      if (!isLast) await next.find(app.present().id, request.id).resume()
      await (await app.reaches(next, request.id, 'ended')).rested
      const copies = Object.entries(alike).filter(([path]) => path.startsWith('d/'))
      const after = { ...before, ...Object.fromEntries(copies.map(([path, text]) => [`t/${path}`, text])) }
      assert.deepEqual(await harvest(app.root), after, `step ${step}`)
      for (const direction of turnsAt(step)) {
        assert.deepEqual((await app.turn(direction)).left, [], `step ${step} ${direction}`)
        assert.deepEqual(await harvest(app.root), direction === 'undo' ? before : after, `step ${step} ${direction}`)
      }
    }
  })
}

/** Undo and redo take longer than all else. */
const turnsAt = (step: number) => (step === 4 ? (['undo', 'redo', 'undo'] as const) : (['undo'] as const))

const merged: Tree = {
  ...{ 'd/1': 'new 1', 'd/2': 'new 2', 'd/e/3': 'new 3', 'd/e/4': 'new 4', 'd/n/5': 'new 5', 'd/l': { link: 'new' } },
  ...{ 't/d/1': 'old 1', 't/d/e/3': 'old 3', 't/d/x': 'X' },
}
const moved: Tree = {
  ...{ 't/d/1': 'new 1', 't/d/2': 'new 2', 't/d/e/3': 'new 3', 't/d/e/4': 'new 4', 't/d/n/5': 'new 5' },
  ...{ 't/d/l': { link: 'new' }, 't/d/x': 'X' },
}

for (const [what, hasBothNames] of [
  ['', false],
  [' while a file had both of its names', true],
] as const) {
  test(`a merge by a move that was killed after any step${what} goes on to its end, and all of it is undone`, async (t) => {
    for (let step = 0; ; step++) {
      const app = await startActs(t, { files: merged })
      const before = await harvest(app.root)
      const gate = new Gate('files')
      const held = gate.holdAt(step, 'after')
      const request = app.request('move', ['/d'], { taken: 'replace', places: ['/1', '/2'] })
      const job = await app.begin(await app.open(gate), request)
      const reached = await Promise.race([held.then(() => 'held'), job.rested.then(() => 'ended')])
      if (reached === 'ended') return assert.ok(step > 8, `${step} steps`)
      await gate.still()
      if (hasBothNames) await nameAgain(app.root, ['d/2', 'd/e/4'])
      const next = await restarted(app, gate)
      await next.find(app.present().id, request.id).resume()
      await (await app.reaches(next, request.id, 'ended')).rested
      assert.deepEqual([job.head.failed, app.reports, await harvest(app.root)], [0, [], moved], `step ${step}`)
      const [act] = await app.acts()
      assert.deepEqual([act?.chosen, act?.names], [1, ['d']], `step ${step}`)
      for (const direction of turnsAt(step)) {
        assert.deepEqual((await app.turn(direction)).left, [], `step ${step} ${direction}`)
        assert.deepEqual(await harvest(app.root), direction === 'undo' ? before : moved, `step ${step} ${direction}`)
      }
    }
  })
}

test('without a trash a merge by a move that was killed after any step says what it has replaced for good', async (t) => {
  const files: Tree = { 'd/1': 'new 1', 'd/2': 'new 2', 't/d/1': 'old 1' }
  for (let step = 0; ; step++) {
    const app = await startActs(t, { files, hasTrash: false })
    const gate = new Gate('files')
    const held = gate.holdAt(step, 'after')
    const request = app.request('move', ['/d'], { taken: 'replace' })
    const job = await app.begin(await app.open(gate), request)
    const reached = await Promise.race([held.then(() => 'held'), job.rested.then(() => 'ended')])
    if (reached === 'ended') return assert.ok(step > 3, `${step} steps`)
    const next = await restarted(app, gate)
    await next.find(app.present().id, request.id).resume()
    await (await app.reaches(next, request.id, 'ended')).rested
    assert.deepEqual((await app.turn('undo')).left, [{ path: '/t/d/1', how: 'forGood' }], `step ${step}`)
    assert.deepEqual((await app.turn('undo', true)).act.state, 'partly', `step ${step}`)
    assert.deepEqual(await harvest(app.root), { 'd/1': 'new 1', 'd/2': 'new 2', 't/d/': '' }, `step ${step}`)
  }
})

test('without a trash a merge by a move says of nothing that was not replaced that it is gone', async (t) => {
  const files: Tree = { 'd/1': 'new 1', 't/d/1': 'old 1' }
  const { app } = await refusedAt(t, '/d/1', { files, hasTrash: false })
  assert.deepEqual(await app.acts(), [])
})

/** Gives files that were moved their old names too, as they have for a moment while they are moved. The others have no new ones. */
async function nameAgain(root: string, paths: readonly string[]) {
  for (const path of paths) await link(join(root, 't', path), join(root, path)).catch(() => {})
}

/** A merge by a move of which one entry cannot be moved. */
async function refusedAt(t: TestContext, path: string, how: Parameters<typeof startActs>[1] = { files: merged }) {
  const app = await startActs(t, how)
  const { move } = Disk.prototype
  const refusing = t.mock.method(app.disk, 'move', function (this: Disk, ...asked: Parameters<Disk['move']>) {
    const isRefused = Capability.check(asked[0], 'rename').path === path
    return isRefused ? Promise.reject(new Failure('full', 'no space is left')) : move.apply(this, asked)
  })
  const request = app.request('move', ['/d'], { taken: 'replace' })
  const jobs = await app.open()
  await app.begin(jobs, request)
  const job = await app.reaches(jobs, request.id, 'ended')
  await job.rested
  assert.equal(job.head.failed, 1)
  return { app, job, again: () => refusing.mock.restore() }
}

test('what of a merge by a move could not be moved is neither undone nor done again with the rest', async (t) => {
  const { app } = await refusedAt(t, '/d/2')
  const after = await harvest(app.root)
  for (const direction of ['undo', 'redo', 'undo'] as const) {
    assert.deepEqual((await app.turn(direction)).left, [], direction)
    assert.deepEqual(await harvest(app.root), direction === 'undo' ? merged : after, direction)
  }
})

test('what a merge by a move was about to move when it was killed is not moved by a redo', async (t) => {
  const app = await startActs(t, { files: merged })
  const gate = new Gate('files')
  const held = gate.holdAt(2, 'before')
  await app.begin(await app.open(gate), app.request('move', ['/d'], { taken: 'replace' }))
  await held
  await gate.still()
  await app.startServer()
  const after = await harvest(app.root)
  for (const direction of ['undo', 'redo', 'undo'] as const) {
    assert.deepEqual((await app.turn(direction)).left, [], direction)
    assert.deepEqual(await harvest(app.root), direction === 'undo' ? merged : after, direction)
  }
})

test('what of a merge by a move could not be moved may be renamed before the rest is undone', async (t) => {
  const { app } = await refusedAt(t, '/d/2')
  await rename(join(app.root, 'd/2'), join(app.root, 'd/other'))
  assert.deepEqual((await app.turn('undo')).left, [])
  const { 'd/2': text = '', ...others } = merged
  assert.deepEqual(await harvest(app.root), { ...others, 'd/other': text })
})

test('a merge by a move that has moved nothing is no act, and one once it has', async (t) => {
  const files = { 'd/1': '1', 't/d/x': 'X' }
  const other = await refusedAt(t, '/d/1', { files })
  assert.deepEqual(await other.app.acts(), [])
  // Nor after a restart, when the changes tell what the head does not.
  await other.app.startServer()
  assert.deepEqual(await other.app.acts(), [])
  const { app, job, again } = await refusedAt(t, '/d/1', { files })
  again()
  await job.retry()
  await job.rested
  const acts = await app.acts()
  assert.deepEqual(
    acts.map(({ chosen, names }) => [chosen, names]),
    [[1, ['d']]],
  )
  assert.deepEqual((await app.turn('undo')).left, [])
  assert.deepEqual(await harvest(app.root), files)
})

for (const taken of ['replace', 'number'] as const) {
  test(`a copy that was paused does not take for its own what others have put there meanwhile, with ${taken}`, async (t) => {
    const app = await startActs(t, { files: { ...alike, 't/': '' } })
    const gate = new Gate('files')
    const held = gate.holdAt(3, 'after')
    const jobs = await app.open(gate, 'disk')
    const request = app.request('copy', ['/d'], {
      taken,
      ...(taken === 'number' && { to: parsePath('/n') }),
      places: ['/1', '/2'],
    })
    const job = await app.begin(jobs, request)
    await held
    await paused({ gate, job, jobs })
    // A program that keeps times.
    const to = join(app.root, taken === 'number' ? 'n/d' : 't/d')
    await mkdir(join(to, 'e'), { recursive: true })
    for (const name of ['1', '2', 'e/3', 'e/4', '5']) {
      await writeFile(join(to, `${name}~`), `for-${name.at(-1)}`)
      await utimes(join(to, `${name}~`), 1e9, 1e9)
      await rename(join(to, `${name}~`), join(to, name))
    }
    await nextTickAfter(Date.now())
    await job.resume()
    const ended = await app.reaches(jobs, request.id, 'ended')
    const isForeign = (text: unknown) => String(text).startsWith('for-')
    const foreign = Object.values(await harvest(to)).filter(isForeign)
    if (taken === 'number') return assert.deepEqual([ended.head.failed, foreign.length], [1, 5])
    const trashed = Object.values(await harvestAll(join(app.root, '.holdall-trash'))).filter(isForeign)
    assert.deepEqual([ended.head.done, foreign, trashed.length], [1, [], 5])
  })
}

for (const way of ['killed', 'paused'] as const)
  for (const taken of ['replace', 'number'] as const)
    for (const twoDevices of [false, true]) {
      const where = twoDevices ? 'to another device' : 'on one device'
      test(`a move ${where} that was ${way} before it moved anything does not take for moved what others have taken away, with ${taken}`, async (t) => {
        const old: Tree = taken === 'replace' ? { 't/a': 'old a', 't/b': 'old b', 't/d': 'old d', 't/l': { link: 'old' } } : {}
        const app = await startActs(t, {
          files: { a: 'new a', b: 'new b', d: 'new d', l: { link: 'new' }, 't/x': 'X', ...old },
          twoDevices,
        })
        for (const name of ['a', 'b', 'd']) await utimes(join(app.root, name), 1e9, 1e9)
        const gate = new Gate('files')
        const held = gate.holdAt(0, 'before')
        const jobs = await app.open(gate, way === 'killed' ? 'server' : 'disk')
        // Nothing tells a link that was made while no server ran from a copy of another one.
        const names = way === 'killed' && taken === 'number' ? ['a', 'b', 'd'] : ['a', 'b', 'd', 'l']
        const entries = names.map((name) => `/${name}`)
        const request = app.request('move', entries, { taken, places: ['/1', '/2'] })
        const job = await app.begin(jobs, request)
        await held
        if (way === 'paused') {
          await paused({ gate, job, jobs })
          // What is made within the same tick of the clock may be the job's own.
          await nextTickAfter(Date.now())
        } else await gate.still()
        await rm(join(app.root, 'a'))
        await rename(join(app.root, 'b'), join(app.root, 'away'))
        for (const name of ['d', 'l']) await rm(join(app.root, name))
        if (taken === 'number') {
          for (const name of ['a', 'b']) await writeFile(join(app.root, 't', name), `for-${name}`)
          await mkdir(join(app.root, 't/d'))
          await symlink('other', join(app.root, 't/l'))
        }
        const before = await harvest(app.root)
        if (way === 'paused') await nextTickAfter(Date.now())
        const next = way === 'killed' ? await restarted(app, gate) : jobs
        await next.find(app.present().id, request.id).resume()
        const ended = await app.reaches(next, request.id, 'ended')
        await ended.rested
        assert.deepEqual([ended.head.done, ended.head.failed, await app.acts()], [0, names.length, []])
        assert.deepEqual(await harvest(app.root), before)
      })
    }

/** Kills the server. @returns the jobs of the next one */
async function restarted(app: Awaited<ReturnType<typeof startActs>>, gate: Gate) {
  await gate.still()
  await app.startServer()
  return app.open()
}

async function paused({ gate, job, jobs }: { gate: Gate; job: Job; jobs: Jobs }) {
  await job.pause()
  gate.release()
  await job.rested
  return jobs
}
