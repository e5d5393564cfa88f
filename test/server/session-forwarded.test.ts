// Which forwarded address counts when sign-ins behind a proxy fail, and which forwarded scheme when a socket is opened.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { loggerFor } from '../../src-server/api/log.ts'
import { trustedPeers, warnOfUnnamedProxies } from '../../src-server/api/peers.ts'
import { UnnamedProxies } from '../../src-server/users/unnamed-proxies.ts'
import { StoppedClock } from '../support/clock.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

/** The statuses of wrong sign-ins with different names, one from each of the forwarded addresses. */
async function statusesOf(app: TestApp, forwarded: readonly string[]) {
  const statuses: number[] = []
  for (const [index, address] of forwarded.entries()) {
    const body = JSON.stringify({ username: `person-${index}`, password: 'x' })
    statuses.push((await app.principal().ask('POST', '/api/login', { body, headers: { 'X-Forwarded-For': address } })).status)
  }
  return statuses
}

const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index))

test('fifty wrong guesses behind a proxy that is not trusted lock nobody out', async (t) => {
  const app = await startApp(t)
  assert.ok(
    (
      await statusesOf(
        app,
        times(55, () => '192.0.2.1'),
      )
    ).every((status) => status === 403),
  )
  const body = JSON.stringify({ username: 'ann', password: 'a long and easy password' })
  assert.equal((await app.principal().ask('POST', '/api/login', { body })).status, 200)
})

const asOne: [what: string, address: (index: number) => string][] = [
  ['the same address', () => '192.0.2.1'],
  ['another port each', (index) => `192.0.2.1:${5000 + index}`],
  ['IPv6 in brackets with another port each', (index) => `[2001:db8::1]:${5000 + index}`],
  ['other addresses before it, which anybody can write', (index) => `198.51.100.${index}, 192.0.2.1`],
]

for (const [what, address] of asOne) {
  test(`wrong sign-ins that a trusted proxy forwards count by the address: ${what}`, async (t) => {
    const app = await startApp(t, { options: { trustedProxies: ['127.0.0.1'] } })
    const statuses = await statusesOf(app, times(51, address))
    assert.deepEqual([statuses.slice(0, 50).every((status) => status === 403), statuses[50]], [true, 429])
    assert.deepEqual(await statusesOf(app, ['192.0.2.99']), [403])
  })
}

test('an invalid forwarded address counts as the address that sent it', async (t) => {
  const app = await startApp(t, { options: { trustedProxies: ['127.0.0.1', '192.0.2.1'] } })
  for (const sent of ['unknown', '_hidden', '', '1.2.3', '198.51.100.7, unknown'])
    assert.ok(
      (
        await statusesOf(
          app,
          times(51, () => sent),
        )
      ).every((status) => status === 403),
      `${sent} is the proxy itself`,
    )
  const statuses = await statusesOf(
    app,
    times(51, (index) => `198.51.100.${index}, nonsense, 192.0.2.1`),
  )
  assert.equal(statuses[50], 429)
})

test('forwarded headers from an untrusted peer log an occasional warning that names the option', async (t) => {
  const lines: string[] = []
  const clock = new StoppedClock()
  const own = Fastify({ logger: loggerFor({ logLevel: 'warn', logFormat: 'json' }, (line) => lines.push(line)) })
  t.after(() => own.close())
  warnOfUnnamedProxies(own, { trusts: trustedPeers(['192.0.2.1']), clock, proxies: new UnnamedProxies() })
  own.get('/', async () => '')
  const ask = (remoteAddress: string, headers: Record<string, string>) => own.inject({ url: '/', remoteAddress, headers })
  await ask('127.0.0.1', {})
  await ask('192.0.2.1', { 'X-Forwarded-For': '198.51.100.1' })
  assert.deepEqual(lines, [])
  for (let index = 0; index < 10; index += 1) await ask('::ffff:127.0.0.1', { 'X-Forwarded-For': `198.51.100.${index}` })
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /--trusted-proxy 127\.0\.0\.1 /)
  clock.advance({ minutes: 59 })
  await ask('127.0.0.1', { 'X-Forwarded-Proto': 'https' })
  assert.equal(lines.length, 1)
  clock.advance({ minutes: 1 })
  await ask('127.0.0.1', { 'X-Forwarded-Proto': 'https' })
  assert.equal(lines.length, 2)
  for (const address of ['10.0.0.7', '10.0.0.7', '198.51.100.1']) await ask(address, { 'X-Forwarded-Proto': 'https' })
  assert.equal(lines.length, 3, 'a new proxy is named at once')
  assert.match(lines[2] ?? '', /--trusted-proxy 10\.0\.0\.7 /)
})

/** The status of opening a socket with an origin, and with the scheme that a proxy tells. */
async function statusOfSocket(app: TestApp, scheme: string, forwarded?: string): Promise<number> {
  const host = `127.0.0.1:${app.port}`
  const headers = {
    ...{ Host: host, Connection: 'Upgrade', Upgrade: 'websocket' },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    ...{ 'X-Auth': (await app.as('ann')).token, Origin: `${scheme}://${host}` },
    ...(forwarded && { 'X-Forwarded-Proto': forwarded }),
  }
  const { socket, received } = await openSocket(app.port)
  socket.write(
    `GET /api/live HTTP/1.1\r\n${Object.entries(headers)
      .map((pair) => `${pair.join(': ')}\r\n`)
      .join('')}\r\n`,
  )
  await until(() => received().includes('\r\n\r\n'), 'the server answers')
  socket.destroy()
  return Number(received().split(' ')[1])
}

test('a page of http opens no socket over https, which a trusted proxy tells; the other way round it does', async (t) => {
  const behind = await startApp(t, { options: { trustedProxies: ['127.0.0.1'] } })
  for (const [status, scheme, forwarded] of [
    [403, 'http', 'https'],
    [101, 'https', 'https'],
    [101, 'http', 'http'],
    [101, 'https', 'http'],
    [101, 'https', undefined],
  ] as const)
    assert.equal(await statusOfSocket(behind, scheme, forwarded), status, `${scheme}, ${forwarded}`)
  const unnamed = await startApp(t)
  for (const scheme of ['http', 'https']) assert.equal(await statusOfSocket(unnamed, scheme, 'https'), 101)
})
