// The page of a request link without JavaScript, and its forms.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { flatten } from '../../scripts/check-locales.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { formTexts } from '../../src-server/pages/request-form.ts'
import { openSocket } from '../support/raw-request.ts'
import { editRequest, requestFiles, requestsOf } from '../support/request-calls.ts'
import { senderOn } from '../support/sender.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const boundary = 'boundary-of-the-test'

type FormPart = Readonly<{ field?: string; file?: string; body: string }>

function formOf(...parts: readonly FormPart[]): string {
  const written = parts.map(({ field = 'files', file, body }) => {
    const name = file === undefined ? '' : `; filename="${file}"`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}\r\n\r\n${body}\r\n`
  })
  return `${written.join('')}--${boundary}--\r\n`
}

async function start(t: TestContext, body: object = {}, setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 'in/a.txt': 'of the owner' }, ...setup })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', body)
  const sender = senderOn(app, hash)
  const address = `/api/public/request/${hash}/form`
  // Who has no cookie yet gets it with the page.
  await sender.ask('GET', address)
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  const send = (...parts: readonly FormPart[]) => sender.ask('POST', address, { headers, body: formOf(...parts) })
  return { app, ann, hash, sender, address, headers, send, inFolder: () => harvest(join(app.root, 'in')) }
}

test('a form brings files, and its answer is a receipt', async (t) => {
  const { sender, address, send, inFolder } = await start(t, { asksName: true, title: 'Photos <b>', text: 'For "us"' })
  const page = await sender.ask('GET', address, { headers: { 'Accept-Language': 'de' } })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*frame-ancestors 'none'/)
  const html = await page.text()
  assert.match(html, /<html lang="(?:de|en)"/)
  assert.ok(html.includes('Photos &lt;b&gt;') && html.includes('For &quot;us&quot;') && !html.includes('<b>'))
  assert.match(html, /<input class="input" name="name"/)
  const answer = await send(
    { field: 'name', body: 'Rosa <i>' },
    { file: 'one.txt', body: 'one' },
    { file: 'one.txt', body: 'another one' },
    { file: '', body: '' },
    { file: 'trip/empty.txt', body: '' },
  )
  assert.equal(answer.status, 200)
  const shown = await answer.text()
  assert.match(shown, /3 files arrived/)
  const [, number = ''] = /<dd class="request-number" dir="ltr">([A-Z2-9-]{10})<\/dd>/.exec(shown) ?? []
  assert.match(shown, /You send as \u2068Rosa &lt;i&gt;\u2069/)
  assert.equal(shown.includes('name="name"'), false)
  assert.deepEqual(await inFolder(), {
    'a.txt': 'of the owner',
    'Rosa -i-/one.txt': 'one',
    'Rosa -i-/one(1).txt': 'another one',
    'Rosa -i-/trip/empty.txt': '',
  })
  const text = await sender.ask('GET', address.replace('/form', `/receipt/${number}?format=txt`))
  assert.match(await text.text(), / {2}one\.txt\n/)
})

test('dates are as the region of the reader writes them', async (t) => {
  const { sender, address } = await start(t, { expires: '10', unit: 'days', endings: ['jpg', 'png'] })
  for (const [language, expected] of [
    ['en-GB', /Open until \u2068\d{1,2} \w{3,4} \d{4},/],
    ['en-US,en-GB;q=0.5', /Open until \u2068\w{3} \d{1,2}, \d{4},/],
    ['en-_,en-a-b-c', /Open until \u2068\w{3} \d{1,2}, \d{4},/],
  ] as const) {
    const page = await sender.ask('GET', address, { headers: { 'Accept-Language': language } })
    const html = await page.text()
    assert.match(html, expected, language)
    assert.match(html, /Endings: \u2068\.jpg, \.png\u2069/)
  }
})

test('a link or a form of another site makes nobody new of who sends already', async (t) => {
  const { app, hash, sender, address, headers, send } = await start(t)
  await send({ file: 'one.txt', body: 'one' })
  // The cookie may not come with such a request.
  for (const site of ['cross-site', 'same-site']) {
    const answer = await senderOn(app, hash).ask('GET', address, { headers: { 'Sec-Fetch-Site': site } })
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [200, []])
  }
  // Nor with a form of another site, which over http says nothing of that.
  const form = formOf({ file: 'two.txt', body: 'two' })
  for (const [rest, more, status] of [
    ['leave', {}, 204],
    ['receipt', {}, 409],
    ['unlock', { body: '' }, 303],
    ['form', { headers, body: form }, 200],
  ] as const) {
    const posted = await senderOn(app, hash).ask('POST', `/api/public/request/${hash}/${rest}`, more)
    assert.deepEqual([posted.status, posted.headers.getSetCookie()], [status, []], rest)
  }
  const own = await senderOn(app, hash).ask('POST', address, {
    headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
    body: form,
  })
  assert.equal(own.headers.getSetCookie().length, 1)
  assert.deepEqual(await sender.sent(), ['one.txt'])
})

test('what is refused is said of each file, and leaves nothing', async (t) => {
  const { send, inFolder, sender } = await start(t, { mostFileBytes: 5, endings: ['txt'], hasFolders: false })
  const answer = await send(
    { file: 'long.txt', body: 'too long' },
    { file: '<img>.exe', body: 'x' },
    { file: 'd/x.txt', body: 'x' },
    { file: `${'n'.repeat(260)}.txt`, body: 'x' },
    { file: 'good.txt', body: 'good' },
  )
  const shown = await answer.text()
  assert.equal(answer.status, 200)
  assert.match(shown, /4 files did not arrive/)
  assert.match(shown, /1 file arrived/)
  for (const said of ['larger than what', 'of this kind', 'Folders are not', 'name is too long', '&lt;img&gt;.exe'])
    assert.ok(shown.includes(said), said)
  assert.deepEqual(await inFolder(), { 'a.txt': 'of the owner', 'good.txt': 'good' })
  assert.deepEqual(await sender.sent(), ['good.txt'])
})

test('without a name nothing is taken where one is asked for', async (t) => {
  const { send, inFolder } = await start(t, { asksName: true })
  assert.match(await (await send({ file: 'one.txt', body: 'one' })).text(), /Enter your name first/)
  assert.deepEqual(await inFolder(), { 'a.txt': 'of the owner' })
})

test('a password is asked for by a form of its own', async (t) => {
  const { sender, address, send, hash } = await start(t, { password: 'ein Paßwort &=%' })
  const locked = await sender.ask('GET', address)
  assert.equal(locked.status, 401)
  assert.match(await locked.text(), /type="password"/)
  assert.equal((await send({ file: 'one.txt', body: 'one' })).status, 401)
  const unlock = (password: string) => {
    const body = new URLSearchParams({ password }).toString()
    return sender.ask('POST', `/api/public/request/${hash}/unlock`, { body })
  }
  const wrong = await unlock('wrong one')
  assert.equal(wrong.status, 401)
  assert.match(await wrong.text(), /Wrong password/)
  const right = await unlock('ein Paßwort &=%')
  assert.deepEqual([right.status, right.headers.get('location')], [303, address])
  assert.equal((await sender.ask('GET', address)).status, 200)
  assert.match(await (await send({ file: 'one.txt', body: 'one' })).text(), /1 file arrived/)
})

test('whatever is refused, the answer is a page from which the form can be sent again', async (t) => {
  const { sender, address, headers } = await start(t)
  const body = formOf({ file: 'one.txt', body: 'one' })
  const isForm = /<html[\s\S]*The form could not be read\. Nothing has arrived\.[\s\S]*<input type="file"/
  const isRetry = new RegExp(`<html[\\s\\S]*could not be opened[\\s\\S]*<a class="button[^>]* href="${address}">.*Try again`)
  for (const [what, status, page, asked] of [
    ['no form', 400, isForm, { headers, body: 'no form' }],
    ['another type', 400, isForm, { headers: { 'Content-Type': 'text/plain' }, body }],
    ['without its end', 400, isForm, { headers, body: body.slice(0, 20) }],
    ['without a length', 400, isRetry, { headers, body: new Blob([body]).stream() }],
    ['of another site', 403, isRetry, { headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' }, body }],
  ] as const) {
    const answer = await sender.ask('POST', address, asked)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, 'text/html; charset=utf-8'], what)
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/, what)
    assert.match(await answer.text(), page, what)
  }
})

test('a form of another site, without a length, or that is none, is refused', async (t) => {
  const { sender, address, headers, app, inFolder } = await start(t)
  const body = formOf({ file: 'one.txt', body: 'one' })
  for (const site of ['cross-site', 'same-site']) {
    const other = await sender.ask('POST', address, { headers: { ...headers, 'Sec-Fetch-Site': site }, body })
    assert.equal(other.status, 403, site)
  }
  const stream = new Blob([body]).stream()
  assert.equal((await sender.ask('POST', address, { headers, body: stream })).status, 400)
  assert.equal((await sender.ask('POST', address, { headers, body: 'no form' })).status, 400)
  const many = Array.from({ length: 1001 }, () => ({ field: 'x', body: '' }))
  assert.equal((await sender.ask('POST', address, { headers, body: formOf(...many) })).status, 400)
  assert.equal(
    (await app.principal().ask('POST', address.replace(/request\/[^/]+/, 'request/none'), { headers, body })).status,
    404,
  )
  assert.deepEqual(await inFolder(), { 'a.txt': 'of the owner' })
})

test('fields with names of every object count for nothing, and a file in one is refused when the others have come', async (t) => {
  const { send, inFolder } = await start(t, { hasFolders: false })
  const odd = ['constructor', '__proto__', 'toString'].map((field) => ({ field, body: 'x' }))
  const taken = await send(...odd, { file: 'one.txt', body: 'one' }, ...odd)
  assert.deepEqual([taken.status, await inFolder()], [200, { 'a.txt': 'of the owner', 'one.txt': 'one' }])
  const refused = await send({ field: 'constructor', file: 'lost.txt', body: 'x' }, { file: 'two.txt', body: 'two' })
  assert.equal(refused.status, 400)
  const page = await refused.text()
  assert.match(page, /1 file arrived/)
  assert.match(page, /<bdi>two\.txt<\/bdi>/)
  assert.match(page, /receipt\/[A-Z2-9-]{10}\?format=txt/)
  assert.match(page, /<p class="field-error" role="alert">Part of the form could not be read, and did not arrive\.<\/p>/)
  const alone = await send({ field: 'constructor', file: 'lost.txt', body: 'x' })
  assert.equal(alone.status, 400)
  assert.match(await alone.text(), /The form could not be read\. Nothing has arrived\.[\s\S]*type="file"/)
  assert.deepEqual(Object.keys(await inFolder()).sort(), ['a.txt', 'one.txt', 'two.txt'])
})

test('fields with names of every object count for nothing also where the form ends before its request', async (t) => {
  const { app, sender, address, headers } = await start(t, { hasFolders: false })
  const form = formOf({ field: 'constructor', body: 'x' }, { file: 'one.txt', body: 'one' })
  const Cookie = [...sender.cookies].map((pair) => pair.join('=')).join('; ')
  // Programs may write something behind the end.
  const head = Object.entries({ Host: '127.0.0.1', Cookie, ...headers, 'Content-Length': String(form.length + 10) })
  const { socket, received } = await openSocket(app.port)
  socket.write(`POST ${address} HTTP/1.1\r\n${head.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n${form}`)
  await until(() => existsSync(join(app.root, 'in/one.txt')), 'the file has arrived')
  socket.write('behind it.')
  await until(() => received().includes('</html>'), 'it is answered')
  assert.match(received(), /^HTTP\/1.1 200 /)
  socket.destroy()
})

test('a field whose name is so long that its head is cut is refused, and says why', async (t) => {
  const { send, inFolder } = await start(t)
  const answer = await send({ field: 'n'.repeat(200_000), file: 'one.txt', body: 'one' })
  assert.equal(answer.status, 400)
  assert.match(await answer.text(), /The form could not be read\. Nothing has arrived\./)
  assert.deepEqual(await inFolder(), { 'a.txt': 'of the owner' })
  const behind = await send({ file: 'one.txt', body: 'one' }, { field: 'n'.repeat(200_000), file: 'two.txt', body: 'two' })
  assert.equal(behind.status, 400)
  const page = await behind.text()
  assert.match(page, /1 file arrived[\s\S]*<bdi>one\.txt<\/bdi>/)
  assert.match(page, /Part of the form could not be read/)
})

test('of a form that breaks off what is whole stays, and nothing of the rest', async (t) => {
  const { app, ann, address, headers, inFolder } = await start(t)
  const whole = formOf({ file: 'one.txt', body: 'one' }, { file: 'two.txt', body: 'x'.repeat(100_000) })
  const head = Object.entries({ Host: '127.0.0.1', ...headers, 'Content-Length': String(whole.length) })
  const { socket } = await openSocket(app.port)
  const lines = head.map((pair) => `${pair.join(': ')}\r\n`).join('')
  socket.write(`POST ${address} HTTP/1.1\r\n${lines}\r\n${whole.slice(0, whole.length - 50_000)}`)
  await until(async () => (await requestsOf(ann))[0]?.files === 1, 'the first has arrived')
  // Without their contents: a file may go while they are read.
  const inAll = () => readdirSync(join(app.root, 'in'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  await until(() => inAll().length === 3, 'the second is coming')
  socket.destroy()
  await until(() => inAll().length === 2, 'nothing of the rest is left')
  const [name = ''] = Object.keys(await inFolder()).filter((one) => one !== 'a.txt')
  assert.match(name, /\/one\.txt$/)
})

test('a closed link says so, also to who sends a form meanwhile', async (t) => {
  const { ann, hash, sender, address, send } = await start(t)
  await send({ file: 'one.txt', body: 'one' })
  await editRequest(ann, hash, { closed: true })
  const refused = await send({ file: 'two.txt', body: 'two' })
  assert.equal(refused.status, 410)
  assert.ok((await refused.text()).includes(`url=${address}`))
  const page = await (await sender.ask('GET', address)).text()
  assert.match(page, /Nothing more is taken in here/)
  assert.match(page, /receipt\/[A-Z2-9-]{10}\?format=txt/)
})

/** Sends the first file of a form, and the half of the second. */
async function sendHalf({ app, ann, sender, address, headers }: Awaited<ReturnType<typeof start>>) {
  const whole = formOf({ file: 'one.txt', body: 'one' }, { file: 'two.txt', body: 'x'.repeat(100_000) })
  const Cookie = [...sender.cookies].map((pair) => pair.join('=')).join('; ')
  const head = Object.entries({ Host: '127.0.0.1', Cookie, ...headers, 'Content-Length': String(whole.length) })
  const opened = await openSocket(app.port)
  const lines = head.map((pair) => `${pair.join(': ')}\r\n`).join('')
  opened.socket.write(`POST ${address} HTTP/1.1\r\n${lines}\r\n${whole.slice(0, whole.length - 50_000)}`)
  await until(async () => (await requestsOf(ann))[0]?.files === 1, 'the first has arrived')
  return opened
}

test('of a form that gives way to others the answer shows what has arrived, and when to try again', async (t) => {
  const limits = new Limits({ requestBodies: { inAll: 1, ofOne: 1, longestWait: 100 } })
  const begun = await start(t, {}, { services: { limits } })
  const { socket, received } = await sendHalf(begun)
  const body = formOf({ file: 'three.txt', body: 'three' })
  const sendOther = () => senderOn(begun.app, begun.hash).ask('POST', begun.address, { headers: begun.headers, body })
  const early = await sendOther()
  assert.equal(early.status, 503)
  assert.match(await early.text(), /<h1>The server is busy\.<\/h1><p>Try again in a moment\.<\/p>[\s\S]*\/form">.*Try again</)
  const isTaken = async () => {
    begun.app.clock.advance({ seconds: 10 })
    return (await sendOther()).status === 200
  }
  await until(isTaken, 'another form finds a place')
  await until(() => received().includes('</html>'), 'it is answered')
  assert.match(received(), /^HTTP\/1\.1 503 .*\r\nretry-after: 10\r\n/is)
  assert.match(received(), /1 file arrived[\s\S]*<bdi>one\.txt<\/bdi>[\s\S]*receipt\/[A-Z2-9-]{10}\?format=txt/)
  assert.match(received(), /two\.txt[\s\S]*The server is busy\. Try again in a moment\.[\s\S]*type="file"/)
  assert.match(received(), /Part of the form did not arrive/)
  assert.doesNotMatch(received(), /could not be read|not taken in here/)
  socket.destroy()
})

test('the answer to a form amid which its link is closed shows what has arrived', async (t) => {
  const begun = await start(t)
  const { ann, hash, sender, address } = begun
  const { socket, received } = await sendHalf(begun)
  await editRequest(ann, hash, { closed: true })
  await until(() => received().includes('</html>'), 'it is answered')
  assert.match(received(), /^HTTP\/1\.1 410 /)
  assert.match(received(), /1 file arrived[\s\S]*<bdi>one\.txt<\/bdi>[\s\S]*receipt\/[A-Z2-9-]{10}\?format=txt/)
  assert.match(received(), /<h1>Nothing more is taken in here<\/h1>[\s\S]*Part of the form did not arrive[\s\S]*1 file arrived/)
  assert.doesNotMatch(received(), /Earlier receipts/)
  assert.doesNotMatch(received(), /type="file"|http-equiv="refresh"|could not be read|is busy/)
  socket.destroy()
  const later = await (await sender.ask('GET', address)).text()
  assert.match(later, /receipt\/[A-Z2-9-]{10}/)
})

test('a form that is larger than what is left brings the files that fit, and says of the others that they do not', async (t) => {
  const { send, inFolder } = await start(t, { mostBytes: 20_000, hasFolders: false })
  const shown = await send({ file: 'one', body: 'a' }, { file: 'two', body: 'b'.repeat(15_900) }, { file: 'three', body: 'c' })
  assert.match(await shown.text(), /1 file did not arrive/)
  assert.deepEqual(Object.keys(await inFolder()).sort(), ['a.txt', 'one', 'two'])
  const more = await start(t, { mostBytes: 20_000, hasFolders: false })
  const large = await more.send(
    { file: 'one', body: 'a'.repeat(15_000) },
    { file: 'two', body: 'b'.repeat(6000) },
    { file: 'three', body: 'c' },
  )
  assert.match(await large.text(), /No more can be taken in/)
  assert.deepEqual(Object.keys(await more.inFolder()).sort(), ['a.txt', 'one', 'three'])
})

test('a link that is full refuses a file of a form and keeps the others', async (t) => {
  const { send, inFolder, ann } = await start(t, { mostBytes: 9000 })
  const shown = await (await send({ file: 'one', body: 'a' }, { file: 'two', body: 'b' }, { file: 'three', body: 'c' })).text()
  assert.match(shown, /No more can be taken in/)
  assert.equal((await requestsOf(ann))[0]?.files, 2)
  assert.equal(Object.keys(await inFolder()).length, 3)
})

test('the English of the form is that of its translations', async () => {
  const words = flatten(JSON.parse(await readFile(resolve(import.meta.dirname, '../../locales/en.json'), 'utf8')))
  for (const [key, text] of Object.entries(formTexts)) assert.equal(words[key], text, key)
})
