// Texts in other encodings than UTF-8: read, and stored again byte for byte.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import iconv from 'iconv-lite'
import type { Resource } from '../../src-server/contract/files.ts'
import { only, startApp } from '../support/start-app.ts'

const japanese = '買い物リスト：牛乳、卵、パン。\n日本語のテキストです。\n'.repeat(3)
const german = 'Grüße aus Köln\r\n„schön“ und 12 €\r\n'.repeat(3)
const russian = 'Привет, мир! Это обычный текст на русском языке.\n'.repeat(3)

/** Name → text, the encoding that is expected, and the bytes if they are not simply the text in it. */
const texts: Record<string, { text: string; encoding: string; bytes?: Uint8Array }> = {
  'plain.txt': { text: 'hello\n', encoding: 'utf-8' },
  'empty.txt': { text: '', encoding: 'utf-8' },
  'marked.txt': { text: '\ufeffmarked é\r\n', encoding: 'utf-8' },
  'le.txt': { text: '\ufeffnaïve 😀\r\n', encoding: 'utf-16le' },
  'be.txt': { text: '\ufeffnaïve 😀\n', encoding: 'utf-16be' },
  'unmarked.txt': { text: 'wide without a mark\r\n', encoding: 'utf-16le' },
  'western.txt': { text: german, encoding: 'windows-1252' },
  'short.txt': { text: 'café', encoding: 'windows-1252' },
  'japanese.txt': { text: japanese, encoding: 'shift_jis' },
  'euc.txt': { text: japanese, encoding: 'euc-jp' },
  'russian.txt': { text: russian, encoding: 'windows-1251' },
  'koi.txt': { text: russian, encoding: 'koi8-r' },
  'chinese.txt': { text: '你好，世界。这是一个文本文件。\n'.repeat(3), encoding: 'gb18030' },
  'taiwan.txt': { text: '這是一個測試檔案，內容是繁體中文。\n'.repeat(3), encoding: 'big5' },
  'korean.txt': { text: '이것은 시험용 파일입니다. 모든 사람은 교육을 받을 권리가 있다.\n', encoding: 'euc-kr' },
  'polish.txt': { text: 'Zażółć gęślą jaźń. Wszyscy ludzie rodzą się wolni i równi.\n'.repeat(3), encoding: 'windows-1250' },
  'lithuanian.txt': { text: 'Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis.\n'.repeat(3), encoding: 'windows-1257' },
  // Bytes that Windows-1252 does not define.
  'undefined.txt': { text: 'a\u0081b', encoding: 'iso-8859-1', bytes: Uint8Array.of(0x61, 0x81, 0x62) },
  // The first character beyond ASCII comes after the sample, and after the first piece that is decoded.
  'late.txt': { text: `${'a'.repeat(200_000)} café déjà vu\n`, encoding: 'windows-1252' },
  'endings.txt': { text: 'one\r\ntwo\nthree\rfour', encoding: 'utf-8' },
}
const bytesOf = ({ text, encoding, bytes }: (typeof texts)[string]) => bytes ?? iconv.encode(text, encoding)

const app = await startApp(
  { after },
  {
    files: {
      ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, bytesOf(text)])),
      'binary.bin': Uint8Array.of(1, 0, 2, 0, 0, 255, 254, 7),
      // Shift_JIS with one byte that is not valid in it.
      'torn.txt': Buffer.concat([iconv.encode(japanese, 'shift_jis'), Buffer.of(0x83, 0x0a)]),
      'large.txt': Buffer.alloc((10 << 20) + 1, 'a'),
      'photo.png': 'text with the name of a picture',
      'folder/': '',
    },
    users: { ann: {}, looker: { perm: only('modify') }, reader: { perm: only('download') } },
  },
)
const ann = await app.as('ann')
const onDisk = (name: string) => readFileSync(join(app.root, name))
const read = async (name: string, encoding = 'auto', as = ann) =>
  (await (await as.get(`/${name}`, `encoding=${encoding}`)).json()) as Resource
const save = (name: string, text: string, query: string, headers: Record<string, string> = {}) =>
  ann.ask('PUT', `/api/resources/${name}?${query}`, { body: text, headers })

for (const [name, expected] of Object.entries(texts))
  test(`${name} is read as ${expected.encoding}, and saved without a change it has the same bytes`, async () => {
    const { type, content = '', encoding, isLossy } = await read(name)
    assert.deepEqual(
      { type, content, encoding, isLossy },
      { type: 'text', content: expected.text, encoding: expected.encoding, isLossy: undefined },
    )
    assert.equal((await save(name, content, `encoding=${encoding}`)).status, 200)
    assert.ok(onDisk(name).equals(bytesOf(expected)))
  })

test('only the changed line of a saved text has other bytes', async () => {
  const { content = '', encoding } = await read('japanese.txt')
  await save('japanese.txt', content.replace('卵', '豆腐'), `encoding=${encoding}`)
  assert.ok(onDisk('japanese.txt').equals(iconv.encode(japanese.replace('卵', '豆腐'), 'shift_jis')))
})

test('a text is read in the encoding that is asked for', async () => {
  assert.equal((await read('koi.txt', 'windows-1251')).encoding, 'windows-1251')
  assert.equal((await ann.get('/koi.txt', 'encoding=latin1')).status, 400)
})

test('a text whose bytes would change is read-only', async () => {
  const { type, encoding, isLossy, content } = await read('torn.txt')
  assert.deepEqual([type, encoding, isLossy], ['textImmutable', 'shift_jis', true])
  assert.ok(content?.startsWith(japanese))
  const asUtf8 = await read('western.txt', 'utf-8')
  assert.deepEqual([asUtf8.type, asUtf8.isLossy], ['textImmutable', true])
})

test('a file with control characters, and one of more than 10 MiB, has no text', async () => {
  for (const name of ['binary.bin', 'large.txt']) {
    const { type, content } = await read(name)
    assert.deepEqual([type, content], ['blob', undefined], name)
  }
})

test('a text with the name of a picture is read as text when it is asked for as one', async () => {
  assert.equal((await read('photo.png')).content, 'text with the name of a picture')
  assert.equal((await ann.read('/photo.png')).type, 'image')
})

test('clients that name no encoding see texts in other encodings as blob, and clients that ask for no text as text', async () => {
  for (const name of ['japanese.txt', 'western.txt', 'le.txt']) {
    assert.equal((await ann.read(`/${name}`)).type, 'blob', name)
    const shown = (await (await ann.get(`/${name}`, 'content=false')).json()) as Resource
    assert.deepEqual([shown.type, shown.content], ['text', undefined], name)
  }
  const binary = (await (await ann.get('/binary.bin', 'content=false')).json()) as Resource
  assert.equal(binary.type, 'blob')
})

test('a character that the encoding lacks is refused with its name, and the file stays as it was', async () => {
  const before = onDisk('western.txt')
  const refused = await save('western.txt', 'prices ↑', 'encoding=windows-1252')
  assert.deepEqual(
    [refused.status, await refused.text()],
    [400, '400 Bad Request (windows-1252 has no character for ↑ U+2191)\n'],
  )
  assert.ok(onDisk('western.txt').equals(before))
  assert.equal((await save('western.txt', german, 'encoding=windows-1252')).status, 200)
})

test('a body that is not UTF-8 is refused when it has to be encoded', async () => {
  const refused = await ann.ask('PUT', '/api/resources/western.txt?encoding=windows-1252', { body: Buffer.of(0x61, 0xff) })
  assert.equal(refused.status, 400)
  const unknown = await save('western.txt', 'x', 'encoding=ebcdic')
  assert.equal(unknown.status, 400)
  assert.ok(onDisk('western.txt').equals(iconv.encode(german, 'windows-1252')))
})

test('a character whose bytes arrive in two chunks is encoded', async () => {
  const bytes = new TextEncoder().encode('日本')
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const byte of bytes) {
        controller.enqueue(Uint8Array.of(byte))
        await new Promise(setImmediate)
      }
      controller.close()
    },
  })
  const saved = await ann.ask('PUT', '/api/resources/euc.txt?encoding=euc-jp', { body })
  assert.equal(saved.status, 200)
  assert.ok(onDisk('euc.txt').equals(iconv.encode('日本', 'euc-jp')))
})

test('a new file is stored in the encoding that its request names', async () => {
  const made = await ann.upload('/copy.txt', '日本', 'override=false&encoding=shift_jis')
  assert.equal(made.status, 200)
  assert.ok(onDisk('copy.txt').equals(iconv.encode('日本', 'shift_jis')))
  assert.equal((await ann.upload('/copy.txt', 'x', 'override=false&encoding=shift_jis')).status, 409)
})

test('a save in another encoding keeps a file that changed meanwhile', async () => {
  const answer = await ann.get('/koi.txt', 'encoding=auto')
  const tag = answer.headers.get('etag') ?? ''
  assert.equal((await save('koi.txt', russian, 'encoding=koi8-r', { 'If-Match': tag })).status, 200)
  assert.equal((await save('koi.txt', 'other', 'encoding=koi8-r', { 'If-Match': tag })).status, 412)
  assert.ok(onDisk('koi.txt').equals(iconv.encode(russian, 'koi8-r')))
})

test('without the permission to download no text is read, and without that to modify it is read-only', async () => {
  const seen = await read('plain.txt', 'auto', await app.as('looker'))
  assert.deepEqual([seen.type, seen.content, seen.encoding], ['text', undefined, undefined])
  const immutable = await read('japanese.txt', 'auto', await app.as('reader'))
  assert.deepEqual([immutable.type, immutable.isLossy], ['textImmutable', undefined])
})

test('X-Encoding: true answers with the bytes of a text, and with the usual answer for everything else', async () => {
  const ask = (path: string, as = ann) => as.ask('GET', `/api/resources${path}`, { headers: { 'X-Encoding': 'true' } })
  const answer = await ask('/chinese.txt')
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(onDisk('chinese.txt')))
  for (const path of ['/binary.bin', '/folder']) assert.match((await ask(path)).headers.get('content-type') ?? '', /json/)
  assert.equal((await ask('/plain.txt', await app.as('looker'))).status, 403)
})
