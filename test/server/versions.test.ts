// One strong entity tag for each file, and conditional requests with it (RFC 9110, section 13).
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openSocket, rawRequest } from '../support/raw-request.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, setup: AppSetup = { files: { 'a.txt': 'first' } }) {
  const app = await startApp(t, setup)
  const ann = await app.as('ann')
  // Not by fetch(), which adds `Cache-Control: no-cache` to every condition.
  const ask = (method: string, address: string, headers: Record<string, string> = {}, body = '') =>
    rawRequest({ port: app.port, method, address, headers: { 'X-Auth': ann.token ?? '', ...headers }, body })
  const tag = async (path: string) => (await ask('GET', `/api/raw${path}`)).headers.etag ?? ''
  return { app, ann, ask, tag }
}

test('a file has one strong entity tag, the same on resources, raw, POST and PUT', async (t) => {
  const { ask, tag } = await start(t)
  const made = (await ask('POST', '/api/resources/b.txt', {}, 'one')).headers.etag
  assert.match(made ?? '', /^"[\w-]+"$/)
  assert.equal(await tag('/b.txt'), made)
  assert.equal((await ask('GET', '/api/resources/b.txt')).headers.etag, made)
  assert.equal((await ask('HEAD', '/api/raw/b.txt')).headers.etag, made)
  assert.equal((await ask('GET', '/api/raw/b.txt', { Range: 'bytes=0-0' })).headers.etag, made)
  const saved = (await ask('PUT', '/api/resources/b.txt', {}, 'two')).headers.etag
  assert.notEqual(saved, made)
  assert.equal(await tag('/b.txt'), saved)
  assert.equal((await ask('GET', '/api/resources/')).headers.etag, undefined)
})

describe('a change that names a version', () => {
  test('is applied to that version, and is 412 for any other', async (t) => {
    const { app, ann, ask, tag } = await start(t)
    const first = await tag('/a.txt')
    const saved = await ask('PUT', '/api/resources/a.txt', { 'If-Match': first }, 'second')
    assert.equal(saved.status, 200)
    for (const [method, query] of [
      ['PUT', ''],
      ['POST', '?override=true'],
    ] as const) {
      const late = await ask(method, `/api/resources/a.txt${query}`, { 'If-Match': first }, 'late')
      assert.deepEqual([late.status, late.body], [412, '412 Precondition Failed (the file has changed)\n'])
    }
    assert.equal(await (await ann.raw('/a.txt')).text(), 'second')
    const listed = await ask('PUT', '/api/resources/a.txt', { 'If-Match': `"other", ${saved.headers.etag}` }, 'third')
    assert.equal(listed.status, 200)
    assert.deepEqual(app.events, ['save /a.txt', 'save /a.txt'])
  })

  test('is 412 when the file changes while the body comes', async (t) => {
    const { app, ann, tag } = await start(t)
    const { socket, received, ended } = await openSocket(app.port)
    const lines = ['PUT /api/resources/a.txt HTTP/1.1', 'Host: x', `X-Auth: ${ann.token}`, `If-Match: ${await tag('/a.txt')}`]
    // A body of this size does not wait in memory for its end: a temporary file shows that the upload has begun.
    socket.write(`${[...lines, 'Content-Length: 3000000', 'Connection: close'].join('\r\n')}\r\n\r\n`)
    socket.write(Buffer.alloc(2_000_000))
    await until(() => readdirSync(app.root).some((name) => name.endsWith('.part')), 'the upload has not begun')
    writeFileSync(join(app.root, 'a.txt'), 'of another program')
    socket.write(Buffer.alloc(1_000_000))
    await ended
    assert.match(received(), /^HTTP\/1.1 412 /)
    assert.deepEqual(readdirSync(app.root), ['a.txt'])
    assert.equal(await (await ann.raw('/a.txt')).text(), 'of another program')
  })

  test('with * requires that the file exists', async (t) => {
    const { ask } = await start(t)
    assert.equal((await ask('POST', '/api/resources/new.txt', { 'If-Match': '*' }, 'x')).status, 412)
    assert.equal((await ask('POST', '/api/resources/new.txt', { 'If-None-Match': '*' }, 'x')).status, 200)
    assert.equal((await ask('POST', '/api/resources/new.txt?override=true', { 'If-None-Match': '*' }, 'x')).status, 412)
    assert.equal((await ask('PUT', '/api/resources/new.txt', { 'If-Match': '*' }, 'x')).status, 200)
    assert.equal((await ask('PUT', '/api/resources/new.txt', { 'If-None-Match': '*' }, 'x')).status, 412)
  })

  test('accepts no weak tag', async (t) => {
    const { ask, tag } = await start(t)
    assert.equal((await ask('PUT', '/api/resources/a.txt', { 'If-Match': `W/${await tag('/a.txt')}` }, 'x')).status, 412)
  })
})

describe('a client that has a version', () => {
  for (const address of ['/api/raw/a.txt', '/api/resources/a.txt']) {
    test(`gets 304 from ${address} and no content`, async (t) => {
      const { ask, tag } = await start(t)
      const known = await tag('/a.txt')
      for (const condition of [known, `W/${known}`, `"other", ${known}`, '*']) {
        const answer = await ask('GET', address, { 'If-None-Match': condition })
        assert.deepEqual([answer.status, answer.body, answer.headers.etag], [304, '', known], condition)
      }
      assert.equal((await ask('GET', address, { 'If-None-Match': '"other"' })).status, 200)
      assert.equal((await ask('GET', address, { 'If-Match': known })).status, 200)
      const refused = await ask('GET', address, { 'If-Match': '"other"' })
      assert.deepEqual([refused.status, refused.headers.etag], [412, undefined])
      assert.equal((await ask('HEAD', address, { 'If-None-Match': known })).status, 304)
    })
  }

  test('gets a range of that version, and the whole of another', async (t) => {
    const { ask, tag } = await start(t)
    const range = async (condition: string) =>
      (await ask('GET', '/api/raw/a.txt', { Range: 'bytes=0-1', 'If-Range': condition })).body
    const first = await tag('/a.txt')
    assert.equal(await range(first), 'fi')
    assert.equal(await range(`W/${first}`), 'first')
    await ask('PUT', '/api/resources/a.txt', {}, 'second')
    assert.equal(await range(first), 'second')
  })
})
