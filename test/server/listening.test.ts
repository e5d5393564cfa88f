// Starting to listen, and stopping.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { stop } from '../../src-server/listening.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp } from '../support/start-app.ts'

const problem = (text: RegExp) => (error: unknown) => error instanceof StartupError && text.test(error.message)

/** Larger than what waits in memory for its end: a temporary file shows that the upload has begun. */
const uploadSize = 3_000_000
const firstPart = Buffer.alloc(2_000_000)

const uploadHead = (token = '') =>
  `POST /api/resources/a.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nContent-Length: ${uploadSize}\r\n\r\n`

test('a port in use gives a message that names the option', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as { port: number }
  await assert.rejects(startApp(t, { options: { port } }), problem(new RegExp(`^Port ${port} of 127.0.0.1 is in use.*--port`)))
})

test('an address of another machine gives a message', async (t) => {
  await assert.rejects(
    startApp(t, { options: { address: '192.0.2.1' } }),
    problem(/--address 192\.0\.2\.1 is not an address of this machine/),
  )
})

test('a unix socket is accessible to owner and group, and removed with the server', async (t) => {
  const app = await startApp(t, { options: ({ folder }) => ({ socket: join(folder, 'h.sock') }) })
  const socket = join(app.folder, 'h.sock')
  assert.equal(statSync(socket).mode & 0o777, 0o660)
  await stop(app.parts.app)
  assert.ok(!existsSync(socket))
})

test('at the end an idle connection is closed, a running request finishes, and no new one is accepted', async (t) => {
  const app = await startApp(t)
  const { token } = await app.as('ann')
  const idle = await openSocket(app.port)
  idle.socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  const running = await openSocket(app.port)
  running.socket.write(uploadHead(token))
  running.socket.write(firstPart)
  while (!idle.received().includes('OK') || readdirSync(app.root).length === 0)
    await new Promise((resolve) => setImmediate(resolve))
  const ended = stop(app.parts.app)
  await idle.ended
  await assert.rejects(openSocket(app.port))
  running.socket.write(Buffer.alloc(uploadSize - firstPart.length))
  await ended
  await running.ended
  assert.match(running.received(), /^HTTP\/1\.1 200 OK/)
  assert.deepEqual(readdirSync(app.root), ['a.txt'])
})

test('a request that does not end is aborted after the grace period, and leaves nothing', async (t) => {
  const app = await startApp(t)
  const { token } = await app.as('ann')
  const { socket, ended } = await openSocket(app.port)
  socket.write(uploadHead(token))
  socket.write(firstPart)
  while (readdirSync(app.root).length === 0) await new Promise((resolve) => setImmediate(resolve))
  await stop(app.parts.app, 1)
  await ended
  while (readdirSync(app.root).length > 0) await new Promise((resolve) => setImmediate(resolve))
})
