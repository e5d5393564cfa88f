// `npm start` in a terminal: what npm passes on, and that the server ends with npm.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'

const password = 'a password for this test alone'
const top = join(import.meta.dirname, '../..')

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-npm-start-'))
  await mkdir(join(folder, 'files'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs npm in its own process group, as a terminal does; the test ends all of the group. */
function npmStart(t: TestContext, args: readonly string[], cwd = top): ChildProcess {
  const npm = spawn('npm', ['--prefix', top, 'start', ...args], {
    cwd,
    detached: true,
    env: { ...process.env, HOLDALL_ADMIN_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => endGroup(npm.pid as number))
  return npm
}

function endGroup(group: number) {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function startServer(t: TestContext, name: string) {
  const database = ['--database', join(folder, `${name}.json`)]
  const npm = npmStart(t, ['--', '--root', join(folder, 'files'), '--port', '0', ...database])
  return { npm, ...(await served(npm)) }
}

/** Waits until the server listens. @throws with its output when it ends before that */
async function served(npm: ChildProcess): Promise<{ root: string; port: number }> {
  let output = ''
  npm.stderr?.on('data', (text) => {
    output += text
  })
  for await (const text of npm.stdout ?? []) {
    output += text
    const [, root = '', port] = /serves (.*) at http:\/\/127\.0\.0\.1:(\d+)\//.exec(output) ?? []
    if (port !== undefined) return { root, port: Number(port) }
  }
  throw new Error(`npm start ended:\n${output}`)
}

async function isReachable(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} to npm ends the server before npm ends`, async (t) => {
    const { npm, port } = await startServer(t, signal)
    assert.equal(await isReachable(port), true)
    const ended = once(npm, 'exit')
    npm.kill(signal)
    await ended
    assert.equal(await isReachable(port), false)
  })

  test(`${signal} to all that npm started ends the server`, async (t) => {
    const { npm, port } = await startServer(t, `group-${signal}`)
    const closed = once(npm, 'close')
    process.kill(-(npm.pid as number), signal)
    await closed
    assert.equal(await isReachable(port), false)
  })
}

test('one Ctrl-C, which reaches the server from the terminal and from npm, lets an upload finish', async (t) => {
  const { npm, port } = await startServer(t, 'ctrl-c')
  const token = await signIn(port)
  // A body of this size does not wait in memory for its end: a temporary file shows that the upload has begun.
  const [first, last] = [Buffer.alloc(2_000_000, 'f'), Buffer.alloc(1_000_000, 'l')]
  const headers = { 'X-Auth': token, 'Content-Length': first.length + last.length, Connection: 'close' }
  const upload = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/resources/half.txt', headers })
  const answered = once(upload, 'response')
  upload.write(first)
  await until(async () => (await readdir(join(folder, 'files'))).some((name) => name.endsWith('.part')))
  process.kill(-(npm.pid as number), 'SIGINT')
  await until(async () => !(await isReachable(port)))
  upload.end(last)
  const [{ statusCode }] = (await answered) as [IncomingMessage]
  assert.equal(statusCode, 200)
  assert.deepEqual(await readFile(join(folder, 'files/half.txt')), Buffer.concat([first, last]))
})

async function signIn(port: number): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password })
  const answer = await fetch(`http://127.0.0.1:${port}/api/login`, { method: 'POST', body })
  assert.equal(answer.status, 200)
  return answer.text()
}

async function until(holds: () => Promise<boolean>) {
  while (!(await holds())) await setImmediate()
}

test('killing npm ends the server too', async (t) => {
  const { npm, port } = await startServer(t, 'killed')
  // All processes that npm started hold its output open: it closes when the last of them has ended.
  const closed = once(npm, 'close')
  npm.kill('SIGKILL')
  await closed
  assert.equal(await isReachable(port), false)
})

async function refusal(t: TestContext, args: readonly string[]) {
  const npm = npmStart(t, args)
  let output = ''
  npm.stderr?.on('data', (text) => {
    output += text
  })
  const [code] = await once(npm, 'close')
  return { code, output }
}

test('an argument without a flag is refused and the right form shown', async (t) => {
  const { code, output } = await refusal(t, ['--', folder])
  assert.equal(code, 2)
  assert.match(output, /npm start -- --root DIR/)
})

test('flags that npm has consumed are refused and the right form shown', async (t) => {
  const { code, output } = await refusal(t, ['--root', folder, '--port=1'])
  assert.equal(code, 2)
  assert.match(output, /--root and --port.*npm start -- --root DIR --port 8080/)
})

test('without flags it serves the folder that it was called from, and creates nothing there', async (t) => {
  const called = join(folder, 'called from here')
  await mkdir(called)
  const npm = npmStart(t, ['--', '--port', '0', '--database', join(folder, 'called.json')], called)
  assert.equal((await served(npm)).root, called)
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  await ended
  assert.deepEqual(await readdir(called), [])
})
