// The packaged program with a log that cannot be written, with a terminal that is closed, and with an error that no code waits for.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { makeBundle } from '../../scripts/bundle.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import { openTerminal } from '../../src-server/shell/terminal.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { goodPassword, temporaryFolder } from '../support/start-state.ts'
import { until } from '../support/until.ts'

let program: readonly string[]
before(async () => {
  program = await findProgram()
})

const env = { HOLDALL_ADMIN_PASSWORD: goodPassword }

/** Each request is a line of the log. */
async function askTenTimes(url: string) {
  for (let count = 0; count < 10; count += 1) assert.equal((await fetch(`${url}/api/nope`)).status, 404)
}

test('a full disk under the log does not end the server', async (t) => {
  const folder = temporaryFolder(t)
  const full = openSync('/dev/full', 'w')
  t.after(() => closeSync(full))
  const { url } = await listening(startProgram(t, { program, folder, env, stderr: full }))
  await askTenTimes(url)
})

test('a full disk under both outputs does not end the server', async (t) => {
  const folder = temporaryFolder(t)
  const full = openSync('/dev/full', 'w')
  t.after(() => closeSync(full))
  const socketPath = join(folder, 'h.sock')
  startProgram(t, { program, folder, env, listen: ['--socket', socketPath], stdout: full, stderr: full })
  const status = () =>
    new Promise<number | undefined>((resolve) => {
      const asked = request({ socketPath, path: '/api/nope' }, (answer) => resolve(answer.resume().statusCode))
      asked.on('error', () => resolve(undefined)).end()
    })
  await until(async () => (await status()) === 404, 'the server answers')
  for (let count = 0; count < 10; count += 1) assert.equal(await status(), 404)
})

test('a closed pipe under the log does not end the server', async (t) => {
  const child = startProgram(t, { program, folder: temporaryFolder(t), env })
  const { url } = await listening(child)
  child.stdout?.destroy()
  child.stderr?.destroy()
  await askTenTimes(url)
})

test('an error that no code waits for is logged, and does not end the server', async (t) => {
  const onSignal = "process.on('SIGUSR2', () => void Promise.reject(new Error('forgotten')))"
  const faulty = [
    process.execPath,
    '--import',
    `data:text/javascript,${encodeURIComponent(onSignal)}`,
    await makeBundle(() => {}),
  ]
  const child = startProgram(t, { program: faulty, folder: temporaryFolder(t), env })
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  const { url } = await listening(child)
  child.kill('SIGUSR2')
  await until(() => /Error: forgotten.*an error was not handled/.test(log), 'it is logged')
  await askTenTimes(url)
})

test('SIGHUP does not end a server without a terminal, as under nohup', async (t) => {
  const child = startProgram(t, { program, folder: temporaryFolder(t), env })
  const { url } = await listening(child)
  const exit = once(child, 'exit')
  child.kill('SIGHUP')
  await askTenTimes(url)
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
})

test('SIGHUP ends a server whose output is a terminal', async (t) => {
  const folder = temporaryFolder(t)
  const [command = '', ...first] = program
  const args = [...first, '--root', '.', '--port', '0', '--database', 'holdall.json']
  const terminal = await openTerminal({ command, args, folder, env, clock: systemClock })
  t.after(() => terminal.close())
  let output = ''
  terminal.onOutput((text) => {
    output += text
  })
  await until(() => output.includes('Holdall serves'), 'the server listens')
  process.kill(terminal.pid, 'SIGHUP')
  assert.equal((await terminal.ended).code, 0)
})
