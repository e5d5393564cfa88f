import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { PhaseFailure, together } from '../../scripts/phases.ts'
import { type Kind, testFiles } from '../../scripts/test-files.ts'

const counts = `import { byScale } from '../support/scale.ts'`
const startsServer = `import { startApp } from '../support/start-app.ts'`
const files: readonly (readonly [file: string, source: string, kind: Kind])[] = [
  ['test/server/paths.test.ts', '', 'unit'],
  ['test/ui/deep/down.test.ts', '', 'unit'],
  ['test/server/raw.test.ts', startsServer, 'api'],
  ['test/server/race.long.test.ts', `${startsServer}\n${counts}`, 'long'],
  ['test/e2e/crash.long.test.ts', '', 'long'],
  ['test/e2e/listing.test.ts', '', 'browser'],
  ['test/e2e/axe.test.ts', counts, 'browser'],
  ['test/e2e/files.test.ts', counts, 'measuring'],
  ['test/e2e/touch.test.ts', '', 'everyCommand'],
  ['test/e2e/shell.test.ts', counts, 'detail'],
]

test('every test has one kind, and other files have none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-test-files-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [file, source] of [...files, ['test/support/start-app.ts', '', 'unit'] as const]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), source)
  }
  for (const kind of ['unit', 'api', 'long', 'browser', 'measuring', 'everyCommand', 'detail'] as const) {
    const expected = files.filter(([, , of]) => of === kind).map(([file]) => file)
    assert.deepEqual(await testFiles(kind, folder), expected.sort())
  }
  assert.deepEqual(await testFiles('scaled', folder), ['test/e2e/axe.test.ts', 'test/server/race.long.test.ts'])
})

test('phases that run together all run to their end, and fail when one of them does', async (t) => {
  t.mock.method(console, 'log', () => {})
  t.mock.method(console, 'error', () => {})
  const done: string[] = []
  const slow = { name: 'slow', run: () => new Promise<void>((end) => setImmediate(end)).then(() => void done.push('slow')) }
  const failing = { name: 'failing', run: () => Promise.reject(new Error('the reason')) }
  await together('both', [slow, { name: 'quick', run: async () => void done.push('quick') }]).run()
  assert.deepEqual(done.splice(0), ['quick', 'slow'])
  await assert.rejects(together('both', [failing, slow]).run(), PhaseFailure)
  assert.deepEqual(done, ['slow'])
})

const leavesOpen = `import { createServer } from 'node:net'
import { test } from 'node:test'
test('one that fails before it closes', () => {
  createServer().listen(0)
  throw new Error('the reason')
})
test('another', () => new Promise((done) => setTimeout(done, 100)))`

test('a process of tests that stays open ends after all of them, and says what is open', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-test-files-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'open.mjs')
  await writeFile(file, leavesOpen)
  const ends = resolve(import.meta.dirname, '../../scripts/end-tests.ts')
  // Without what makes a test of this process a file of its runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [`--import=${ends}`, file], {
    env: { ...env, HOLDALL_TEST_OPEN: '1' },
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stdout, /✖ one that .*✔ another/s)
  assert.match(stderr, /open\.mjs is still open 0\.001 s after its tests: .*TCPServerWrap/)
})
