// A server that is killed while it extracts an archive.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { type ZipPart, zipOf } from '../support/attack-zip.ts'
import { startActs } from '../support/start-acts.ts'
import { Gate, killed } from '../support/start-jobs.ts'
import { harvest } from '../support/tree.ts'

test('a kill at any step of the job leaves all of it once, or nothing until it goes on', async (t) => {
  // Before a step it is as it was after the one before.
  const parts: readonly ZipPart[] = [
    { name: 'd/1', content: 'one' },
    { name: 'l', content: 'd/1', mode: 0o120777 },
  ]
  const files = { 'a/1.zip': zipOf(parts), 't/x': 'X' }
  for (let step = 0; ; step++) {
    const app = await startActs(t, { files })
    const before = await harvest(app.root)
    // The folder is made with what is extracted.
    const to = parsePath('/t/new')
    const request = app.request('extract', ['/a/1.zip'], { to, taken: 'number', places: ['/1', '/2'] })
    const gate = new Gate()
    const held = gate.holdAt(step, 'after')
    const jobs = await app.open(gate)
    const begun = app.begin(jobs, request)
    const reached = await Promise.race([held.then(() => 'held'), begun.then((job) => job.rested).then(() => 'ended')])
    if (reached === 'ended') {
      assert.ok(step > 10, `${step} steps`)
      break
    }
    gate.kill()
    await gate.still()
    const job = await app.goOn(request)
    const at = `after step ${step}`
    assert.deepEqual([job.head.failed, app.reports.filter((error) => error !== killed)], [0, []], at)
    assert.deepEqual([readdirSync(join(app.root, 't')), readdirSync(join(app.root, 't/new'))], [['new', 'x'], ['1']], at)
    const { isChanged } = await app.turn('undo')
    assert.deepEqual([isChanged, await harvest(app.root)], [true, before], at)
  }
})
