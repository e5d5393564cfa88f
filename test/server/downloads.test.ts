// How the bytes of a file are sent: complete, and with few buffers.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { BufferPool } from '../../src-server/api/buffer-pool.ts'
import { answerFailures } from '../../src-server/api/error-replies.ts'
import { FileSender } from '../../src-server/api/file-sender.ts'
import { sendFile, sendFilesFromBuffers } from '../../src-server/api/send-file.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

// At the top level: started inside a suite, the server would be closed at the end of that suite.
const app = await startApp({ after }, { files: { 'abc.txt': 'abc' } })
const ann = await app.as('ann')
const request = (path: string) => `GET /api/raw${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\n\r\n`

const mebibyte = 1 << 20
const content = randomBytes(12 * mebibyte)

/** Reads at most `most` bytes at once, as a disk may. */
function readerOf(bytes: Buffer, most = Number.POSITIVE_INFINITY) {
  return async (buffer: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + Math.min(buffer.length, most))
    if (part.length === 0) throw new Error('the file got shorter')
    buffer.set(part)
    return part.length
  }
}

/** A client that receives one chunk after another, and pauses after `pauseAt` bytes. */
function takingClient(pool: BufferPool, { pauseAt = Number.POSITIVE_INFINITY } = {}) {
  const taken: Buffer[] = []
  let bytes = 0
  let mostLent = 0
  let goOn = () => {}
  const response = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      let isTaken = false
      goOn = () => {
        // After resume() a scheduled call may find its chunk received already.
        if (isTaken) return
        isTaken = true
        mostLent = Math.max(mostLent, pool.lent)
        taken.push(Buffer.from(chunk))
        bytes += chunk.length
        done()
      }
      if (bytes < pauseAt) setImmediate(goOn)
    },
  })
  const resume = () => {
    pauseAt = Number.POSITIVE_INFINITY
    goOn()
  }
  return { response, resume, bytes: () => bytes, mostLent: () => mostLent, all: () => Buffer.concat(taken) }
}

/** Delays in ms after which a client counts as slow; no test waits for `never`. */
const [soon, never] = [5, 1_000_000]

describe('the sender of a file', () => {
  for (const [what, start, length, most] of [
    ['a whole file', 0, content.length, Number.POSITIVE_INFINITY],
    ['a part of a file', 12_345, 11 * mebibyte + 1, Number.POSITIVE_INFINITY],
    ['a single byte', 7, 1, Number.POSITIVE_INFINITY],
    ['a file that the disk reads in small parts', 1, content.length - 1, 77_777],
  ] as const) {
    test(`sends ${what}, byte for byte`, async () => {
      const pool = new BufferPool({ size: mebibyte, most: 8 })
      const client = takingClient(pool)
      new FileSender({ readInto: readerOf(content, most), start, length, pool, longestPause: never }).pipe(client.response)
      await finished(client.response)
      assert.ok(client.all().equals(content.subarray(start, start + length)))
      assert.deepEqual([client.mostLent(), pool.lent], [length > 8 * mebibyte ? 2 : 0, 0])
    })
  }

  test('works without large buffers when all are in use', async () => {
    const pool = new BufferPool({ size: mebibyte, most: 0 })
    const client = takingClient(pool)
    new FileSender({ readInto: readerOf(content), start: 0, length: content.length, pool }).pipe(client.response)
    await finished(client.response)
    assert.ok(client.all().equals(content))
  })

  test('uses no large buffer for a client that reads nothing', async () => {
    const pool = new BufferPool({ size: mebibyte, most: 2 })
    const client = takingClient(pool, { pauseAt: 0 })
    const asked: number[] = []
    const readInto = (buffer: Uint8Array, position: number) => {
      asked.push(buffer.length)
      return readerOf(content)(buffer, position)
    }
    new FileSender({ readInto, start: 0, length: content.length, pool, longestPause: soon }).pipe(client.response)
    await until(() => client.response.writableLength > 0, 'nothing was sent')
    assert.deepEqual([asked, pool.lent], [[65_536], 0])
    client.resume()
    await finished(client.response)
    assert.ok(client.all().equals(content))
  })

  test('releases the buffer read ahead for a client that pauses, and sends its content when the client continues', async () => {
    const pool = new BufferPool({ size: mebibyte, most: 2 })
    const client = takingClient(pool, { pauseAt: 10 * mebibyte })
    new FileSender({ readInto: readerOf(content), start: 0, length: content.length, pool, longestPause: soon }).pipe(
      client.response,
    )
    await until(() => client.bytes() >= 10 * mebibyte && pool.lent < 2, 'a paused client holds two large buffers')
    client.resume()
    await finished(client.response)
    assert.ok(client.all().equals(content))
    assert.equal(pool.lent, 0)
  })

  test('releases its buffers when the client disconnects', async () => {
    const pool = new BufferPool({ size: mebibyte, most: 2 })
    const client = takingClient(pool, { pauseAt: 10 * mebibyte })
    const sender = new FileSender({ readInto: readerOf(content), start: 0, length: content.length, pool, longestPause: never })
    sender.on('error', () => {}).pipe(client.response)
    await until(() => pool.lent === 2, 'no large buffers were lent to a fast client')
    sender.destroy()
    assert.equal(pool.lent, 0)
    client.resume()
    assert.equal(pool.lent, 0)
  })
})

test('a file that shrinks while it is sent ends the connection, so that the next answer is not read as its content', async () => {
  const shrinking = join(app.root, 'shrinking.bin')
  writeFileSync(shrinking, Buffer.alloc(64 * mebibyte, 'x'))
  const { socket, received, ended } = await openSocket(app.port)
  socket.pause()
  socket.write(request('/shrinking.bin') + request('/abc.txt'))
  // When the client receives bytes, the buffers of the system are full.
  await new Promise((resolve) => socket.once('readable', resolve))
  truncateSync(shrinking, mebibyte)
  socket.resume()
  await ended
  assert.equal(received().match(/HTTP\/1\.1 /g)?.length, 1)
  assert.match(received(), /^HTTP\/1\.1 200 /)
})

test('a file that is truncated before its first byte is sent gives an error status, and no broken answer', async (t) => {
  const server = Fastify()
  answerFailures(server)
  server.register(fastifyStatic, { serve: false })
  sendFilesFromBuffers(server)
  const file = await open(join(app.root, 'abc.txt'))
  t.after(() => file.close())
  const readInto = () => Promise.reject(new Failure('conflict', 'the file got shorter while it was read'))
  const entry = { name: 'abc.txt', size: 3, version: '1', modified: 0n }
  server.get('/', async (_request, reply) => sendFile(reply, { fd: file.fd, entry, readInto } as never, { inline: false }))
  const { statusCode, headers, body } = await server.inject({ url: '/', headers: { Range: 'bytes=1-' } })
  assert.deepEqual([statusCode, body], [409, '409 Conflict (the file got shorter while it was read)\n'])
  for (const name of ['content-range', 'accept-ranges', 'etag', 'content-disposition']) assert.ok(!(name in headers), name)
})
