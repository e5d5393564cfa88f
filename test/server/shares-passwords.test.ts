// Links with a password.
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Passwords, passwordCost } from '../../src-server/users/passwords.ts'
import { formatHash } from '../../src-server/users/phc.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { askShare, share, sharesOf } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const files = { 'd/b.txt': 'b', 'other.txt': 'other' }
const secret = 'rhübärb & %41'
const locked = [401, '401 Unauthorized\n']

async function start(t: TestContext, options: { baseURL?: string } = {}) {
  const app = await startApp(t, { files, options })
  const ann = await app.as('ann')
  const made = await share(ann, '/d', { password: secret })
  const calls = [`share/${made.hash}`, `dl/${made.hash}/b.txt`, `dl/${made.hash}`, `search/${made.hash}?query=b`].map(
    (rest) => `/api/public/${rest}`,
  )
  return { app, ann, made, calls, stranger: app.principal() }
}

async function ask(calls: PrincipalCalls, address: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const answer = await calls.ask('GET', address, { headers })
  return [answer.status, await answer.text()]
}

const withPassword = (password = secret) => ({ 'X-SHARE-PASSWORD': encodeURIComponent(password) })

/** The cookie of an answer to the right password, as a browser sends it. */
async function ticketFor(calls: PrincipalCalls, hash: string, password = secret): Promise<{ Cookie: string }> {
  const answer = await calls.ask('GET', `/api/public/share/${hash}`, { headers: withPassword(password) })
  assert.equal(answer.status, 200, await answer.text())
  return { Cookie: answer.headers.get('Set-Cookie')?.split(';')[0] ?? '' }
}

test('a locked link says nothing without its password, by any call, also when its file is gone', async (t) => {
  const { app, calls, stranger } = await start(t)
  for (const address of calls) {
    assert.deepEqual(await ask(stranger, address), locked, address)
    assert.deepEqual(await ask(stranger, address, withPassword('wrong')), locked, address)
    assert.deepEqual(await ask(stranger, address, { 'X-SHARE-PASSWORD': '' }), locked, address)
    assert.deepEqual(await ask(stranger, `${address.split('?')[0]}?token=${secret}&password=${secret}`), locked, address)
  }
  await rm(join(app.root, 'd'), { recursive: true })
  for (const address of calls) assert.deepEqual(await ask(stranger, address), locked, address)
})

test('the password opens every call, percent-encoded in X-SHARE-PASSWORD', async (t) => {
  const { calls, stranger } = await start(t)
  for (const address of calls) assert.equal((await ask(stranger, address, withPassword()))[0], 200, address)
  assert.deepEqual(await ask(stranger, calls[1] ?? '', withPassword()), [200, 'b'])
})

describe('the ticket', () => {
  test('is a cookie for the public calls alone, and opens downloads and ranges for an hour', async (t) => {
    const { app, made, calls, stranger } = await start(t)
    const answer = await stranger.ask('GET', calls[0] ?? '', { headers: withPassword() })
    const cookie = answer.headers.get('Set-Cookie') ?? ''
    assert.match(
      cookie,
      new RegExp(`^link-${made.hash}=\\d+\\.[\\w-]{43}; Path=/api/public; Max-Age=3600; HttpOnly; SameSite=Strict$`),
    )
    assert.doesNotMatch(await answer.text(), /argon2|rhüb|"(?:password|ticket|token)"/)
    const headers = { Cookie: cookie.split(';')[0] ?? '' }
    for (const address of calls) assert.equal((await ask(stranger, address, headers))[0], 200, address)
    assert.deepEqual(await ask(stranger, calls[1] ?? '', { ...headers, Range: 'bytes=0-0' }), [206, 'b'])
    const again = await stranger.ask('GET', calls[0] ?? '', { headers })
    assert.equal(again.headers.get('Set-Cookie'), null)
    app.clock.advance({ minutes: 59 })
    assert.equal((await ask(stranger, calls[1] ?? '', headers))[0], 200)
    app.clock.advance({ minutes: 1 })
    assert.deepEqual(await ask(stranger, calls[1] ?? '', headers), locked)
  })

  test('ends with a change of the password, also to the same, and with the link', async (t) => {
    const { ann, made, calls, stranger } = await start(t)
    const headers = await ticketFor(stranger, made.hash)
    const change = (body: object) => ann.ask('PATCH', `/api/share/${made.hash}`, { body: JSON.stringify(body) })
    assert.equal((await change({ note: 'only a note' })).status, 200)
    assert.equal((await ask(stranger, calls[1] ?? '', headers))[0], 200)
    assert.equal((await change({ password: secret })).status, 200)
    assert.deepEqual(await ask(stranger, calls[1] ?? '', headers), locked)
    const renewed = await ticketFor(stranger, made.hash)
    assert.equal((await change({ password: '' })).status, 200)
    assert.deepEqual(await ask(stranger, calls[1] ?? ''), [200, 'b'])
    assert.equal((await ann.ask('DELETE', `/api/share/${made.hash}`)).status, 200)
    assert.equal((await ask(stranger, calls[1] ?? '', renewed))[0], 404)
  })

  test('opens no other link, and cannot be made', async (t) => {
    const { app, ann, made, stranger } = await start(t)
    const other = await share(ann, '/other.txt', { password: secret, expires: 1 })
    const { Cookie } = await ticketFor(stranger, made.hash)
    const ticket = Cookie.split('=')[1] ?? ''
    const later = Math.floor(app.clock.now() / 1000) + 10 ** 6
    for (const [hash, value] of [
      [other.hash, ticket],
      [made.hash, ticket.replace(/^\d+/, `${later}`)],
      [made.hash, ticket.slice(0, -1)],
      [made.hash, `${ticket}x`],
      [made.hash, `${later}.`],
      [made.hash, `${later}.${'A'.repeat(43)}`],
      [made.hash, `Infinity.${'A'.repeat(43)}`],
    ]) {
      const headers = { Cookie: `link-${hash}=${value}` }
      assert.deepEqual(await ask(stranger, `/api/public/share/${hash}`, headers), locked, value)
    }
  })

  test('has the path of the base URL', async (t) => {
    const { stranger, calls } = await start(t, { baseURL: '/files' })
    const answer = await stranger.ask('GET', calls[0] ?? '', { headers: withPassword() })
    assert.match(answer.headers.get('Set-Cookie') ?? '', /; Path=\/files\/api\/public;/)
    const page = await stranger.ask('GET', calls[1] ?? '', { headers: { Accept: 'text/html' } })
    assert.match(page.headers.get('Location') ?? '', /^\/files\/share\/[\w-]{22}$/)
  })
})

test('a browser that opens a download without the password is sent to the page of the link', async (t) => {
  const { made, calls, stranger } = await start(t)
  const answer = await stranger.ask('GET', calls[1] ?? '', { headers: { Accept: 'text/html,*/*' } })
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, `/share/${made.hash}`])
})

test('guesses from one address are refused after a few, and those of others are not', async (t) => {
  const app = await startApp(t, { files, options: { trustedProxies: ['127.0.0.1'] } })
  const { hash } = await share(await app.as('ann'), '/d', { password: secret })
  const from = (address: string, password: string) =>
    app
      .principal()
      .ask('GET', `/api/public/share/${hash}`, { headers: { ...withPassword(password), 'X-Forwarded-For': address } })
  const statuses: number[] = []
  for (let count = 0; count < 7; count++) statuses.push((await from('192.0.2.1', `guess ${count}`)).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
  const refused = await from('192.0.2.1', secret)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('Retry-After')) > 0)
  assert.equal((await from('192.0.2.2', secret)).status, 200)
  app.clock.advance({ minutes: 15 })
  assert.equal((await from('192.0.2.1', secret)).status, 200)
})

test('the password and its hash are sent to nobody, and only the hash is stored', async (t) => {
  const { app, ann, made } = await start(t)
  const [listed] = await sharesOf(ann)
  assert.equal(listed?.hasPassword, true)
  assert.doesNotMatch(JSON.stringify([listed, made]), /argon2|rhüb|"password"/)
  const stored = await readFile(join(app.folder, 'state.json'), 'utf8')
  assert.ok(!stored.includes('rhübärb'))
  assert.match(stored, /"password": ?"\$argon2id\$/)
})

for (const { what, taken, address, how } of [
  { what: 'a sign-in', taken: 22, address: () => '/api/login', how: { method: 'POST' } },
  { what: 'the password of a link', taken: 11, address: (hash: string) => `/api/public/share/${hash}`, how: { method: 'GET' } },
]) {
  test(`guesses from one address that wait do not keep ${what} from another address from being checked`, async (t) => {
    const gate = Promise.withResolvers<void>()
    const engine = {
      name: 'argon2',
      hash: async () => formatHash({ ...passwordCost, salt: Buffer.alloc(16), tag: Buffer.alloc(32) }),
      verify: async (text: string) => {
        await gate.promise
        return text === secret
      },
    } as const
    const passwords = new Passwords({ engine: async () => engine })
    const app = await startApp(t, { files, options: { trustedProxies: ['127.0.0.1'] }, services: { passwords } })
    const { hash } = await share(await app.as('ann'), '/d', { password: secret })
    const from = async (source: string, text: string) => {
      const body = how.method === 'POST' ? { body: JSON.stringify({ username: 'ann', password: text }) } : {}
      const headers = { ...withPassword(text), 'X-Forwarded-For': source }
      const { status } = await app.principal().ask(how.method, address(hash), { headers, ...body })
      return status
    }
    let refused = 0
    const guess = async (text: string) => {
      if ((await from('192.0.2.1', text)) === 503) refused++
    }
    const guesses = Array.from({ length: taken + 1 }, (_, index) => guess(`guess ${index}`))
    await until(() => refused === 1, 'all have a place but one')
    const right = from('192.0.2.2', secret)
    await until(() => refused === 2, 'the newest has lost its place')
    gate.resolve()
    assert.equal(await right, 200)
    await Promise.all(guesses)
    assert.equal(refused, 2)
  })
}

test('those who wait for the passwords of links keep no user from signing in', async (t) => {
  const { app, made } = await start(t)
  const guesses = Array.from({ length: 40 }, (_, index) =>
    ask(app.principal(), `/api/public/share/${made.hash}`, withPassword(`${index}`)),
  )
  const body = JSON.stringify({ username: 'ann', password: 'a long and easy password' })
  assert.equal((await app.principal().ask('POST', '/api/login', { body })).status, 200)
  const statuses = new Set((await Promise.all(guesses)).map(([status]) => status))
  assert.deepEqual(
    [...statuses].filter((status) => ![401, 503].includes(status)),
    [],
  )
})

describe('a permanent link', () => {
  test('is not given in place of one with a password, a note or a limit', async (t) => {
    const { ann } = await start(t)
    await share(ann, '/other.txt')
    for (const body of [{ password: 'eight or more' }, { note: 'x' }, { mostDownloads: 1 }]) {
      const answer = await ann.ask('POST', '/api/share/other.txt', { body: JSON.stringify(body) })
      assert.equal(answer.status, 409, JSON.stringify(body))
    }
  })

  test('with a password is not given in place of one without', async (t) => {
    const { ann } = await start(t)
    assert.equal((await ann.ask('POST', '/api/share/d', { body: '{}' })).status, 409)
  })

  test('has a note for those who see the list', async (t) => {
    const { ann, app, made } = await start(t)
    const answer = await ann.ask('PATCH', `/api/share/${made.hash}`, { body: '{"note":"for the committee"}' })
    assert.equal(((await answer.json()) as { note: string }).note, 'for the committee')
    assert.equal((await sharesOf(ann))[0]?.note, 'for the committee')
    const shown = await ask(app.principal(), `/api/public/share/${made.hash}`, withPassword())
    assert.doesNotMatch(shown[1], /committee/)
    assert.equal((await ann.ask('PATCH', '/api/share/unknown', { body: '{"note":""}' })).status, 404)
  })
})

test('a new password has the fewest characters that the server was started with, and one that is there goes on', async (t) => {
  const app = await startApp(t, { files: { 'd/a.txt': 'a' }, options: { linkPasswordLength: 5 } })
  const ann = await app.as('ann')
  const refused = await askShare(ann, '/d', { password: 'four' })
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /the password of a link must have at least 5 characters/)
  const { hash } = await share(ann, '/d', { password: 'fives' })
  const change = (body: object) => ann.ask('PATCH', `/api/share/${hash}`, { body: JSON.stringify(body) })
  assert.equal((await change({ password: '😀😀😀😀' })).status, 400)
  assert.equal((await change({ note: 'n' })).status, 200)
  const withPassword = { headers: { 'X-SHARE-PASSWORD': 'fives' } }
  assert.equal((await app.principal().ask('GET', `/api/public/share/${hash}`, withPassword)).status, 200)
})
