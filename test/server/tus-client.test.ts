// tus-js-client, as other programs use it, over a line that breaks. How the page uses it: test/e2e/resumable-uploads.test.ts.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Upload, type UploadOptions } from 'tus-js-client'
import { startProxy } from '../support/cutting-proxy.ts'
import { byScale } from '../support/scale.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { temporaryFolder } from '../support/start-state.ts'
import { harvest } from '../support/tree.ts'
import { tusCalls } from '../support/tus-calls.ts'

const mebibyte = 1 << 20

/** A server that can be started again on the same files and state, behind a proxy. */
async function start(t: TestContext, setup: AppSetup = {}) {
  const folder = temporaryFolder(t)
  const root = join(folder, 'files')
  fs.mkdirSync(root)
  const options = { root, database: join(folder, 'state.json') }
  const app = await startApp(t, { options, ...setup })
  const proxy = await startProxy(t, { port: app.port })
  const ann = await app.as('ann')
  const restart = async () => {
    await app.close()
    const next = await startApp(t, { options, users: {} })
    proxy.how.port = next.port
    return next
  }
  const headers = { 'X-Auth': ann.token ?? '' }
  return { ...app, root, proxy, ann, restart, headers, tus: tusCalls(ann) }
}

type Client = Readonly<{ proxy: { url: string }; headers: Record<string, string> }>

/** Sends with what clients have by default, but without waiting. @returns the error that the client gave up with */
function send({ proxy, headers }: Client, path: string, content: Buffer, given: UploadOptions = {}): Promise<Error | undefined> {
  const how = { endpoint: `${proxy.url}/api/tus${path}`, headers, metadata: { filename: path }, ...given }
  return begin(content, how).sent
}

/** `sent`: the error that the client gave up with. */
function begin(content: Buffer | fs.ReadStream, how: UploadOptions): { upload: Upload; sent: Promise<Error | undefined> } {
  const over = Promise.withResolvers<Error | undefined>()
  const { resolve: onError } = over
  const upload = new Upload(content, { retryDelays: [0, 0, 0, 0], onError, onSuccess: () => onError(undefined), ...how })
  upload.start()
  return { upload, sent: over.promise }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Not held in memory. @param mebibytes its size */
function randomFile(t: TestContext, mebibytes: number) {
  const path = join(temporaryFolder(t), 'content')
  const [file, hash] = [fs.openSync(path, 'w'), createHash('sha256')]
  for (let count = 0; count < mebibytes; count++) {
    const part = randomBytes(mebibyte)
    hash.update(part)
    fs.writeSync(file, part)
  }
  fs.closeSync(file)
  return { path, digest: hash.digest('hex') }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of fs.createReadStream(path, { highWaterMark: mebibyte })) hash.update(part)
  return hash.digest('hex')
}

const large = byScale({ usual: 64, long: 512, full: 4096 })

test(`${large} MiB arrive though connections are cut, the server begins anew, and it is another day`, {
  timeout: byScale({ usual: 1, long: 5, full: 30 }) * 60_000,
}, async (t) => {
  const server = await start(t)
  const { proxy, root } = server
  // Within three seconds a fast machine sends more than a piece has.
  Object.assign(proxy.how, { largest: 20_000_000, life: 3000, cutAfter: 10 * mebibyte })
  const { path, digest } = randomFile(t, large)
  const created = await server.tus.create('/d/a.bin', large * mebibyte)
  assert.equal(created.status, 201)
  const client = (headers: Record<string, string>, given: UploadOptions = {}) => {
    const how = { uploadUrl: proxy.url + created.headers.get('location'), chunkSize: 16 * mebibyte, headers, ...given }
    return begin(fs.createReadStream(path), how)
  }
  // Its program ends when a half has come.
  const ended = Promise.withResolvers<void>()
  const onChunkComplete = (_size: number, accepted: number) => {
    if (accepted > (large * mebibyte) / 2) ended.resolve()
  }
  const first = client(server.headers, { onChunkComplete })
  assert.equal(await Promise.race([first.sent, ended.promise]), undefined)
  await first.upload.abort()
  const next = await server.restart()
  next.clock.advance({ days: 1 })
  const { token = '' } = await next.as('ann')
  const { sent } = client({ 'X-Auth': token })
  assert.equal(await sent, undefined)
  assert.equal(await digestOf(join(root, 'd/a.bin')), digest)
  assert.ok(proxy.calls.filter((call) => call === 'PATCH 0').length >= 2, String(proxy.calls))
  // What had come before a cut was not sent again, but for what was on its way.
  assert.ok(proxy.counts.bytes < 2 * large * mebibyte, `${proxy.counts.bytes} bytes`)
  assert.deepEqual(fs.readdirSync(root, { recursive: true }).sort(), ['d', 'd/a.bin'])
})

test('a file arrives through a proxy that takes no long body, and cuts what it takes', async (t) => {
  const server = await start(t)
  const { proxy, root } = server
  Object.assign(proxy.how, { largest: mebibyte, cutAfter: mebibyte / 2 })
  const content = randomBytes(6 * mebibyte)
  assert.match(String(await send(server, '/a.bin', content)), /response code: 413/)
  assert.equal(await send(server, '/a.bin', content, { chunkSize: mebibyte }), undefined)
  assert.equal(sha256(fs.readFileSync(join(root, 'a.bin'))), sha256(content))
  assert.ok(proxy.calls.filter((call) => call === 'PATCH 0').length >= 5, String(proxy.calls))
  assert.deepEqual(await server.tus.list(), [])
})

test('a file arrives in pieces, with checksums, in several ways', async (t) => {
  const server = await start(t)
  const content = randomBytes(3 * mebibyte)
  const checksums = (req: {
    getMethod(): string
    getHeader(name: string): string | undefined
    setHeader(n: string, v: string): void
  }) => {
    if (req.getMethod() !== 'PATCH') return
    const offset = Number(req.getHeader('Upload-Offset'))
    const digest = createHash('sha256').update(content.subarray(offset, offset + mebibyte))
    req.setHeader('Upload-Checksum', `sha256 ${digest.digest('base64')}`)
  }
  const ways: Record<string, UploadOptions> = {
    pieces: { chunkSize: mebibyte },
    checksums: { chunkSize: mebibyte, onBeforeRequest: checksums },
    creation: { uploadDataDuringCreation: true },
    deferred: { uploadLengthDeferred: true, chunkSize: mebibyte },
    overridden: { overridePatchMethod: true, chunkSize: mebibyte },
  }
  for (const [way, options] of Object.entries(ways)) {
    assert.equal(await send(server, `/${way}`, content, options), undefined, way)
    assert.equal(sha256(fs.readFileSync(join(server.root, way))), sha256(content), way)
  }
  assert.equal(await send(server, '/empty', Buffer.alloc(0)), undefined)
  assert.deepEqual(Object.keys(await harvest(server.root)).sort(), [...Object.keys(ways), 'empty'].sort())
  assert.deepEqual(await server.tus.list(), [])
})

test('several parts at once, which are no files, are refused', async (t) => {
  const server = await start(t)
  const error = await send(server, '/a', randomBytes(4 * mebibyte), { parallelUploads: 4 })
  assert.match(String(error), /response code: 400/)
  assert.deepEqual(await harvest(server.root), {})
})

test('a name that is taken meanwhile is an error of the client, and no success', async (t) => {
  const server = await start(t)
  const onBeforeRequest = (req: { getMethod(): string }) => {
    if (req.getMethod() === 'PATCH') fs.writeFileSync(join(server.root, 'a'), 'other')
  }
  assert.match(String(await send(server, '/a', randomBytes(mebibyte), { onBeforeRequest })), /response code: 412/)
  assert.equal(fs.readFileSync(join(server.root, 'a'), 'utf8'), 'other')
  assert.equal((await server.tus.list())[0]?.offset, mebibyte)
})

test('a client that knows only the address of its upload goes on after a restart, though a proxy says 502 meanwhile', async (t) => {
  const server = await start(t)
  const { proxy, root, tus, restart } = server
  const content = randomBytes(8 * mebibyte)
  const created = await tus.create('/a.bin', content.length)
  proxy.how.cutAfter = 5 * mebibyte
  let restarted: Promise<unknown> | undefined
  // The server ends after the first cut, and is asked again once it is back.
  proxy.how.answer = ({ method }) => {
    if (method !== 'HEAD' || restarted) return undefined
    restarted = restart()
    return 502
  }
  const error = await send(server, '/a.bin', content, {
    // No endpoint: else the client would begin anew when a HEAD fails.
    endpoint: null,
    uploadUrl: proxy.url + created.headers.get('location'),
    storeFingerprintForResuming: false,
    onShouldRetry: () => true,
    onBeforeRequest: async () => void (await restarted),
  })
  assert.equal(error, undefined)
  assert.ok(proxy.calls.includes('HEAD 502'), String(proxy.calls))
  assert.equal(sha256(fs.readFileSync(join(root, 'a.bin'))), sha256(content))
  assert.ok(!proxy.calls.some((call) => call.startsWith('POST')))
  assert.deepEqual(Object.keys(await harvest(root)), ['a.bin'])
})

test('a lost answer to the last piece is no second file', async (t) => {
  const server = await start(t)
  const { proxy, root } = server
  const content = randomBytes(mebibyte)
  let isLost = false
  // The whole body reaches the server, and its answer nobody.
  const onAfterResponse = (req: { getMethod(): string }) => {
    if (req.getMethod() !== 'PATCH' || isLost) return
    isLost = true
    throw new Error('lost')
  }
  await send(server, '/a', content, { onAfterResponse })
  assert.equal(isLost, true)
  const url = proxy.url + (await server.tus.head('/api/tus/a')).url.replace(/^http:\/\/[^/]+/, '')
  assert.equal(await send(server, '/a', content, { endpoint: null, uploadUrl: url }), undefined)
  assert.deepEqual(Object.keys(await harvest(root)), ['a'])
})
