// Uploads by forms, with files and fields as browsers and curl send them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { deny, only, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, setup: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, { files: { 'd/old.txt': 'old' }, ...setup })
  const ann = await app.as('ann')
  /** @param files by their names, in this order */
  const send = async (address: string, files: readonly (readonly [string, string])[]) => {
    const body = new FormData()
    body.append('csrf', 'a field that counts for nothing')
    for (const [name, text] of files) body.append('file', new Blob([text]), name)
    return ann.ask('POST', `/api/resources${address}`, { body: body as never })
  }
  const content = (path: string) => readFile(join(app.root, path), 'utf8')
  return { app, ann, send, content }
}

const formType = { 'Content-Type': 'multipart/form-data; boundary=x' }
const partOf = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`

test('the files of a form are written into the folder, each with its event', async (t) => {
  const { app, send, content } = await start(t)
  const answer = await send('/d/new/', [
    ['a.txt', 'first'],
    ['ä 😀.txt', 'second'],
    ['empty', ''],
  ])
  assert.deepEqual([answer.status, await answer.text()], [200, '200 OK\n'])
  assert.deepEqual([await content('d/new/a.txt'), await content('d/new/ä 😀.txt')], ['first', 'second'])
  assert.deepEqual((await readdir(join(app.root, 'd/new'))).sort(), ['a.txt', 'empty', 'ä 😀.txt'])
  assert.deepEqual(app.events, ['upload /d/new/a.txt', 'upload /d/new/ä 😀.txt', 'upload /d/new/empty'])
})

test('without a slash the address names the only file', async (t) => {
  const { send, content } = await start(t)
  assert.equal((await send('/d/named.txt', [['other.txt', 'text']])).status, 200)
  assert.equal(await content('d/named.txt'), 'text')
  const two = [
    ['a', '1'],
    ['b', '2'],
  ] as const
  assert.equal((await send('/d/named2.txt', two)).status, 400)
})

test('curl -F sends several files', async (t) => {
  const { app, ann, content } = await start(t)
  const curl = promisify(execFile)
  const files = ['package.json', 'tsconfig.json'].flatMap((name) => ['-F', `file=@${name}`])
  await curl('curl', ['-sSf', '-H', `X-Auth: ${ann.token}`, ...files, `${app.url}/api/resources/d/`])
  for (const name of ['package.json', 'tsconfig.json']) assert.equal(await content(`d/${name}`), await readFile(name, 'utf8'))
})

test('fields of a form count for nothing, whatever they are and however many', async (t) => {
  const { ann, content } = await start(t)
  const fields = Array.from({ length: 500 }, (_, index) => partOf(`name="f${index}"`, 'value'))
  const json = partOf('name="json"\r\nContent-Type: application/json', '{no json')
  const body = `${fields.join('')}${partOf('name="long"', 'x'.repeat(200_000))}${json}${partOf('name="f"; filename="a.txt"', 'text')}--x--\r\n`
  const answer = await ann.ask('POST', '/api/resources/d/', { body, headers: formType })
  assert.deepEqual([answer.status, await content('d/a.txt')], [200, 'text'])
})

describe('a form is refused', () => {
  test('in a sentence that says the limit and what is written, when it has too many files', async (t) => {
    const { app, ann, send } = await start(t)
    const files = Array.from({ length: 1001 }, (_, index) => partOf(`name="f"; filename="${index === 0 ? 'a' : ''}"`, ''))
    const many = await ann.ask('POST', '/api/resources/d/', { body: `${files.join('')}--x--\r\n`, headers: formType })
    const said = '400 Bad Request (a form can have at most 1000 files and fields; its first file is written)\n'
    assert.deepEqual([many.status, await many.text()], [400, said])
    assert.deepEqual((await readdir(join(app.root, 'd'))).sort(), ['a', 'old.txt'])
    const two = [
      ['a', '1'],
      ['b', '2'],
    ] as const
    assert.match(await (await send('/d/one', two)).text(), /needs the address of a folder.*; its first file is written\)/)
  })

  for (const name of ['../x', 'a/b', '/x', '..', '.', 'a/', '\u0000', 'x'.repeat(256)])
    test(`for the name ${JSON.stringify(name).slice(0, 20)}`, async (t) => {
      const { app, send } = await start(t)
      assert.equal((await send('/d/', [[name, 'text']])).status, 400)
      assert.deepEqual(await readdir(join(app.root, 'd')), ['old.txt'])
      assert.deepEqual(await readdir(app.root), ['d'])
    })

  test('as an upload is: by rights, by rules, and for a taken name without override', async (t) => {
    const { send, content } = await start(t, { rules: [deny('/d/secret')] })
    assert.equal((await send('/d/', [['old.txt', 'new']])).status, 409)
    assert.equal(await content('d/old.txt'), 'old')
    assert.equal((await send('/d/?override=true', [['old.txt', 'new']])).status, 200)
    assert.equal(await content('d/old.txt'), 'new')
    assert.equal((await send('/d/', [['secret', 'x']])).status, 403)
    const { send: refused } = await start(t, { users: { ann: { perm: only('download') } } })
    assert.equal((await refused('/d/', [['a.txt', 'x']])).status, 403)
  })

  test('and the refusal of a further file says what is written', async (t) => {
    const { send, content } = await start(t, { rules: [deny('/d/secret')] })
    const twice = await send('/d/', [
      ['a.txt', '1'],
      ['b.txt', '2'],
      ['a.txt', '3'],
    ])
    assert.equal(twice.status, 409)
    assert.match(await twice.text(), /; its first 2 files are written\)/)
    assert.equal(await content('d/a.txt'), '1')
    const denied = await send('/d/', [
      ['c.txt', '1'],
      ['secret', '2'],
    ])
    assert.equal(denied.status, 403)
    assert.match(await denied.text(), /its first file is written\)/)
  })

  test('without a file, or when it is no form', async (t) => {
    const { ann, send } = await start(t)
    assert.equal((await send('/d/', [])).status, 400)
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    assert.equal((await ann.ask('POST', '/api/resources/d/', { body: 'no form', headers })).status, 400)
  })

  test('and nothing stays of a file that did not come to its end', async (t) => {
    const { app, ann } = await start(t)
    const head = '--x\r\nContent-Disposition: form-data; name="f"; filename="part.bin"\r\n\r\n'
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const cut = await ann.ask('POST', '/api/resources/d/', { body: `${head}half of it`, headers })
    assert.equal(cut.status, 400)
    const socket = connect(app.port, '127.0.0.1')
    socket.write(
      `POST /api/resources/d/ HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\nContent-Length: 10000000\r\nContent-Type: ${headers['Content-Type']}\r\n\r\n${head}${'half'.repeat(500_000)}`,
    )
    await until(async () => (await readdir(join(app.root, 'd'))).length === 2, 'it is being written')
    socket.destroy()
    await until(async () => (await readdir(join(app.root, 'd'))).length === 1, 'nothing is left')
    assert.deepEqual(await readdir(join(app.root, 'd')), ['old.txt'])
  })
})

test('a body of another type, or of none, is one file as it came', async (t) => {
  const { ann, content } = await start(t)
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/related; boundary=x'])
    assert.equal(
      (await ann.ask('POST', '/api/resources/d/raw?override=true', { body: type, headers: { 'Content-Type': type } })).status,
      200,
    )
  assert.equal(await content('d/raw'), 'multipart/related; boundary=x')
})
