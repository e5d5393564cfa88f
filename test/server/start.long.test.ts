// Starts of the packaged program: refusals, and the output and files of the first start.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { lengthsSize } from '../../src-server/previews/frames.ts'
import { ended, findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { goodPassword, temporaryFolder } from '../support/start-state.ts'

let program: readonly string[]
before(async () => {
  program = await findProgram()
})

async function login(url: string, password: string) {
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username: 'admin', password }) })
  return { status: answer.status, token: await answer.text() }
}

async function isAlive(url: string, token: string) {
  const answer = await fetch(`${url}/api/resources/`, { headers: { 'X-Auth': token } })
  await answer.arrayBuffer()
  return answer.status === 200
}

test('a second server on the same state is refused with the pid of the first, which keeps running', async (t) => {
  const folder = temporaryFolder(t)
  const env = { HOLDALL_ADMIN_PASSWORD: goodPassword }
  const first = startProgram(t, { program, folder, env })
  const { url } = await listening(first)
  const { token } = await login(url, goodPassword)
  const second = await ended(startProgram(t, { program, folder }))
  assert.equal(second.code, 2)
  assert.match(
    second.errors,
    new RegExp(`^holdall: .*holdall\\.json is in use by another process \\(pid ${first.pid}\\).*--database`),
  )
  assert.equal(second.errors.trim().split('\n').length, 1)
  assert.ok(await isAlive(url, token))
})

test('without a terminal the first password is in a file that the output names, and the session survives a restart', async (t) => {
  const folder = temporaryFolder(t)
  const first = startProgram(t, { program, folder })
  const { url, output } = await listening(first)
  const file = join(folder, 'holdall.json.admin-password')
  assert.ok(output().includes(file), output())
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const password = readFileSync(file, 'utf8').trimEnd()
  assert.ok(!output().includes(password), 'a log is no place for it')
  const { token } = await login(url, password)
  const exit = once(first, 'exit')
  first.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
  assert.ok(!existsSync(join(folder, 'holdall.json.pid')))
  const again = await listening(startProgram(t, { program, folder, env: { HOLDALL_ADMIN_PASSWORD: goodPassword } }))
  assert.ok(await isAlive(again.url, token))
  assert.equal((await login(again.url, goodPassword)).status, 403, 'with a user in the state the variable counts no more')
  assert.equal((await login(again.url, password)).status, 200)
})

test('an invalid state and a password that is too short give one message and exit code 2', async (t) => {
  const folder = temporaryFolder(t)
  const short = await ended(startProgram(t, { program, folder, env: { HOLDALL_ADMIN_PASSWORD: 'short' } }))
  assert.deepEqual([short.code, short.output], [2, ''])
  assert.match(
    short.errors,
    /^holdall: HOLDALL_ADMIN_PASSWORD cannot be used: the password must have at least 12 characters\.\n$/,
  )
  writeFileSync(join(folder, 'holdall.json'), '{ "schema": 99 }')
  const names = readdirSync(folder).sort()
  const newer = await ended(startProgram(t, { program, folder }))
  assert.deepEqual([newer.code, newer.output], [2, ''])
  assert.match(newer.errors, /^holdall: The state file .*holdall\.json was written by a newer version .*\n$/)
  assert.equal(readFileSync(join(folder, 'holdall.json'), 'utf8'), '{ "schema": 99 }')
  assert.deepEqual(readdirSync(folder).sort(), names)
})

test('the program has sixteen threads or more for calls of the system', async (t) => {
  const folder = temporaryFolder(t)
  const child = startProgram(t, { program, folder })
  await listening(child)
  const tasks = `/proc/${child.pid}/task`
  const names = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim())
  assert.ok(names.filter((name) => name === 'libuv-worker').length >= 16, names.join())
})

test('processes that unpack native modules at once do not disturb each other', async (t) => {
  for (let round = 0; round < 3; round++) {
    const env = { PKG_NATIVE_CACHE_PATH: temporaryFolder(t) }
    const decoders = Array.from({ length: 4 }, () => firstAnswer(t, env))
    assert.deepEqual(await Promise.all(decoders), Array(4).fill('{"ready":true}'))
  }
})

/** The first message of a decoder of pictures, or how it ended. */
function firstAnswer(t: TestContext, env: Record<string, string>): Promise<string> {
  const [command = '', ...args] = program
  const child = spawn(command, [...args, '--picture-decoder'], { env, stdio: ['pipe', 'ignore', 'ignore', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}`))
    // Behind the lengths of its two parts.
    child.stdio[3]?.once('data', (bytes: Buffer) => resolve(bytes.toString('latin1', lengthsSize)))
  })
}
