// Signing in without a password, by a proxy, below a base URL and over TLS.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { request as overSocket } from 'node:http'
import { request as overTls } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { answersTo, trustedPeers } from '../../src-server/api/peers.ts'
import { localhost } from '../support/certificates.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const admin = { perm: allPermissions }

test('noauth signs everybody in as the first administrator', async (t) => {
  const app = await startApp(t, { users: { ann: {}, root: admin }, options: { authMethod: 'noauth' } })
  for (const body of ['', '{}', '{"username":"","password":""}']) {
    const answer = await app.principal().ask('POST', '/api/login', { body })
    const token = await answer.text()
    assert.equal(answer.status, 200)
    assert.equal(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).user.username, 'root')
  }
  assert.equal((await app.principal().get('/')).status, 401)
})

test('noauth accepts localhost, IP addresses and the configured host names, and no others', async (t) => {
  const app = await startApp(t, { users: { root: admin }, options: { authMethod: 'noauth', hosts: ['Files.lan'] } })
  const { token = '' } = await app.as('root')
  const status = async (Host: string, method: string, address: string) =>
    (await rawRequest({ port: app.port, method, address, headers: { Host, 'X-Auth': token } })).status
  for (const host of [
    'localhost',
    'localhost:1',
    '127.0.0.1:80',
    '192.168.1.5',
    '[::1]:8080',
    'files.lan',
    'FILES.LAN:80',
    'files.lan.',
  ]) {
    assert.equal(await status(host, 'GET', '/api/resources/'), 200, host)
  }
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'files.lan.evil.example',
    '127.0.0.1.nip.io',
    '',
    'a@localhost',
    '[evil]',
    '1.2.3',
  ]) {
    for (const [method, address] of [
      ['GET', '/api/resources/'],
      ['POST', '/api/login'],
      ['GET', '/health'],
      ['GET', '/'],
      ['POST', '/api/resources/a'],
    ] as const) {
      assert.equal(await status(host, method, address), 403, `${host} ${method} ${address}`)
    }
  }
})

test('only noauth checks the Host header', async (t) => {
  const app = await startApp(t)
  const answer = await rawRequest({ port: app.port, method: 'GET', address: '/health', headers: { Host: 'any.example' } })
  assert.equal(answer.status, 200)
})

const byProxy = { authMethod: 'proxy', authHeader: 'x-user', trustedProxies: ['127.0.0.1'] } as const
const loginAs = (app: TestApp, headers: Record<string, string>) => app.principal().ask('POST', '/api/login', { headers })

test('a trusted proxy names the user; an unknown name is 403, and no user is created', async (t) => {
  const app = await startApp(t, { users: { ann: {}, Zoë: {} }, options: byProxy })
  assert.equal((await loginAs(app, { 'X-User': 'ann' })).status, 200)
  assert.equal((await loginAs(app, { 'X-User': Buffer.from('Zoë').toString('latin1') })).status, 200)
  assert.equal((await loginAs(app, { 'X-User': 'stranger' })).status, 403)
  assert.equal((await loginAs(app, {})).status, 403)
  assert.deepEqual(
    app.parts.state.data.users.map(({ username }) => username),
    ['ann', 'Zoë'],
  )
})

test('a proxy that names another user than the token is 401', async (t) => {
  const app = await startApp(t, { users: { ann: {}, ben: {} }, options: byProxy })
  const { token = '' } = await app.as('ann')
  const status = async (name: string | undefined) =>
    (await app.principal().ask('GET', '/api/resources/', { headers: { 'X-Auth': token, ...(name && { 'X-User': name }) } }))
      .status
  assert.deepEqual([await status('ann'), await status('ben'), await status(undefined)], [200, 401, 200])
})

test('with sign-in by header others than the proxy get nothing of a person, with header, name or token', async (t) => {
  const other = await startApp(t, { options: { ...byProxy, trustedProxies: ['10.0.0.0/8', '::1', 'unix'] } })
  assert.equal((await loginAs(other, { 'X-User': 'ann' })).status, 401)
  assert.equal((await other.principal().ask('POST', '/api/login', { body: '{"username":"ann"}' })).status, 401)
  for (const address of ['/health', '/login', '/static/main-1.js']) assert.equal((await fetch(other.url + address)).status, 200)
  assert.equal((await fetch(`${other.url}/api/public/share/unknown`)).status, 404)
})

test('without its header a trusted proxy may use a token, but not renew it', async (t) => {
  const app = await startApp(t, { options: byProxy })
  const token = await (await loginAs(app, { 'X-User': 'ann' })).text()
  const ask = (method: string, address: string, headers = {}) =>
    app.principal().ask(method, address, { headers: { 'X-Auth': token, ...headers } })
  app.clock.advance({ minutes: 90 })
  const answers = [await ask('GET', '/api/resources/'), await ask('GET', '/api/resources/', { 'X-User': 'ann' })]
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('x-renew-token')]),
    [
      [200, null],
      [200, 'true'],
    ],
  )
  assert.equal((await ask('POST', '/api/renew')).status, 403)
  assert.equal((await ask('POST', '/api/renew', { 'X-User': 'ann' })).status, 200)
})

test('X-Forwarded-Proto makes the cookie Secure only from a trusted proxy', async (t) => {
  for (const [trustedProxies, secure] of [
    [['127.0.0.1'], true],
    [['127.0.0.0/8'], true],
    [['10.0.0.1'], false],
    [[], false],
  ] as const) {
    const app = await startApp(t, { options: { trustedProxies } })
    const body = JSON.stringify({ username: 'ann', password: 'a long and easy password' })
    const answer = await app.principal().ask('POST', '/api/login', { body, headers: { 'X-Forwarded-Proto': 'https' } })
    assert.equal((answer.headers.get('set-cookie') ?? '').endsWith('; Secure'), secure, trustedProxies.join())
  }
})

test('noauth and proxy sign-ins of a reopened page keep its session', async (t) => {
  for (const options of [{ authMethod: 'noauth' }, byProxy] as const) {
    const app = await startApp(t, { users: { root: admin }, options })
    const first = await loginAs(app, { 'X-User': 'root' })
    const Cookie = /^[^;]+/.exec(first.headers.get('set-cookie') ?? '')?.[0] ?? ''
    for (const headers of [{ Cookie }, { 'X-Auth': await first.text() }]) {
      assert.equal((await loginAs(app, { 'X-User': 'root', ...headers })).status, 200)
      assert.equal(app.parts.state.data.sessions.length, 1)
    }
    await loginAs(app, { 'X-User': 'root' })
    assert.equal(app.parts.state.data.sessions.length, 2)
  }
})

test('below a base URL: with the prefix and without, the cookie’s path, the exact prefix, the way to the sign-in', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a' }, options: { baseURL: '/fb' } })
  const { token = '' } = await app.as('ann')
  const get = (address: string, headers = {}) =>
    rawRequest({ port: app.port, method: 'GET', address, headers: { 'X-Auth': token, ...headers } })
  for (const address of ['/fb/api/raw/a.txt', '/api/raw/a.txt', 'http://x/fb/api/raw/a.txt'])
    assert.equal((await get(address)).body, 'a', address)
  assert.equal((await get('/fbx/api/raw/a.txt')).body.includes('<!doctype html>'), true)
  assert.equal((await get('/fb?a=b')).headers.location, '/fb/?a=b')
  const exact = await get('/fb')
  assert.deepEqual([exact.status, exact.headers.location], [301, '/fb/'])
  assert.equal((await get('/fb/api/nope')).status, 404)
  assert.equal((await get('/fb/static/main-1.js')).status, 200)
  const page = await get('/fb/files/')
  assert.ok(page.body.includes('"BaseURL":"/fb"') && page.body.includes('src="/fb/static/main-1.js"'))
  const away = await get('/fb/api/raw/a.txt', { 'X-Auth': '', Accept: 'text/html' })
  assert.equal(away.headers.location, `/fb/login?redirect=${encodeURIComponent('/fb/api/raw/a.txt')}`)
  const body = JSON.stringify({ username: 'ann', password: 'a long and easy password' })
  const signedIn = await app.principal().ask('POST', '/api/login', { body })
  assert.match(signedIn.headers.get('set-cookie') ?? '', /; Path=\/fb; /)
})

test('a unix socket serves the same, and is trusted only when it is named', async (t) => {
  for (const [trustedProxies, expected] of [
    [['unix'], 200],
    [['127.0.0.1'], 401],
  ] as const) {
    const app = await startApp(t, {
      options: ({ folder }) => ({ ...byProxy, trustedProxies, socket: join(folder, 'holdall.sock') }),
    })
    const status = await new Promise((resolve, reject) => {
      const socketPath = join(app.folder, 'holdall.sock')
      const request = overSocket({ socketPath, method: 'POST', path: '/api/login', headers: { 'X-User': 'ann' } })
      request.on('response', (answer) => resolve(answer.resume().statusCode))
      request.on('error', reject)
      request.end()
    })
    assert.equal(status, expected)
  }
})

test('peers: addresses, ranges, IPv6 with and without a zone, IPv4 in IPv6', () => {
  const trusts = trustedPeers(['10.1.0.0/16', '192.0.2.7', 'fd00::/8'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd00::1', 'fd12::1%eth0'])
    assert.ok(trusts(address), address)
  for (const address of ['10.2.0.1', '192.0.2.8', '::1', 'nonsense', '', undefined]) assert.ok(!trusts(address), address)
  assert.ok(trustedPeers(['unix'])(undefined))
  assert.ok(!answersTo(undefined, ['a']))
})

test('over TLS the cookie is Secure', async (t) => {
  const app = await startApp(t, {
    options: ({ folder }) => {
      const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
      writeFileSync(tls.cert, localhost.cert)
      writeFileSync(tls.key, localhost.key)
      return { tls }
    },
  })
  const cookie = await new Promise<string>((resolve, reject) => {
    const request = overTls(`${app.url}/api/login`, { method: 'POST', ca: localhost.cert })
    request.on('response', (answer) => resolve(answer.resume().headers['set-cookie']?.[0] ?? ''))
    request.on('error', reject)
    request.end(JSON.stringify({ username: 'ann', password: 'a long and easy password' }))
  })
  assert.match(cookie, /; Secure$/)
})
