// Raw downloads from a disk whose files have no descriptors, such as an object store.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { ArchiveTickets } from '../../src-server/api/archive-tickets.ts'
import type { Authenticate } from '../../src-server/api/context.ts'
import { Deadlines } from '../../src-server/api/deadlines.ts'
import { answerFailures } from '../../src-server/api/error-replies.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { rawCalls } from '../../src-server/api/raw.ts'
import type { Operation } from '../../src-server/base/operation.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { rawRequest } from '../support/raw-request.ts'
import { userFilesOn } from '../support/user-files.ts'

const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))
const disk = new MemoryDisk({ 'video.bin': content, empty: '' })
const authenticate = {
  user: async (_request: unknown, _endpoint: unknown, operation: Operation) => ({ files: userFilesOn(disk, { operation }) }),
} as unknown as Authenticate

const app = Fastify()
answerFailures(app)
rawCalls(app, {
  contract: endpoints,
  authenticate,
  limits: new Limits(),
  deadlines: new Deadlines(),
  tickets: new ArchiveTickets(),
})
await app.listen({ host: '127.0.0.1', port: 0 })
after(() => app.close())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${app.listeningOrigin}/api/raw/${path}`, { method, headers })

test('a disk without `fd` serves raw downloads whole', async () => {
  const answer = await ask('video.bin')
  assert.deepEqual(
    [answer.status, answer.headers.get('content-length'), answer.headers.get('accept-ranges')],
    [200, '3000000', 'bytes'],
  )
  assert.match(answer.headers.get('etag') ?? '', /^"[^"]+"$/)
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(content))
  const empty = await ask('empty')
  assert.deepEqual([empty.status, empty.headers.get('content-length'), await empty.text()], [200, '0', ''])
})

for (const [range, start, end] of [
  ['bytes=0-0', 0, 0],
  ['bytes=1048570-1048585', 1_048_570, 1_048_585],
  ['bytes=2999990-', 2_999_990, 2_999_999],
  ['bytes=-10', 2_999_990, 2_999_999],
  ['bytes=2999990-9999999', 2_999_990, 2_999_999],
  ['bytes=-9999999', 0, 2_999_999],
] as const) {
  test(`a disk without \`fd\` serves a range: ${range}`, async () => {
    const answer = await ask('video.bin', { Range: range })
    assert.deepEqual([answer.status, answer.headers.get('content-range')], [206, `bytes ${start}-${end}/3000000`])
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(start, end + 1)))
  })
}

test('a disk without `fd` answers conditions, HEAD and a range that the file has not', async () => {
  const etag = (await ask('video.bin', {}, 'HEAD')).headers.get('etag') ?? ''
  // fetch() would add `Cache-Control: no-cache`, which requests the whole file.
  const headers = { 'If-None-Match': etag }
  const { port } = new URL(app.listeningOrigin)
  const known = await rawRequest({ port: Number(port), method: 'GET', address: '/api/raw/video.bin', headers })
  assert.equal(known.status, 304)
  assert.equal((await ask('video.bin', { 'If-Match': '"another"' })).status, 412)
  assert.equal((await ask('video.bin', { Range: 'bytes=0-1', 'If-Range': etag })).status, 206)
  assert.equal((await ask('video.bin', { Range: 'bytes=0-1', 'If-Range': '"another"' })).status, 200)
  const none = await ask('video.bin', { Range: 'bytes=3000000-' })
  assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */3000000'])
  const head = await ask('video.bin', {}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '3000000', ''])
})
