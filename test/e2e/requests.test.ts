// Links that take files in: those who send files, and who has asked for them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from '@playwright/test'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { violations } from '../support/axe.ts'
import { startProxy } from '../support/cutting-proxy.ts'
import { dragFromDesktop } from '../support/desktop.ts'
import { entry } from '../support/listing.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { noticeShown } from '../support/notices.ts'
import { editRequest, requestFiles } from '../support/request-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const mebibyte = 1 << 20
const site = startSite({
  files: {
    'Autumn show/': '',
    'Letters/': '',
    'Large/': '',
    'Plain/': '',
    'Closed/': '',
    'Dropped/': '',
    'Narrow/': '',
    'Waiting/': '',
    'Making way/': '',
  },
  prepare: ({ folder }) => mkdir(join(folder, 'sent/trip/inner'), { recursive: true }),
})

async function owner() {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  return asPrincipal(site.url, await answer.text())
}

const link = async (path: string, body: object = {}): Promise<RequestLink> =>
  requestFiles(await owner(), path, { asksName: true, ...body })

function fileOf(name: string, content: string | Buffer): string {
  const path = join(site.folder, 'sent', name)
  writeFileSync(path, content)
  return path
}

const inFolder = (path: string) => readdirSync(join(site.root, path), { recursive: true, encoding: 'utf8' }).sort()

async function choose(page: Page, name: string, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name, exact: true }).click()
  await (await chooser).setFiles(files)
}

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()

test('two senders and an owner in three browsers', async () => {
  const ann = await site.openListing()
  await entry(ann.page, 'Autumn show').click({ button: 'right' })
  await ann.page.getByRole('menuitem', { name: 'Request files' }).click()
  const form = ann.page.getByRole('dialog', { name: 'Receive files in a folder' })
  await form.getByLabel('Title of the page').fill('Photographs for the show')
  await form.getByLabel('What people read there').fill('For the committee.\nThank you!')
  await form.getByRole('combobox', { name: 'Kinds of file' }).selectOption({ label: 'Pictures and film' })
  assert.deepEqual(await violations(ann.page), [])
  await form.getByRole('button', { name: 'Create link' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Receive files', exact: true })
  await dialog.getByText('Nothing has arrived yet').waitFor()
  const hash = (await dialog.locator('.link-hash').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()

  const rosa = await site.newPerson()
  await rosa.page.goto(`${site.url}/request/${hash}`)
  await rosa.page.getByRole('heading', { name: 'Photographs for the show' }).waitFor()
  await rosa.page.getByText('Pictures and film, 200 MB each at most').waitFor()
  assert.deepEqual(await violations(rosa.page), [])
  await choose(rosa.page, 'Choose files', [fileOf('pear.jpg', 'a pear'), fileOf('tool.exe', 'x')])
  await rosa.page.getByText('Files of this kind are not taken in here.').waitFor()
  await send(rosa.page)
  await rosa.page.getByText('Enter your name first.').waitFor()
  await rosa.page.getByLabel('Your name').fill('Rosa, plot 31')
  await send(rosa.page)
  await rosa.page.getByRole('heading', { name: '1 file arrived' }).waitFor()
  await rosa.page.getByText('1 file did not arrive').waitFor()
  await rosa.page.getByText(/sha256 [0-9a-f]{64}/).waitFor()
  assert.deepEqual(await violations(rosa.page), [])
  await noticeShown(ann.page, '\u2068Rosa, plot 31\u2069 sent 1 file.', { timeout: 20_000 })

  const noor = await site.newPerson()
  await noor.page.goto(`${site.url}/request/${hash}`)
  await noor.page.getByLabel('Your name').fill('نور')
  await choose(noor.page, 'Choose a folder', await folderOf({ 'pear.jpg': 'another pear', 'inner/frost.png': 'frost' }))
  await send(noor.page)
  await noor.page.getByRole('heading', { name: '2 files arrived' }).waitFor()
  assert.doesNotMatch(await noor.page.content(), /Rosa/)

  // Who comes back is known, and the next on this computer is somebody else.
  await rosa.page.getByRole('button', { name: 'Send more' }).click()
  await rosa.page.getByText('You send as \u2068Rosa, plot 31\u2069.').waitFor()
  await rosa.page.getByText('1 file sent so far').waitFor()
  assert.doesNotMatch(await rosa.page.content(), /نور/)
  await rosa.page.getByRole('button', { name: 'Not you?' }).click()
  await rosa.page.getByLabel('Your name').waitFor()

  assert.deepEqual(inFolder('Autumn show'), [
    ...['Rosa, plot 31', 'Rosa, plot 31/pear.jpg'],
    ...['نور', 'نور/trip', 'نور/trip/inner', 'نور/trip/inner/frost.png', 'نور/trip/pear.jpg'],
  ])
  await ann.page.goto(`${site.url}/settings/shares`)
  await ann.page.getByRole('heading', { name: 'Links that take files in' }).waitFor()
  await ann.page.getByText('3 new files').first().waitFor()
  assert.deepEqual(await violations(ann.page), [])
  await ann.page.getByRole('button', { name: /^Open .*Photographs for the show/ }).click()
  await dialog.getByText('3 files from 2 people').waitFor()
  const senders = dialog.getByRole('list', { name: 'Who has sent something' })
  await senders.getByText('2 files, ').waitFor()
  assert.deepEqual(await violations(ann.page), [])
  await senders.getByRole('link', { name: /Rosa/ }).click()
  await ann.page.waitForURL(/Autumn%20show\/Rosa/)
  for (const person of [ann, rosa, noor]) await person.close()
})

/** The folder that a person chooses. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(site.folder, 'sent/trip')
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

test('a dropped folder comes with its folders and its empty files, and a file that is gone is said not to be readable', async () => {
  const { hash } = await link('/Dropped', { title: 'Drop it' })
  const { page, close } = await site.newPerson({ hasResets: true })
  // The browser tells of the request whose file is gone.
  page.removeAllListeners('console')
  await page.goto(`${site.url}/request/${hash}`)
  await page.getByLabel('Your name').fill('Rosa')
  const names = nastyNames.filter((name) => !name.includes('/'))
  const source = join(site.folder, 'sent/dropped')
  await mkdir(join(source, 'inner/empty folder'), { recursive: true })
  for (const name of names) writeFileSync(join(source, 'inner', name), name)
  writeFileSync(join(source, 'nothing.txt'), '')
  const { drop } = await dragFromDesktop(page, { x: 20, y: 20 }, [source])
  await page.locator('[data-dropping]').waitFor()
  await drop()
  await page.getByText('nothing.txt').waitFor()
  const gone = fileOf('gone.txt', 'gone')
  await choose(page, 'Add more', gone)
  await page.getByText('gone.txt').waitFor()
  await rm(gone)
  await send(page)
  await page.getByRole('heading', { name: `${names.length + 1} files arrived` }).waitFor()
  await page.getByText('1 file did not arrive').waitFor()
  await page.getByText('The file could not be read').waitFor()
  const sent = names.map((name) => `Rosa/dropped/inner/${name}`)
  const folders = ['Rosa', 'Rosa/dropped', 'Rosa/dropped/inner']
  assert.deepEqual(inFolder('Dropped'), [...folders, ...sent, 'Rosa/dropped/nothing.txt'].sort())
  for (const name of names) assert.equal(readFileSync(join(site.root, 'Dropped/Rosa/dropped/inner', name), 'utf8'), name)
  await close()
})

/** Somebody behind a proxy whose pieces have 4 MiB. */
async function startLarge(t: TestContext, path: string) {
  const proxy = await startProxy(t, { port: Number(new URL(site.url).port) })
  const { hash } = await link(path, { title: 'Large files' })
  const person = await site.newPerson({ hasResets: true })
  // The browser tells of each request that fails.
  person.page.removeAllListeners('console')
  await person.page.goto(`${proxy.url}/request/${hash}`)
  await person.page.evaluate((size) => localStorage.setItem('holdall:upload.piece', String(size)), 4 * mebibyte)
  await person.page.reload()
  await person.page.getByRole('heading', { name: 'Large files' }).waitFor()
  return { ...person, proxy, hash, pieces: () => proxy.calls.filter((call) => call.startsWith('PATCH 2')).length }
}

test('a large file goes on after a reload, and nothing of it is sent twice', async (t) => {
  const { page, proxy, pieces, close } = await startLarge(t, '/Large')
  const content = randomBytes(17 * mebibyte)
  const file = fileOf('large.bin', content)
  proxy.how.answer = ({ method }) => (method === 'PATCH' && pieces() > 1 ? 502 : undefined)
  await choose(page, 'Choose files', file)
  await page.getByLabel('Your name').fill('Rosa')
  await send(page)
  await page.getByText('Offline: it goes on by itself.').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('1 file did not finish.').waitFor()
  proxy.how.answer = () => undefined
  await choose(page, 'Choose files', file)
  await send(page)
  await page.getByRole('heading', { name: '1 file arrived' }).waitFor()
  assert.ok(content.equals(readFileSync(join(site.root, 'Large/Rosa/large.bin'))))
  assert.equal(proxy.calls.filter((call) => call === 'POST 201').length, 1)
  await close()
})

test('a link that is closed amid uploads says what has not arrived, and leaves nothing of it', async (t) => {
  const { page, proxy, hash, pieces, close } = await startLarge(t, '/Closed')
  const half = fileOf('half.bin', randomBytes(17 * mebibyte))
  const sendAndClose = async (...files: string[]) => {
    const before = pieces()
    proxy.how.answer = ({ method }) => (method === 'PATCH' && pieces() > before ? 502 : undefined)
    await choose(page, 'Choose files', files)
    await send(page)
    await page.getByText('Offline: it goes on by itself.').waitFor()
    await editRequest(await owner(), hash, { closed: true })
    await until(() => inFolder('Closed').length === 2, 'nothing is left of the half')
    proxy.how.answer = () => undefined
  }
  await page.getByLabel('Your name').fill('Rosa')
  await sendAndClose(fileOf('small.txt', 'small'), half)
  await page.getByRole('heading', { name: '1 file arrived' }).waitFor()
  await page.getByText('1 file did not arrive').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'half.bin' }).getByText('Nothing more is taken in here.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Nothing more is taken in here' }).waitFor()
  await page.getByRole('link', { name: /^[A-Z2-9]{2}-/ }).waitFor()

  await editRequest(await owner(), hash, { closed: false })
  await page.reload()
  await sendAndClose(half)
  await page.getByRole('heading', { name: 'Nothing more is taken in here' }).waitFor()
  await page.getByText('1 file did not arrive').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'half.bin' }).waitFor()
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(inFolder('Closed'), ['Rosa', 'Rosa/small.txt'])
  await close()
})

test('what the server cannot take for a moment says so, waits as long as it says, and holds up no other file', async () => {
  const { hash } = await link('/Waiting', { title: 'Busy' })
  const { page, close } = await site.newPerson()
  // The browser tells of each request that fails.
  page.removeAllListeners('console')
  await page.goto(`${site.url}/request/${hash}`)
  const refused = new Map([
    ['one.txt', 503],
    ['two.txt', 429],
  ])
  const asked: string[] = []
  await page.route('**/api/public/tus/**', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    asked.push(name)
    const status = refused.get(name)
    return status === undefined ? route.continue() : route.fulfill({ status, headers: { 'Retry-After': '1' } })
  })
  await page.getByLabel('Your name').fill('Rosa')
  await choose(page, 'Choose files', [fileOf('one.txt', 'one'), fileOf('other.txt', 'other')])
  await send(page)
  await page.getByText('The server is busy: it goes on by itself.').waitFor()
  await until(() => inFolder('Waiting').includes('Rosa/other.txt'), 'the other has arrived')
  await choose(page, 'Add more', fileOf('two.txt', 'two'))
  await page.getByText('Too much has come just now: it goes on by itself.').waitFor()
  assert.deepEqual(await violations(page), [])
  refused.clear()
  await page.getByRole('heading', { name: '3 files arrived' }).waitFor()
  assert.ok(asked.filter((name) => name === 'one.txt').length > 1)
  await close()
})

test('a file that has made way for others waits for a place, and goes on by itself', async () => {
  const { hash } = await link('/Making way', { title: 'Full' })
  const { page, close } = await site.newPerson()
  page.removeAllListeners('console')
  await page.goto(`${site.url}/request/${hash}`)
  const asked: string[] = []
  await page.route('**/api/public/tus/**', (route) => {
    const method = route.request().method()
    asked.push(method)
    const count = asked.filter((one) => one === method).length
    const refuse = (status: number, code: string) => {
      const body = JSON.stringify({ type: 'about:blank', title: 'Refused', status, refusal: { code, params: {} } })
      return route.fulfill({ status, headers: { 'Retry-After': '1' }, contentType: 'application/problem+json', body })
    }
    if (method === 'PATCH' && count === 1) return refuse(410, 'uploadMadeWay')
    return method === 'POST' && [2, 3].includes(count) ? refuse(507, 'noMoreTaken') : route.continue()
  })
  await page.getByLabel('Your name').fill('Rosa')
  const content = randomBytes(17 * mebibyte)
  await choose(page, 'Choose files', fileOf('large.bin', content))
  await send(page)
  await page.getByText('The server is busy: it goes on by itself.').waitFor()
  await page.getByRole('heading', { name: '1 file arrived' }).waitFor()
  assert.equal(asked.filter((method) => method === 'POST').length, 4)
  assert.ok(readFileSync(join(site.root, 'Making way/Rosa/large.bin')).equals(content))
  await close()
})

test('files are sent without JavaScript', async () => {
  const { hash } = await link('/Plain', { title: 'Plain page', password: 'long enough' })
  const context = await site.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.url}/request/${hash}`)
  await page.waitForURL(`${site.url}/api/public/request/${hash}/form`)
  // Not by click(), which waits for scripts to tell that nothing moves.
  const press = async (key: string) => page.keyboard.press(key)
  await page.locator('input[type=password]').fill('long enough')
  await press('Enter')
  await page.getByRole('heading', { name: 'Plain page' }).waitFor()
  await page.locator('input[name=name]').fill('Rosa')
  await page.locator('input[type=file]').setInputFiles([fileOf('one.txt', 'one'), fileOf('two.txt', 'two')])
  await page.locator('input[name=name]').focus()
  await press('Enter')
  await page.getByRole('heading', { name: '2 files arrived' }).waitFor()
  assert.deepEqual(inFolder('Plain'), ['Rosa', 'Rosa/one.txt', 'Rosa/two.txt'])
  await context.close()
})

test('by keyboard, at 390 px, in Arabic', async () => {
  const { hash } = await link('/Narrow', { title: 'صور الحديقة', text: 'a line without an end '.repeat(20) })
  const person = await site.newPerson({ width: 390, height: 844, locale: 'ar', theme: 'dark' })
  const { page } = person
  await page.goto(`${site.url}/request/${hash}`)
  await page.getByRole('heading', { name: 'صور الحديقة' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  assert.ok(await isNarrow())
  assert.deepEqual(await violations(page), [])
  const chooser = page.waitForEvent('filechooser')
  await page.locator('.dropzone .button').first().focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(fileOf(`${'long-name-'.repeat(12)}.txt`, 'x'))
  await page.locator('.sent').waitFor()
  await page.getByRole('textbox').fill('نور')
  await page.keyboard.press('Enter')
  await page.locator('.request-number').waitFor()
  assert.ok(await isNarrow())
  assert.deepEqual(await violations(page), [])
  assert.ok(existsSync(join(site.root, 'Narrow/نور')))
  await person.close()
})

test('a link with a password says nothing before it, and one that leads nowhere nothing at all', async () => {
  const { hash } = await link('/Letters', { title: 'Secret title', password: 'long enough' })
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/request/${hash}`)
  await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  assert.doesNotMatch(await page.content(), /Secret/)
  await page.getByLabel('Password', { exact: true }).fill('wrong one')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Wrong password').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Secret title' }).waitFor()
  await page.goto(`${site.url}/request/${'x'.repeat(22)}`)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await person.close()
})
