// Which forwarded address counts when sign-ins behind a proxy fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { loggerFor } from '../../src-server/api/log.ts'
import { trustedPeers, warnOfUnnamedProxies } from '../../src-server/api/peers.ts'
import { StoppedClock } from '../support/clock.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

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
  warnOfUnnamedProxies(own, trustedPeers(['192.0.2.1']), clock)
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
})
