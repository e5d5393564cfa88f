// Things with a file of their own beside the state.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StoredFiles } from '../../src-server/state/stored-files.ts'
import { FaultyDisk, type Survives } from '../support/faulty-disk.ts'
import { temporaryFolder } from '../support/start-state.ts'

type Job = { step: number }
const isJob = (value: unknown): value is Job => typeof (value as Job | null)?.step === 'number'

function start(t: TestContext) {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  const disk = new FaultyDisk(folder)
  t.after(() => disk.close())
  const jobs = storedJobs(folder, disk)
  return { folder, disk, jobs, below: join(folder, 'state.json.jobs') }
}

function storedJobs(folder: string, disk?: FaultyDisk, report: (path: string, error: unknown) => void = assert.fail) {
  const stateFile = join(folder, 'state.json')
  return new StoredFiles<Job>({ stateFile, name: 'jobs', isValue: isJob, report, ...(disk && { system: disk.system }) })
}

test('each thing is a file that its owner alone can read, and is found by the next start', async (t) => {
  const { folder, jobs, below } = start(t)
  assert.deepEqual([...(await jobs.all())], [])
  await Promise.all([jobs.write('a', { step: 1 }), jobs.write('b', { step: 1 }), jobs.write('a', { step: 2 })])
  await jobs.remove('b')
  await jobs.remove('none')
  assert.deepEqual([...(await storedJobs(folder).all())], [['a', { step: 2 }]])
  assert.deepEqual(readdirSync(below), ['a.json'])
  assert.deepEqual([statSync(below).mode & 0o777, statSync(join(below, 'a.json')).mode & 0o777], [0o700, 0o600])
  for (const id of ['', '../a', 'a/b', 'a.b', 'x'.repeat(129)]) assert.throws(() => jobs.write(id, { step: 1 }), TypeError)
})

for (const survives of ['nothing', 'names'] as const satisfies readonly Survives[]) {
  test(`a power cut at any step leaves each thing as it was before or after (${survives} unsynced stays)`, async (t) => {
    const works: [string, (jobs: StoredFiles<Job>) => Promise<void>, before: Job | undefined, after: Job | undefined][] = [
      ['the first', (jobs) => jobs.write('a', { step: 1 }), undefined, { step: 1 }],
      ['a change', (jobs) => jobs.write('a', { step: 2 }), { step: 1 }, { step: 2 }],
      ['a removal', (jobs) => jobs.remove('a'), { step: 1 }, undefined],
    ]
    for (const [name, work, before, after] of works) {
      for (let step = 0, isDone = false; !isDone; step++) {
        const { disk, jobs } = start(t)
        if (before) await jobs.write('a', before)
        disk.crashAt(disk.calls.length + step)
        isDone = await work(jobs).then(
          () => true,
          () => false,
        )
        const left = join(temporaryFolder(t), 'left')
        disk.afterPowerCut(left, survives)
        const found = (await storedJobs(left).all()).get('a')
        assert.ok(isDone ? found?.step === after?.step : [before?.step, after?.step].includes(found?.step), `${name} ${step}`)
        if (existsSync(join(left, 'state.json.jobs')))
          assert.ok(
            readdirSync(join(left, 'state.json.jobs')).every((one) => one === 'a.json'),
            'nothing else is left',
          )
      }
    }
  })
}

test('what cannot be read is reported and left as it is, and a link is never followed', async (t) => {
  const { folder, jobs, below } = start(t)
  await jobs.write('good', { step: 1 })
  writeFileSync(join(below, 'torn.json'), '{"step":')
  writeFileSync(join(below, 'other.json'), '{"step":"x"}')
  writeFileSync(join(folder, 'elsewhere'), '{"step":9}')
  symlinkSync(join(folder, 'elsewhere'), join(below, 'link.json'))
  writeFileSync(join(below, 'notes.txt'), 'x')
  const reported: string[] = []
  const found = await storedJobs(folder, undefined, (path) => void reported.push(path)).all()
  assert.deepEqual([...found], [['good', { step: 1 }]])
  assert.deepEqual(
    reported.sort(),
    ['link', 'other', 'torn'].map((id) => join(below, `${id}.json`)),
  )
  await jobs.write('link', { step: 3 })
  assert.equal(readFileSync(join(folder, 'elsewhere'), 'utf8'), '{"step":9}')
  assert.equal(existsSync(join(below, 'notes.txt')), true)
})
