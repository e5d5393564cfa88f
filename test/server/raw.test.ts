// Raw downloads: ranges, conditions, and what a browser may do with the content.
import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nastyNames } from '../support/nasty-names.ts'
import { openSocket, rawRequest } from '../support/raw-request.ts'
import { deny, only, startApp } from '../support/start-app.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const app = await startApp(
  { after },
  {
    files: {
      'abc.txt': letters,
      empty: '',
      'dir/x': 'x',
      'secret.txt': 'hidden',
      'big.bin': Buffer.alloc(3 << 20, 'b'),
      'photo.png': 'p',
      'photo.JPG': 'p',
      'draw.svg': '<svg onload="alert(1)"/>',
      'page.html': '<script>alert(1)</script>',
      'paper.pdf': '%PDF',
      'song.mp3': 'm',
      'video.mp4': 'm',
      'thing.exe': 'MZ',
      none: 'x',
      'in.txt': { link: 'abc.txt' },
      'lost.txt': { link: 'gone' },
    },
    users: { ann: { rules: [deny('/secret.txt')] }, looker: { perm: only('modify') } },
  },
)
symlinkSync('/etc/hostname', join(app.root, 'out.txt'))
utimesSync(join(app.root, 'abc.txt'), 0, 1_600_000_300)
const ann = await app.as('ann')
const get = (range?: string, headers = {}) => ann.raw('/abc.txt', '', { ...(range && { Range: range }), ...headers })

test('a whole file, with the headers for later conditional requests', async () => {
  const answer = await get()
  assert.deepEqual([answer.status, await answer.text()], [200, letters])
  const { headers } = answer
  assert.equal(headers.get('content-length'), '26')
  assert.equal(headers.get('accept-ranges'), 'bytes')
  assert.equal(headers.get('last-modified'), 'Sun, 13 Sep 2020 12:31:40 GMT')
  assert.match(headers.get('etag') ?? '', /^"[\w-]+"$/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
})

for (const [range, status, body, contentRange] of [
  ['bytes=0-4', 206, 'abcde', 'bytes 0-4/26'],
  ['bytes=10-12', 206, 'klm', 'bytes 10-12/26'],
  ['bytes=20-', 206, 'uvwxyz', 'bytes 20-25/26'],
  ['bytes=-3', 206, 'xyz', 'bytes 23-25/26'],
  ['bytes=-26', 206, letters, 'bytes 0-25/26'],
  ['bytes=-100', 206, letters, 'bytes 0-25/26'],
  ['bytes=-0', 416, '416 Range Not Satisfiable\n', 'bytes */26'],
  ['bytes=4-2', 200, letters, null],
  ['bytes=-', 200, letters, null],
  ['bytes=25-25', 206, 'z', 'bytes 25-25/26'],
  ['bytes=20-999', 206, 'uvwxyz', 'bytes 20-25/26'],
  ['bytes=26-', 416, '416 Range Not Satisfiable\n', 'bytes */26'],
  ['bytes=99-100', 416, '416 Range Not Satisfiable\n', 'bytes */26'],
  ['bytes=0-1,4-5', 200, letters, null],
  ['lines=1-2', 200, letters, null],
] as const) {
  test(`range ${range} is answered ${status}`, async () => {
    const answer = await get(range)
    assert.deepEqual([answer.status, await answer.text(), answer.headers.get('content-range')], [status, body, contentRange])
  })
}

test('a range of a file that has changed since is the whole file', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  assert.equal((await get('bytes=0-1', { 'If-Range': etag })).status, 206)
  assert.equal((await get('bytes=0-1', { 'If-Range': '"other"' })).status, 200)
  assert.equal((await get('bytes=0-1', { 'If-Range': 'Sun, 13 Sep 2020 12:31:40 GMT' })).status, 206)
  assert.equal((await get('bytes=0-1', { 'If-Range': 'Sun, 13 Sep 2015 12:31:40 GMT' })).status, 200)
})

test('content that the client has is not sent again', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  // Not by fetch(), which adds `Cache-Control: no-cache` to every condition and so requests the whole file.
  const status = async (headers: Record<string, string>) => {
    const auth = { 'X-Auth': ann.token ?? '' }
    const answer = await rawRequest({
      port: app.port,
      method: 'GET',
      address: '/api/raw/abc.txt',
      headers: { ...auth, ...headers },
    })
    assert.equal(answer.body, answer.status === 200 ? letters : answer.status === 304 ? '' : '412 Precondition Failed\n')
    return answer.status
  }
  assert.equal(await status({ 'If-None-Match': etag }), 304)
  assert.equal(await status({ 'If-None-Match': '"other"' }), 200)
  assert.equal(await status({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' }), 200)
  assert.equal(await status({ 'If-Modified-Since': 'Sun, 13 Sep 2020 12:31:40 GMT' }), 304)
  assert.equal(await status({ 'If-Modified-Since': 'Sun, 13 Sep 2020 12:31:39 GMT' }), 200)
  assert.equal(await status({ 'If-Match': '"other"' }), 412)
})

test('HEAD says what GET would, without the bytes', async () => {
  const head = await ann.ask('HEAD', '/api/raw/abc.txt')
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '26', ''])
  const part = await ann.ask('HEAD', '/api/raw/abc.txt', { headers: { Range: 'bytes=0-4' } })
  assert.deepEqual([part.status, part.headers.get('content-length')], [206, '5'])
})

test('an empty file is a file', async () => {
  const answer = await ann.raw('/empty')
  assert.deepEqual([answer.status, answer.headers.get('content-length'), await answer.text()], [200, '0', ''])
  assert.equal((await ann.raw('/empty', '', { Range: 'bytes=-5' })).status, 200)
  assert.equal((await ann.raw('/empty', '', { Range: 'bytes=0-' })).status, 416)
})

test('links inside are followed; outside, broken, hidden and missing are refused', async () => {
  assert.equal(await (await ann.raw('/in.txt')).text(), letters)
  const statuses = { '/out.txt': 403, '/lost.txt': 404, '/secret.txt': 403, '/gone.txt': 404 }
  for (const [path, status] of Object.entries(statuses)) assert.equal((await ann.raw(path)).status, status, path)
  assert.equal((await (await app.as('looker')).raw('/abc.txt')).status, 403)
})

const attachment = ['application/octet-stream', 'attachment', "sandbox; default-src 'none'"] as const
const still = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
const playing = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
for (const [name, type, way, policy] of [
  ['abc.txt', 'text/plain; charset=utf-8', 'inline', still],
  ['page.html', 'text/plain; charset=utf-8', 'inline', still],
  ['photo.png', 'image/png', 'inline', still],
  ['photo.JPG', 'image/jpeg', 'inline', still],
  ['song.mp3', 'audio/mpeg', 'inline', playing],
  ['video.mp4', 'video/mp4', 'inline', playing],
  ['paper.pdf', 'application/pdf', 'inline', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"],
  ['draw.svg', ...attachment],
  ['thing.exe', ...attachment],
  ['none', ...attachment],
] as const) {
  test(`${name} is shown as ${type}, ${way}`, async () => {
    for (const [query, expected] of [
      ['inline=true', [type, way, policy]],
      ['', attachment],
      ['inline=1', attachment],
    ] as const) {
      const { headers } = await ann.raw(`/${name}`, query)
      const disposition = headers.get('content-disposition') ?? ''
      assert.deepEqual([headers.get('content-type'), disposition.split(';')[0], headers.get('content-security-policy')], expected)
      assert.ok(disposition.includes(`filename="${name}"`), disposition)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
    }
  })
}

test('every name reaches the client complete, in headers of plain ASCII', async () => {
  for (const name of nastyNames) {
    await ann.upload(`/names/${name}`, 'x')
    const disposition = (await ann.raw(`/names/${name}`)).headers.get('content-disposition') ?? ''
    const [, ascii, whole] =
      /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(disposition) ?? []
    assert.equal(decodeURIComponent(whole ?? ''), name, disposition)
    assert.ok(!ascii?.includes('"'))
  }
})

test('every open file is closed, whenever the client disconnects', async () => {
  const openFiles = () => readdirSync('/proc/self/fd').filter((fd) => pointsInto(fd, app.root)).length
  for (let round = 0; round < 20; round++) {
    const { socket, ended } = await openSocket(app.port)
    socket.write(`GET /api/raw/big.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\n\r\n`)
    if (round % 2) await new Promise((resolve) => socket.once('readable', resolve))
    socket.destroy()
    await ended
    await (await get('bytes=99-')).text()
    await (await ann.ask('HEAD', '/api/raw/big.bin')).text()
  }
  while (openFiles() > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await ann.raw('/big.bin')).status, 200)
})

function pointsInto(fd: string, folder: string) {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
  } catch {
    return false
  }
}
