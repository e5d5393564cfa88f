// What standard programs pack comes out of the server equal, byte for byte.
import assert from 'node:assert/strict'
import { chmodSync, linkSync, lstatSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { described, packers } from '../support/archive-tools.ts'
import { jobCalls } from '../support/job-calls.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { startApp } from '../support/start-app.ts'
import { plant, temporaryFolder } from '../support/tree.ts'

test('archives of standard programs are extracted to what was packed', async (t) => {
  const folder = await temporaryFolder(t)
  await plant(folder, {
    ...Object.fromEntries(nastyNames.map((name) => [`names/${name}`, name])),
    ...Object.fromEntries(nastyNames.map((name) => [`folders/${name}/f`, name])),
    'empty/': '',
    [`${'deep/'.repeat(60)}f`]: 'deep',
    'sizes/0': '',
    'sizes/511': 'x'.repeat(511),
    'sizes/512': 'x'.repeat(512),
    'sizes/large': Buffer.alloc(1_500_000, 'A line of text. '),
    'l/to a file': { link: '../sizes/511' },
    'l/to a folder': { link: '../empty' },
  })
  linkSync(join(folder, 'sizes/511'), join(folder, 'sizes/same'))
  chmodSync(join(folder, 'sizes/512'), 0o4555)
  utimesSync(join(folder, 'sizes/0'), 0, 946_684_800)
  const wanted = described(folder)
  const app = await startApp(t, { files: { 't/': '' } })
  const jobs = jobCalls(await app.as('ann'))
  for (const [index, [what, ending, pack]] of packers.entries()) {
    pack(folder, join(app.root, `${index}${ending}`))
    const { job } = await jobs.start({ kind: 'extract', entries: [`/${index}${ending}`], to: '/t' })
    assert.deepEqual((await jobs.reaches(job.id, 'ended')).failures, [], what)
    const made = join(app.root, 't', String(index))
    assert.deepEqual(described(made), wanted, what)
    const of = (path: string) => lstatSync(join(made, path))
    assert.deepEqual([of('sizes/512').mode & 0o7777, of('sizes/0').mtimeMs], [0o755, 946_684_800_000], what)
    assert.ok(of('l/to a file').isSymbolicLink() && of('l/to a folder').isSymbolicLink(), what)
  }
})
