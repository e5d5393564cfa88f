// A server that is killed while it extracts an archive, or makes one.
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

for (const kind of ['extract', 'compress'] as const) {
  test(`what a killed job has made that is cancelled then is told in the history, and undone: ${kind}`, async (t) => {
    const files = { 'a/1.zip': zipOf([{ name: 'd/1', content: 'one' }]), 't/x': 'X' }
    let found = 0
    for (let step = 0; ; step++) {
      const app = await startActs(t, { files })
      const names = readdirSync(join(app.root, 't'))
      const made = kind === 'extract' ? { to: parsePath('/t/new') } : { sources: [parsePath('/a')], to: parsePath('/t') }
      const entries = kind === 'extract' ? ['/a/1.zip'] : ['/t/a.zip']
      const request = app.request(kind, entries, { ...made, taken: 'number', places: ['/1', '/2'] })
      const gate = new Gate()
      const held = gate.holdAt(step, 'before')
      // The kill comes before it is kept.
      t.mock.method(app.parts().deeds, 'note', () => {})
      const begun = app.begin(await app.open(gate), request)
      const reached = await Promise.race([held.then(() => 'held'), begun.then((job) => job.rested).then(() => 'ended')])
      if (reached === 'ended') break
      gate.kill()
      await gate.still()
      await app.startServer()
      const next = await app.open()
      const [job] = next.of(app.present().id)
      // Of what is said to be done all is kept.
      if (job?.head.done === 1) continue
      await job?.cancel()
      await job?.rested
      const visible = readdirSync(join(app.root, 't')).filter((name) => !name.startsWith('.'))
      const isMade = visible.length > names.length
      assert.equal((await app.acts()).length, isMade ? 1 : 0, `step ${step}`)
      if (!isMade) continue
      assert.deepEqual([job?.head.state, job?.head.done], ['cancelled', 1], `step ${step}`)
      found++
      assert.deepEqual((await app.turn('undo')).left, [], `step ${step}`)
      assert.deepEqual(readdirSync(join(app.root, 't')), names, `step ${step}`)
    }
    assert.ok(found > 0)
  })
}
