// Addresses as bytes on a socket, because fetch() normalises them before they are sent.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nastyNames } from '../support/nasty-names.ts'
import { exchange, type RawAnswer, rawRequest } from '../support/raw-request.ts'
import { share } from '../support/share-calls.ts'
import { deny, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

const secret = 'the secret outside, of a length that nothing else has'
const secretSum = createHash('sha1').update(secret).digest('hex')
const users = { ann: { scope: '/home', rules: [deny('/private')] } }
const files = {
  'home/a.txt': 'a',
  'home/sub/b.txt': 'b',
  'home/private/p.txt': secret,
  'other/o.txt': secret,
  'home/way': { link: '../other' },
}
const app = await startApp({ after }, { files, users })
writeFileSync(join(app.folder, 'outside.txt'), secret)
mkdirSync(join(app.folder, 'home'))
const ann = await app.as('ann')
const { token = '' } = ann
const { hash } = await share(ann, '/')

/** The files outside the scope, and those that rules hide in it. */
const outside = async () => {
  const { 'outside.txt': file, ...tree } = await harvest(app.folder)
  const kept = Object.entries(tree).filter(([path]) => !path.startsWith('files/home/') || path.startsWith('files/home/private'))
  // What is deleted and replaced is kept in the trash of the served root, which no address reaches.
  const ours = ['state.json', 'files/.holdall-trash/']
  return { file, kept: kept.filter(([path]) => !ours.some((start) => path.startsWith(start))) }
}
const before = await outside()

const traversals = [
  '../other/o.txt',
  '..%2fother%2fo.txt',
  '..%2Fother/o.txt',
  '%2e%2e/other/o.txt',
  '%2e%2e%2fother%2fo.txt',
  '.%2e/other/o.txt',
  '%252e%252e/other/o.txt',
  '%252e%252e%252fother%252fo.txt',
  'sub/../../other/o.txt',
  'sub/..%2f../other/o.txt',
  './../other/o.txt',
  '//../other/o.txt',
  '..//other/o.txt',
  '..;/other/o.txt',
  '..\\other\\o.txt',
  '..%5cother%5co.txt',
  '..%255cother%255co.txt',
  '....//other/o.txt',
  '%c0%ae%c0%ae/other/o.txt',
  '%uff0e%uff0e/other/o.txt',
  '\uff0e\uff0e/other/o.txt',
  '..%00/other/o.txt',
  '../../../../../../../../etc/passwd',
  '..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'file:///etc/passwd',
  'way/o.txt',
  'way/new.txt',
  'way',
  'private/p.txt',
  '/private/p.txt',
  './private/./p.txt',
  'private//p.txt',
  'private%2fp.txt',
  'sub/../private/p.txt',
  '%70rivate/p.txt',
]
const shapes = [
  ...traversals,
  '%00',
  'a.txt%00.png',
  '%',
  '%2',
  '%zz',
  '%e4%b8',
  '%ed%a0%80',
  '%F0%9F%98%80.bin',
  'n'.repeat(256),
  '%C3%A9'.repeat(128),
  'p/'.repeat(2100),
  `${'d'.repeat(250)}/`.repeat(17),
  '.',
  './',
  '..',
  '../',
  '%2e',
  '%2e%2e',
  '...',
  '%0a',
  '%0d%0aX-Injected:%20yes',
  '-rf',
  '?',
  '#',
  '%3f%23',
  ';x=1',
  '*',
  'caf%C3%A9',
  'cafe%CC%81',
  ...nastyNames.map(encodeURIComponent),
]

type Ask = (text: string) => { method: string; address: string; body?: string }
const to = (text: string) => encodeURIComponent(text)
const verbs: Record<string, Ask> = {
  'GET resource': (text) => ({ method: 'GET', address: `/api/resources/${text}` }),
  checksum: (text) => ({ method: 'GET', address: `/api/resources/${text}?checksum=sha1` }),
  raw: (text) => ({ method: 'GET', address: `/api/raw/${text}` }),
  'HEAD raw': (text) => ({ method: 'HEAD', address: `/api/raw/${text}` }),
  POST: (text) => ({ method: 'POST', address: `/api/resources/${text}?override=true`, body: 'written' }),
  'POST folder': (text) => ({ method: 'POST', address: `/api/resources/${text}/` }),
  PUT: (text) => ({ method: 'PUT', address: `/api/resources/${text}`, body: 'written' }),
  'copy from': (text) => ({ method: 'PATCH', address: `/api/resources/${text}?action=copy&destination=/copied&rename=true` }),
  'copy to': (text) => ({ method: 'PATCH', address: `/api/resources/a.txt?action=copy&override=true&destination=/${to(text)}` }),
  'copy a folder to': (text) => ({
    method: 'PATCH',
    address: `/api/resources/sub?action=copy&override=true&destination=/${to(text)}`,
  }),
  'copy to, encoded once': (text) => ({
    method: 'PATCH',
    address: `/api/resources/a.txt?action=copy&override=true&destination=/${text}`,
  }),
  'move from': (text) => ({ method: 'PATCH', address: `/api/resources/${text}?action=rename&destination=/moved&rename=true` }),
  DELETE: (text) => ({ method: 'DELETE', address: `/api/resources/${text}` }),
}

const get =
  (start: string): Ask =>
  (text) => ({ method: 'GET', address: `${start}${text}` })
const otherVerbs: Record<string, Ask> = {
  usage: get('/api/usage/'),
  preview: get('/api/preview/thumb/'),
  links: get('/api/share/'),
  'new link': (text) => ({ method: 'POST', address: `/api/share/${text}`, body: '{}' }),
  search: (text) => ({ method: 'GET', address: `/api/search/${text}?query=o` }),
  'some of a folder': get('/api/raw/?algo=tar&files='),
  'of a link': get(`/api/public/share/${hash}/`),
  'download of a link': get(`/api/public/dl/${hash}/`),
  'some of a link': get(`/api/public/dl/${hash}/?algo=tar&files=`),
  'preview of a link': get(`/api/public/preview/thumb/${hash}/`),
  'search in a link': (text) => ({ method: 'GET', address: `/api/public/search/${hash}/${text}?query=o` }),
}

for (const [verb, ask] of Object.entries({ ...verbs, ...otherVerbs })) {
  test(`${verb}: no address leaves the scope or passes a rule, and none answers 500`, async () => {
    restore()
    for (const text of shapes) {
      const request = ask(latin1(text))
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      if (!isReading) restore()
      const answer = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, ...request })
      const shown = `${request.method} ${request.address.slice(0, 100)}`
      // 501 is what cannot be previewed.
      assert.ok(answer.status < 500 || answer.status === 501, `${shown}: ${answer.status} ${answer.body}`)
      assert.notEqual(answer.status, 429, shown)
      assert.ok(!reveals(answer), shown)
      assert.equal(answer.headers['x-injected'], undefined, shown)
      if (!isReading) assert.deepEqual(await outside(), before, shown)
    }
    assert.deepEqual(await outside(), before)
  })
}

test('each of these requests succeeds with an ordinary address', async () => {
  const ordinary: Record<string, string> = {
    PUT: 'a.txt',
    'GET resource': 'a.txt',
    checksum: 'a.txt',
    raw: 'a.txt',
    'HEAD raw': 'a.txt',
  }
  for (const [verb, ask] of Object.entries(verbs)) {
    restore()
    const text = ordinary[verb] ?? (verb.endsWith('from') || verb === 'DELETE' ? 'sub' : 'new')
    const { status } = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, ...ask(text) })
    assert.equal(status, 200, verb)
  }
  restore()
  for (const [verb, ask] of Object.entries(otherVerbs)) {
    const { status } = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, ...ask('a.txt') })
    assert.equal(status, verb.startsWith('preview') ? 501 : 200, verb)
  }
})

test('a path with .. is refused as such', async () => {
  for (const text of ['../other/o.txt', '..%2fother', '%2e%2e/other', 'sub/../../x', '..', 'a.txt%00', 'n'.repeat(256)]) {
    for (const [verb, ask] of Object.entries(verbs).filter(([verb]) => !verb.startsWith('copy to, encoded'))) {
      const { status } = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, ...ask(text) })
      assert.equal(status, 400, `${verb} ${text}`)
    }
  }
})

test('a name that only resembles .. is a name', async () => {
  for (const text of ['..%255cother', '%252e%252e', '..%5cother', '..;', '...', '%2520']) {
    restore()
    const post = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, ...(verbs.POST as Ask)(text) })
    const get = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, ...(verbs.raw as Ask)(text) })
    assert.deepEqual([post.status, get.status, get.body], [200, 200, 'written'], text)
  }
})

test('NFC and NFD are two names', async () => {
  for (const text of ['caf%C3%A9', 'cafe%CC%81']) {
    await rawRequest({
      port: app.port,
      headers: { 'X-Auth': token },
      method: 'POST',
      address: `/api/resources/${text}`,
      body: text,
    })
  }
  for (const text of ['caf%C3%A9', 'cafe%CC%81']) {
    const { body } = await rawRequest({
      port: app.port,
      headers: { 'X-Auth': token },
      method: 'GET',
      address: `/api/raw/${text}`,
    })
    assert.equal(body, text)
  }
})

test('an address with a host is read as its path', async () => {
  for (const start of ['http://127.0.0.1', 'http://elsewhere.example:99', 'HTTPS://x']) {
    const get = (path: string) =>
      rawRequest({ port: app.port, headers: { 'X-Auth': token }, method: 'GET', address: start + path })
    assert.equal((await get('/api/raw/sub/b.txt')).body, 'b')
    assert.equal((await get('/api/raw/../other/o.txt')).status, 400)
    assert.equal((await get('/api/raw/..%2fother/o.txt')).status, 400)
    assert.equal((await get('')).status, 200)
  }
})

test('unusual beginnings of an address reach no file', async () => {
  for (const address of [
    '//api/raw/a.txt',
    '/./api/raw/a.txt',
    '/x/../api/raw/a.txt',
    '/api//raw/a.txt',
    '/API/raw/a.txt',
    '/api/raw%2fa.txt',
    '*',
    '/static/../api/raw/a.txt',
    '/static/..%2f..%2f..%2fetc/passwd',
    '/static/%2e%2e/main-1.js',
  ]) {
    const answer = await rawRequest({ port: app.port, headers: { 'X-Auth': token }, method: 'GET', address })
    assert.ok([200, 400, 404].includes(answer.status), `${address}: ${answer.status}`)
    assert.ok(answer.status !== 200 || answer.body.includes('<!doctype html>'), address)
  }
})

test('invalid HTTP gets a short answer, and the server continues', async () => {
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
    `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    const answer = (await exchange(app.port, Buffer.from(text, 'latin1'))).toString()
    assert.match(answer, /^HTTP\/1\.1 4\d\d [^\r]+\r\n/, JSON.stringify(text.slice(0, 40)))
    assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/i)
  }
  assert.equal((await fetch(`${app.url}/health`)).status, 200)
})

/** Restores the scope after each request, so that each address finds the same files. */
function restore() {
  const home = join(app.root, 'home')
  for (const name of readdirSync(home)) if (name !== 'private') rmSync(join(home, name), { recursive: true })
  mkdirSync(join(home, 'sub'))
  writeFileSync(join(home, 'a.txt'), 'a')
  writeFileSync(join(home, 'sub/b.txt'), 'b')
  symlinkSync('../other', join(home, 'way'))
}

function latin1(text: string) {
  return Buffer.from(text).toString('latin1')
}

/** Whether an answer holds the secret, its checksum or its length. */
function reveals({ headers, body }: RawAnswer) {
  return (
    [secret, secretSum, 'root:', `"size":${secret.length}`].some((text) => body.includes(text)) ||
    headers['content-length'] === String(secret.length)
  )
}
