// `npm start` as a person runs it: what npm passes on, and what is left when npm is told to end.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listening } from '../support/start-executable.ts'

const top = join(import.meta.dirname, '../..')

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-npm-start-'))
  await mkdir(join(folder, 'files'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** In a process group of its own, as a terminal starts it. */
function npmStart(args: readonly string[], cwd = top): ChildProcess {
  return spawn('npm', ['--prefix', top, 'start', ...args], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function startServer(name: string) {
  const database = ['--database', join(folder, `${name}.json`)]
  const npm = npmStart(['--', '--root', join(folder, 'files'), '--port', '0', ...database])
  const { url } = await listening(npm)
  return { npm, port: Number(new URL(url).port) }
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
  test(`${signal} to npm ends the server before npm ends`, async () => {
    const { npm, port } = await startServer(signal)
    assert.equal(await isReachable(port), true)
    const ended = once(npm, 'exit')
    npm.kill(signal)
    await ended
    assert.equal(await isReachable(port), false)
  })

  test(`${signal} to all that npm started ends the server`, async () => {
    const { npm, port } = await startServer(`group-${signal}`)
    const closed = once(npm, 'close')
    process.kill(-(npm.pid as number), signal)
    await closed
    assert.equal(await isReachable(port), false)
  })
}

test('an npm that is killed leaves no server behind', async () => {
  const { npm, port } = await startServer('killed')
  // Whatever npm started holds the other end of its output: it closes when the last of them has ended.
  const closed = once(npm, 'close')
  npm.kill('SIGKILL')
  await closed
  assert.equal(await isReachable(port), false)
})

async function refusal(args: readonly string[]) {
  const npm = npmStart(args)
  let output = ''
  npm.stderr?.on('data', (text) => {
    output += text
  })
  const [code] = await once(npm, 'close')
  return { code, output }
}

test('a bare argument is refused and the right form shown', async () => {
  const { code, output } = await refusal(['--', folder])
  assert.equal(code, 2)
  assert.match(output, /npm start -- --root DIR/)
})

test('flags that npm kept for itself are refused and the right form shown', async () => {
  const { code, output } = await refusal(['--root', folder, '--port=1'])
  assert.equal(code, 2)
  assert.match(output, /--root and --port.*npm start -- --root DIR --port 8080/)
})

test('without flags it serves the folder that it was called from, and leaves nothing there', async () => {
  const npm = npmStart(['--', '--port', '0', '--database', join(folder, 'called.json')], join(folder, 'files'))
  const { output } = await listening(npm)
  assert.ok(output().includes(`serves ${join(folder, 'files')} at`), output())
  const closed = once(npm, 'close')
  npm.kill('SIGTERM')
  await closed
  assert.deepEqual(await readdir(join(folder, 'files')), [])
})
