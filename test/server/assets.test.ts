import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { packFiles, readBundledFiles } from '../../src-server/base/bundled-files.ts'
import { Assets, packAssets, unpackAssets } from '../../src-server/pages/assets.ts'

const script = 'console.log("a sentence that is worth compressing")\n'.repeat(100)
const packed = {
  names: { 'main.js': 'main-1.js' },
  preload: [],
  files: {
    'main-1.js': { type: 'text/javascript', etag: '"1"', body: brotliCompressSync(script), encoding: 'br' },
    'dot-2.svg': { type: 'image/svg+xml', etag: '"2"', body: Buffer.from('raw') },
  },
} as const
const assets = new Assets(packed)

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, raw: (body: Buffer) => body }

const choices: readonly (readonly [header: string | undefined, form: keyof typeof decoders, etag: string])[] = [
  [undefined, 'raw', '"1"'],
  ['', 'raw', '"1"'],
  ['gzip, deflate, br, zstd', 'br', '"1-br"'],
  ['gzip', 'gzip', '"1-gzip"'],
  ['GZIP;q=0.5, BR;q=0', 'gzip', '"1-gzip"'],
  ['br;q=0, gzip ; q = 0', 'raw', '"1"'],
  ['identity', 'raw', '"1"'],
  ['brotli', 'raw', '"1"'],
]

for (const [header, form, etag] of choices)
  test(`Accept-Encoding "${header}" is answered with ${form}`, async () => {
    const asset = await assets.find('main-1.js', header)
    assert.equal(decoders[form](asset?.body ?? Buffer.alloc(0)).toString(), script)
    assert.equal(asset?.etag, etag)
    assert.equal(asset?.encoding, form === 'raw' ? undefined : form)
  })

test('a file that no compression made smaller is sent as it is', async () => {
  assert.equal((await assets.find('dot-2.svg', 'br, gzip'))?.body.toString(), 'raw')
})

test('only files of the build are found', async () => {
  for (const address of ['', 'main.js', 'constructor', '__proto__', '../main-1.js'])
    assert.equal(await assets.find(address), undefined)
})

test('a form that the build did not pack is made once, and the form that was packed is sent without a copy', async () => {
  const fresh = new Assets(packed)
  const [first, second] = await Promise.all([fresh.find('main-1.js', 'gzip'), fresh.find('main-1.js', 'gzip')])
  assert.equal(first?.body, second?.body)
  assert.equal((await fresh.find('main-1.js', 'br'))?.body, packed.files['main-1.js'].body)
  assert.equal(fresh.madeBytes, first?.body.length)
})

test('of the forms that are made, those that were asked for last are kept, up to a bound', async () => {
  const raw = randomBytes(1000)
  const file = { type: 'image/png', etag: '"3"', body: brotliCompressSync(raw), encoding: 'br' } as const
  const bounded = new Assets({ ...packed, files: { a: file, b: file, c: file } }, 2500)
  const find = async (address: string) => (await bounded.find(address))?.body
  const [a, b] = [await find('a'), await find('b')]
  assert.equal(await find('a'), a)
  assert.deepEqual(await find('c'), raw)
  assert.equal(bounded.madeBytes, 2000)
  assert.equal(await find('a'), a, 'b is the one that was not asked for again')
  assert.notEqual(await find('b'), b)
})

test('what the build packs is read again from one piece of memory, without a copy', () => {
  const whole = packFiles([['server.cjs', Buffer.from('code')], ...packAssets(packed)])
  const files = readBundledFiles(whole)
  const read = unpackAssets(files)
  assert.deepEqual(read, packed)
  assert.equal(read.files['main-1.js']?.body.buffer, whole.buffer)
  assert.equal(files.bytes('server.cjs').toString(), 'code')
  assert.throws(() => files.bytes('gone'), /packed no gone/)
})

test('a name has its address, and a name that the build does not know is an error', () => {
  assert.equal(assets.addressOf('main.js'), 'main-1.js')
  assert.throws(() => assets.addressOf('gone.js'), /gone\.js/)
})
