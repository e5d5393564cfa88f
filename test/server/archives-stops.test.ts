// When packing stops early: a content that changed, an abort, a reader that goes away. And what it keeps in memory until then.
import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import type { ArchiveEntry } from '../../src-server/archives/archive.ts'
import { archiveFormat } from '../../src-server/archives/formats.ts'
import { file, inOrder } from '../support/archive-entries.ts'
import { byScale } from '../support/scale.ts'
import { until } from '../support/until.ts'
import { zipByArchiver } from '../support/zip-by-archiver.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
/** In zip the ending decides whether a content is compressed. */
const writers = [
  { format: 'zip', ending: 'mp4', slow: false },
  ...['zip', 'tar', 'targz', 'tarlz4', 'tarsz'].map((format) => ({ format, ending: 'txt', slow: false })),
  ...['tarbz2', 'tarxz'].map((format) => ({ format, ending: 'txt', slow: true })),
]
  .map((writer) => ({ ...writer, write: archiveFormat(writer.format).write }))
  .concat({ format: 'zip by archiver', ending: 'txt', slow: false, write: zipByArchiver })
/** Bytes that may be between a content and the reader of the archive. */
const mostWaiting = 8 * mebibyte
const chunkLength = 64 * kibibyte
/** The same for small files, and the length of each. */
const mostSmall = 4 * mebibyte
const smallLength = 8 * kibibyte
const never = new AbortController().signal

for (const { format, write, ending } of writers)
  for (const size of [1, 1000, mebibyte, mebibyte + 1, 3 * mebibyte])
    for (const difference of [-1, 1])
      test(`${format}: a .${ending} announced with ${size} bytes that has ${size + difference} ends the stream with an error`, async () => {
        const content = Buffer.alloc(size + difference, 'x')
        const seen = watched([file('a', 'a'), file(`changed.${ending}`, content, { size }), file('b', 'b')])
        await assert.rejects(Array.fromAsync(write(seen.entries, never)), { code: 'changed' })
        assert.deepEqual(seen.open, [])
        assert.ok(!seen.opened.includes('b'))
      })

for (const { format, write, ending } of writers) {
  test(`${format}: an error of a .${ending} and one of the list of entries end the stream`, async () => {
    const short = file(`a.${ending}`, 'a', { read: () => failingAfter(Buffer.from('a')) })
    const long = { ...short, size: 2 * mebibyte }
    for (const failing of [short, long]) await assert.rejects(Array.fromAsync(write(inOrder([failing]), never)), /cannot be read/)
    await assert.rejects(Array.fromAsync(write(failingAfter(file('a', 'a')), never)), /cannot be read/)
  })

  test(`${format}: an abort inside a long .${ending} closes content and list, also when nobody reads on`, async () => {
    const seen = watched([file('a', 'a'), file(`long.${ending}`, noise(16 * mebibyte)), file('b', 'b')])
    const abort = new AbortController()
    const stream = write(seen.entries, abort.signal)[Symbol.asyncIterator]()
    while (!seen.opened.includes(`long.${ending}`)) await stream.next()
    assert.deepEqual(seen.open, ['entries', `long.${ending}`])
    abort.abort(new Error('the client went'))
    await until(() => seen.open.length === 0, 'all is closed')
    await assert.rejects(stream.next(), /the client went/)
    assert.deepEqual(await stream.next(), { done: true, value: undefined })
  })
}

for (const what of ['content', 'entry'] as const)
  for (const { format, write } of writers)
    test(`${format}: an abort while the next ${what} does not come ends the stream`, async () => {
      const hanging = endless()
      const entries = what === 'content' ? inOrder([file('a', 'a', { size: 5, read: () => hanging.chunks })]) : hanging.chunks
      const abort = new AbortController()
      const ended = assert.rejects(
        Array.fromAsync(write(entries as AsyncIterable<ArchiveEntry>, abort.signal)),
        /the client went/,
      )
      await hanging.asked
      abort.abort(new Error('the client went'))
      await ended
      assert.ok(hanging.isClosed())
    })

for (const { format, write, ending, slow } of writers) {
  test(`${format}: after an abort nothing is opened, no .${ending} either`, async () => {
    const seen = watched([file(`a.${ending}`, 'a')])
    await assert.rejects(Array.fromAsync(write(seen.entries, AbortSignal.abort(new Error('gone')))), /gone/)
    assert.deepEqual(seen.opened, [])
  })

  test(`${format}: a reader that goes away closes a .${ending} and the list`, async () => {
    const seen = watched([file(`long.${ending}`, noise(4 * mebibyte))])
    for await (const piece of write(seen.entries, never)) {
      assert.ok(piece.length > 0)
      break
    }
    assert.deepEqual(seen.opened, ['entries', `long.${ending}`])
    assert.deepEqual(seen.open, [])
  })

  test(`${format}: a long .${ending} waits for its reader: at most ${mostWaiting / mebibyte} MiB are between them`, async () => {
    let made = 0
    const count = byScale({ usual: slow ? 1.5 : 3, long: slow ? 1.5 : 4, full: slow ? 2 : 8 }) * (mostWaiting / chunkLength)
    const chunks = function* () {
      const random = endlessNoise()
      for (let left = count; left > 0; left--) {
        made += chunkLength
        yield random(chunkLength)
      }
    }
    const size = count * chunkLength
    let [taken, most] = [0, 0]
    for await (const piece of write(inOrder([file(`long.${ending}`, '', { size, read: () => inOrder(chunks()) })]), never)) {
      taken += piece.length
      most = Math.max(most, made - taken)
    }
    assert.equal(made, size)
    assert.ok(most <= mostWaiting, `${most} bytes`)
  })
}

test('zip: the memory of a small file is given back before the next is asked for', async () => {
  let held = 0
  const entries = async function* () {
    for (let index = 0; index < 500; index++) {
      assert.equal(held, 0)
      held++
      // Every third is compressed already.
      const path = `${index}.${index % 3 === 0 ? 'jpg' : 'txt'}`
      yield file(path, '', { content: Buffer.alloc(5000, path), size: 5000, release: () => held-- })
    }
  }
  const stream = archiveFormat('zip').write(entries(), never)
  await Array.fromAsync(stream)
  assert.equal(held, 0)
})

// archiver's zip packs the contents itself and does not tell when it has done so.
for (const { format, write } of writers.filter(({ write }) => write !== zipByArchiver))
  test(`${format}: the memory of every small file is given back, also of empty ones`, async () => {
    let held = 0
    const entries = async function* () {
      for (let index = 0; index < 300; index++) {
        held++
        const size = (index % 3) * 2000
        yield file(`${index}.txt`, '', { content: Buffer.alloc(size, 'x'), size, release: () => held-- })
      }
    }
    await Array.fromAsync(write(entries(), never))
    assert.equal(held, 0)
  })

for (const { format, write } of writers.filter(({ format }) => format.startsWith('tar')))
  test(`${format}: each chunk of a long file is given back once it is packed, and may be used again at once`, async () => {
    const content = endlessNoise()(3 * mebibyte + 1)
    const packed = async (giveBack?: (chunk: Uint8Array) => void) => {
      const chunks = function* () {
        for (let at = 0; at < content.length; at += mebibyte) yield Uint8Array.from(content.subarray(at, at + mebibyte))
      }
      const entry = file('long.txt', content, { read: () => inOrder(chunks()), ...(giveBack && { giveBack }) })
      return Buffer.concat(await Array.fromAsync(write(inOrder([entry]), never)))
    }
    let count = 0
    const again = await packed((chunk) => {
      count++
      chunk.fill(0)
    })
    assert.equal(count, 4)
    assert.ok(again.equals(await packed()))
  })

for (const { format, write, ending, slow } of writers)
  test(`${format}: small .${ending} files wait for their reader: at most ${mostSmall / mebibyte} MiB are between them`, async () => {
    let made = 0
    const count = byScale({ usual: slow ? 1.5 : 2, long: slow ? 1.5 : 2, full: slow ? 2 : 4 }) * (mostSmall / smallLength)
    const random = endlessNoise()
    const entries = async function* () {
      for (let index = 0; index < count; index++) {
        made += smallLength
        yield file(`${index}.${ending}`, '', { content: random(smallLength), size: smallLength })
      }
    }
    let [taken, most] = [0, 0]
    for await (const piece of write(entries(), never)) {
      taken += piece.length
      most = Math.max(most, made - taken)
    }
    assert.equal(made, count * smallLength)
    assert.ok(most <= mostSmall, `${most} bytes`)
  })

/** The same entries; `open` names the contents and the list that are open now, and `opened` those that ever were. */
function watched(all: readonly ArchiveEntry[]) {
  const open: string[] = []
  const opened: string[] = []
  const watch = async function* <T>(name: string, items: AsyncIterable<T>) {
    open.push(name)
    opened.push(name)
    try {
      yield* items
    } finally {
      open.splice(open.indexOf(name), 1)
    }
  }
  const entries = all.map((entry) => ({ ...entry, read: () => watch(entry.path, entry.read?.() ?? inOrder([])) }))
  return { open, opened, entries: watch('entries', inOrder(entries)) }
}

/** Items of which the first never comes, as from a file system that does not answer. */
function endless() {
  const asked = Promise.withResolvers<void>()
  let isClosed = false
  const next = () => {
    asked.resolve()
    return new Promise<IteratorResult<never>>(() => {})
  }
  const close = async () => {
    isClosed = true
    return { done: true as const, value: undefined }
  }
  const chunks: AsyncIterable<never> = { [Symbol.asyncIterator]: () => ({ next, return: close }) }
  return { chunks, asked: asked.promise, isClosed: () => isClosed }
}

async function* failingAfter<T>(item: T) {
  yield item
  throw new Error('cannot be read')
}

function noise(length: number) {
  return endlessNoise()(length)
}

/** Bytes that no format makes shorter, the same in each run. */
function endlessNoise() {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 'k'), Buffer.alloc(16))
  return (length: number) => cipher.update(Buffer.alloc(length))
}
