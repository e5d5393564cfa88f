import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assets } from '../../src-server/pages/assets.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const assets = new Assets({
  names: { 'main.js': 'main-1.js' },
  preload: [],
  files: {
    'main-1.js': { type: 'text/javascript', etag: '"1"', raw: base64('raw'), gzip: base64('gzip'), br: base64('br') },
    'dot-2.svg': { type: 'image/svg+xml', etag: '"2"', raw: base64('raw') },
  },
})

const choices: readonly (readonly [header: string | undefined, body: string, etag: string])[] = [
  [undefined, 'raw', '"1"'],
  ['', 'raw', '"1"'],
  ['gzip, deflate, br, zstd', 'br', '"1-br"'],
  ['gzip', 'gzip', '"1-gzip"'],
  ['GZIP;q=0.5, BR;q=0', 'gzip', '"1-gzip"'],
  ['br;q=0, gzip ; q = 0', 'raw', '"1"'],
  ['identity', 'raw', '"1"'],
  ['brotli', 'raw', '"1"'],
]

for (const [header, body, etag] of choices)
  test(`Accept-Encoding "${header}" is answered with ${body}`, () => {
    const asset = assets.find('main-1.js', header)
    assert.equal(asset?.body.toString(), body)
    assert.equal(asset?.etag, etag)
    assert.equal(asset?.encoding, body === 'raw' ? undefined : body)
  })

test('a file that no compression made smaller is sent as it is', () => {
  assert.equal(assets.find('dot-2.svg', 'br, gzip')?.body.toString(), 'raw')
})

test('only files of the build are found', () => {
  for (const address of ['', 'main.js', 'constructor', '__proto__', '../main-1.js']) assert.equal(assets.find(address), undefined)
})

test('a name has its address, and a name that the build does not know is an error', () => {
  assert.equal(assets.addressOf('main.js'), 'main-1.js')
  assert.throws(() => assets.addressOf('gone.js'), /gone\.js/)
})
