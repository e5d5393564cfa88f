// Checksums: their values, their progress in lines, and the thread that computes those of large files.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Type } from 'typebox'
import { endpoint } from '../../src-server/api/endpoint.ts'
import { sendLines, withProgress } from '../../src-server/api/json-lines.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { hashInThread } from '../../src-server/files/checksum.ts'
import { countedDisk, DiskCounts } from '../support/counted-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { only, startApp } from '../support/start-app.ts'
import { userFilesOn } from '../support/user-files.ts'

const names = ['md5', 'sha1', 'sha256', 'sha512'] as const
/** Several buffers of the thread and a part of one. */
const large = Buffer.from(Array.from({ length: 700_001 }, (_, index) => `${index}`).join(''))
const sumOf = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex')
const lines = { accept: 'application/x-ndjson' }

test('checksums of small and large files are right', async (t) => {
  const files = { 'large.bin': large, 'small.bin': 'hello\n', 'empty.bin': '' }
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  for (const [name, content] of Object.entries(files))
    for (const algorithm of names) {
      const answer = await ann.get(`/${name}`, `checksum=${algorithm}`)
      assert.deepEqual(((await answer.json()) as { checksums: unknown }).checksums, {
        [algorithm]: sumOf(algorithm, Buffer.from(content)),
      })
    }
})

test('a checksum in lines ends with the file and its checksum', async (t) => {
  const app = await startApp(t, { files: { 'large.bin': large } })
  const ann = await app.as('ann')
  const answer = await ann.ask('GET', '/api/resources/large.bin?checksum=sha256', { headers: lines })
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  const sent = (await answer.text()).trimEnd().split('\n')
  const { name, checksums } = JSON.parse(sent.at(-1) ?? '') as { name: string; checksums: unknown }
  assert.deepEqual({ name, checksums }, { name: 'large.bin', checksums: { sha256: sumOf('sha256', large) } })
})

test('what is refused before the first line has its status', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'x' }, users: { ann: {}, looker: { perm: only() } } })
  const statusOf = async (who: string, address: string) =>
    (await (await app.as(who)).ask('GET', `/api/resources/${address}`, { headers: lines })).status
  assert.equal(await statusOf('ann', 'a.txt?checksum=crc'), 400)
  assert.equal(await statusOf('ann', 'none?checksum=md5'), 404)
  assert.equal(await statusOf('looker', 'a.txt?checksum=md5'), 403)
})

test('progress is sent while the work goes on: only the latest, then the result', async () => {
  const goOn = Promise.withResolvers<void>()
  const sent = withProgress(async (report) => {
    for (const done of [1, 2, 3]) report({ done })
    await goOn.promise
    return { result: true }
  })
  assert.deepEqual((await sent.next()).value, { done: 3 })
  goOn.resolve()
  assert.deepEqual((await sent.next()).value, { result: true })
  assert.equal((await sent.next()).done, true)
})

test('a failure after the first line is the last line', async (t) => {
  async function* failing() {
    yield { done: 1 }
    throw new Failure('conflict', 'the file changed while it was read')
  }
  const contract = { 'GET /api/failing': { access: 'user', listing: Type.Object({}) } } as const
  const app = await startApp(t, {
    calls: (scope, api) =>
      endpoint(scope, { ...api, contract }, 'GET /api/failing', ({ request, reply }) => sendLines(request, reply, failing())),
  })
  const answer = await (await app.as('ann')).ask('GET', '/api/failing')
  const error = {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'conflict',
    detail: 'the file changed while it was read',
    refusal: { code: 'changedWhileRead', params: {} },
  }
  assert.deepEqual((await answer.text()).split('\n'), ['{"done":1}', JSON.stringify({ error }), ''])
})

test('a file that changes while it is read has no checksum', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'large.bin': large } })
  const counts = new DiskCounts((name) => name === 'chunk' && appendFileSync(join(root, 'large.bin'), 'more'))
  const files = userFilesOn(countedDisk(disk, counts))
  await assert.rejects(files.open(parsePath('/large.bin'), { checksum: 'md5' }), /the file changed while it was read/)
})

const sourceOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  readInto: async (buffer: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + buffer.length)
    buffer.set(part)
    return part.length
  },
})

test('the checksum of an aborted job is not taken for that of the next', async () => {
  const first = new AbortController()
  const abortAtEnd = (done: number) => done === large.length && first.abort(new Error('the client left'))
  const aborted = hashInThread(sourceOf(large), { algorithm: 'sha512', signal: first.signal, onProgress: abortAtEnd })
  await assert.rejects(aborted, /the client left/)
  const how = { algorithm: 'md5', signal: new AbortController().signal, onProgress: () => {} }
  assert.equal(await hashInThread(sourceOf(large), how), sumOf('md5', large))
})

test('a thread that fails fails its job, and the next job has another', async () => {
  const how = { signal: new AbortController().signal, onProgress: () => {} }
  await assert.rejects(hashInThread(sourceOf(large), { ...how, algorithm: 'none' }), { code: 'internal' })
  assert.equal(await hashInThread(sourceOf(large), { ...how, algorithm: 'sha1' }), sumOf('sha1', large))
})
