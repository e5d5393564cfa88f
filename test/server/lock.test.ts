import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { startState, temporaryFolder } from '../support/start-state.ts'

/** Starts a process that locks the state. @returns its first line: `open`, or the refusal */
async function startProcess(t: TestContext, file: string): Promise<{ process: ChildProcess; answer: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/lock-process.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const [answer] = await once(lines, 'line')
  return { process: child, answer }
}

async function ended(child: ChildProcess, how: () => void) {
  const exit = once(child, 'exit')
  how()
  await exit
}

test('a second process is refused with the pid of the first, and gets the state when that has closed', async (t) => {
  const file = join(temporaryFolder(t), 'holdall.json')
  const first = await startProcess(t, file)
  assert.equal(first.answer, 'open')
  const second = await startProcess(t, file)
  assert.match(second.answer, new RegExp(`^refused: .*holdall.json is in use by another process \\(pid ${first.process.pid}\\)`))
  assert.match(second.answer, /--database/)
  await assert.rejects(startState(t, { file }), new RegExp(`^StartupError: .*\\(pid ${first.process.pid}\\)`))
  await ended(first.process, () => first.process.stdin?.end())
  assert.equal((await startProcess(t, file)).answer, 'open')
})

test('kill -9 frees the state at once', async (t) => {
  const file = join(temporaryFolder(t), 'holdall.json')
  for (let round = 0; round < 3; round += 1) {
    const { process: child, answer } = await startProcess(t, file)
    assert.equal(answer, 'open')
    assert.equal(Number(readFileSync(`${file}.pid`, 'utf8')), child.pid)
    await ended(child, () => child.kill('SIGKILL'))
  }
  await startState(t, { file })
})

test('of many processes that start at once exactly one gets the state', async (t) => {
  const file = join(temporaryFolder(t), 'holdall.json')
  const answers = await Promise.all(Array.from({ length: 6 }, () => startProcess(t, file)))
  assert.equal(answers.filter(({ answer }) => answer === 'open').length, 1)
  assert.equal(answers.filter(({ answer }) => answer.startsWith('refused: ')).length, 5)
})

test('this process keeps the lock through changes and backups, and releases it when it closes', async (t) => {
  const file = join(temporaryFolder(t), 'holdall.json')
  const state = await startState(t, { file })
  await state.change('other', (draft) => {
    draft.settings = { ...draft.settings, signup: true }
  })
  const refused = await startProcess(t, file)
  assert.match(refused.answer, new RegExp(`pid ${process.pid}\\)`))
  await state.close()
  assert.ok(!existsSync(`${file}.pid`), 'the pid of a server that has ended is gone')
  assert.equal((await startProcess(t, file)).answer, 'open')
})

test('one process does not open the same state twice, under any name', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'holdall.json')
  await startState(t, { file })
  symlinkSync(file, join(folder, 'other-name.json'))
  for (const name of ['holdall.json', 'other-name.json']) {
    await assert.rejects(startState(t, { file: join(folder, name) }), (error: Error) => {
      assert.ok(error instanceof StartupError)
      assert.match(error.message, new RegExp(`${file} is in use by another process \\(pid ${process.pid}\\)`))
      return true
    })
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('other-name.json.')),
    [],
  )
})

test('a refused second opening does not free the lock of the first', async (t) => {
  const file = join(temporaryFolder(t), 'holdall.json')
  await startState(t, { file })
  for (let round = 0; round < 3; round += 1) await assert.rejects(startState(t, { file }), StartupError)
  assert.match((await startProcess(t, file)).answer, /^refused/)
})

test('the lock and the pid are for the owner alone, whatever the umask', async (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const file = join(temporaryFolder(t), 'holdall.json')
  await startState(t, { file })
  for (const ending of ['', '.lock', '.pid']) assert.equal(statSync(`${file}${ending}`).mode & 0o777, 0o600, ending)
  assert.equal(process.umask(), 0, 'the umask is as it was')
})

test('the pid is not written through a link at the path of the pid file', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'holdall.json')
  symlinkSync(join(folder, 'precious'), `${file}.pid`)
  await startState(t, { file })
  assert.ok(!existsSync(join(folder, 'precious')))
  assert.equal(Number(readFileSync(`${file}.pid`, 'utf8')), process.pid)
})

test('a hard link to the lock is no second lock', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'holdall.json')
  await startState(t, { file })
  linkSync(`${file}.lock`, join(folder, 'twin'))
  assert.match((await startProcess(t, file)).answer, /^refused/)
})
