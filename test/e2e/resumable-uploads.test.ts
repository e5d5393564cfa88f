// Large files go in pieces: what breaks off goes on where it stopped, also after a reload, and nothing is damaged on the way.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from '@playwright/test'
import { startProxy } from '../support/cutting-proxy.ts'
import { entry } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { signIn, uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const mebibyte = 1 << 20
const content = randomBytes(20 * mebibyte)
const site = startSite({ files: { 'a.txt': 'a' }, prepare: ({ folder }) => mkdir(join(folder, 'other')) })

const panel = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const arrived = (name: string) => content.equals(readFileSync(join(site.root, name)))
const hidden = () => readdirSync(site.root).filter((name) => name.endsWith('.upload'))

/** A person behind a proxy whose pieces have 5 MiB. */
async function start(t: TestContext, name: string) {
  const proxy = await startProxy(t, { port: Number(new URL(site.url).port) })
  const person = await site.newPerson({ hasResets: true })
  const { page } = person
  // The browser tells of each request that fails.
  page.removeAllListeners('console')
  await signIn(page, proxy.url)
  await page.evaluate((size) => localStorage.setItem('holdall:upload.piece', String(size)), 5 * mebibyte)
  await page.reload()
  await entry(page, 'a.txt').waitFor()
  const file = join(site.folder, name)
  writeFileSync(file, content)
  const pieces = () => proxy.calls.filter((call) => call.startsWith('PATCH 2')).length
  return { ...person, proxy, file, pieces, upload: () => uploadByButton(page, [file]) }
}

test('a file arrives though connections break, and what has arrived is not sent again', async (t) => {
  const { page, proxy, upload, close } = await start(t, 'cut.bin')
  proxy.how.cutAfter = 3 * mebibyte
  await upload()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('cut.bin'))
  assert.ok(proxy.calls.includes('PATCH 0'), String(proxy.calls))
  assert.equal(proxy.calls.filter((call) => call === 'POST 201').length, 1)
  assert.ok(proxy.counts.bytes < 2 * content.length, String(proxy.counts.bytes))
  assert.deepEqual(hidden(), [])
  // Of what broke off a part was not compared.
  assert.equal(await panel(page).locator('.icon-done').count(), 0)
  await close()
})

test('a piece that is damaged on its way is sent again, and what was compared has a tick', async (t) => {
  const { page, proxy, upload, close } = await start(t, 'damaged.bin')
  proxy.how.spoil = 2
  await upload()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('damaged.bin'))
  assert.deepEqual(
    proxy.calls.filter((call) => call === 'PATCH 460'),
    ['PATCH 460', 'PATCH 460'],
  )
  await panel(page).getByRole('button', { name: 'Expand' }).click()
  await panel(page).locator('.icon-done').waitFor()
  await close()
})

test('after a reload the panel lists what is unfinished, and the same file goes on', async (t) => {
  const { page, proxy, file, pieces, upload, close } = await start(t, 'reload.bin')
  proxy.how.answer = ({ method }) => (method === 'PATCH' && pieces() > 0 ? 502 : undefined)
  await upload()
  await panel(page).getByText('Waiting for the server').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await panel(page)
    .getByText(/25%.? of 21 MB is kept\. Choose the file to go on\./)
    .waitFor()
  const another = join(site.folder, 'other/reload.bin')
  writeFileSync(another, Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]))
  const choose = async (path: string) => {
    const chooser = page.waitForEvent('filechooser')
    await panel(page)
      .getByRole('button', { name: /Continue .*reload\.bin/ })
      .click()
    await (await chooser).setFiles(path)
  }
  await choose(another)
  await page.getByRole('alert').getByText('this is another file than the one whose upload was begun').waitFor()
  proxy.how.answer = undefined
  const before = proxy.counts.bytes
  await choose(file)
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('reload.bin'))
  assert.ok(proxy.counts.bytes - before <= 16 * mebibyte, String(proxy.counts.bytes - before))
  await panel(page).getByText('Choose the file to go on', { exact: false }).waitFor({ state: 'detached' })
  await close()
})

test('what is cancelled leaves nothing behind, while it is sent and while it waits', async (t) => {
  const { page, proxy, pieces, upload, close } = await start(t, 'cancelled.bin')
  proxy.how.answer = ({ method }) => (method === 'PATCH' && pieces() > 0 ? 502 : undefined)
  await upload()
  await panel(page).getByText('Waiting for the server').waitFor()
  assert.equal(hidden().length, 1)
  await panel(page)
    .getByRole('button', { name: /Cancel .*cancelled\.bin/ })
    .click()
  await until(() => hidden().length === 0, 'its content is gone')
  assert.equal(existsSync(join(site.root, 'cancelled.bin')), false)
  await panel(page).waitFor({ state: 'detached' })
  await close()
})

test('a name that is taken meanwhile is asked about, and the answer sends nothing again', async (t) => {
  const { page, proxy, pieces, upload, close } = await start(t, 'taken.bin')
  proxy.how.answer = ({ method }) => {
    if (method === 'PATCH' && pieces() === 3) writeFileSync(join(site.root, 'taken.bin'), 'of somebody else')
    return undefined
  }
  await upload()
  const question = page.getByRole('dialog')
  await question.getByText('taken.bin', { exact: false }).first().waitFor()
  const before = proxy.counts.bytes
  await question.getByRole('button', { name: 'Keep both' }).click()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('taken(1).bin'))
  assert.equal(readFileSync(join(site.root, 'taken.bin'), 'utf8'), 'of somebody else')
  assert.ok(proxy.counts.bytes - before < mebibyte, String(proxy.counts.bytes - before))
  await close()
})

test('Pause stops a large file at once, and Resume goes on', async (t) => {
  const { page, proxy, pieces, upload, close } = await start(t, 'paused.bin')
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && pieces() > 0) {
      reached.resolve()
      await held.promise
    }
    await route.continue().catch(() => undefined)
  })
  await upload()
  // The page has the answer to the first piece.
  await reached.promise
  await panel(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await panel(page).getByText('Paused', { exact: true }).waitFor()
  await panel(page)
    .getByText(/Waiting · .?25%.? of 21 MB is kept/)
    .waitFor()
  held.resolve()
  await panel(page).getByRole('button', { name: 'Resume', exact: true }).click()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('paused.bin'))
  assert.ok(proxy.counts.bytes < 1.5 * content.length, String(proxy.counts.bytes))
  await close()
})

test('what has failed is kept when its row is removed, as another page may go on with it', async (t) => {
  const { page, proxy, pieces, upload, close } = await start(t, 'failed.bin')
  proxy.how.answer = ({ method }) => (method === 'PATCH' && pieces() > 0 ? 507 : undefined)
  await upload()
  await panel(page).getByText('The disk is full. Free some space, then retry.').waitFor()
  await panel(page)
    .getByRole('button', { name: /Remove .*failed\.bin.* from the list/ })
    .click()
  await panel(page)
    .getByText(/25%.? of 21 MB is kept\. Choose the file to go on\./)
    .waitFor()
  await panel(page)
    .getByRole('button', { name: /Delete the unfinished upload .*failed\.bin/ })
    .click()
  await panel(page).waitFor({ state: 'detached' })
  assert.deepEqual(hidden(), [])
  assert.deepEqual(
    proxy.calls.filter((call) => call.startsWith('DELETE')),
    ['DELETE 204'],
  )
  await close()
})

test('the same file goes on where its connection is dead without a sign, also beside what has its name by then', async (t) => {
  const { page, proxy, pieces, upload, close } = await start(t, 'dead.bin')
  proxy.how.holdAfter = 6 * mebibyte
  await upload()
  await until(() => pieces() > 0 && proxy.counts.bytes > 6 * mebibyte, 'a part of the second piece has arrived')
  writeFileSync(join(site.root, 'dead.bin'), 'of somebody else')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await entry(page, 'dead.bin').waitFor()
  proxy.how.holdAfter = undefined
  const before = proxy.counts.bytes
  await upload()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep both' }).click()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('dead(1).bin'))
  assert.ok(proxy.counts.bytes - before <= 16 * mebibyte, String(proxy.counts.bytes - before))
  assert.deepEqual(hidden(), [])
  await close()
})

test('what another client has begun is not taken for the same file by its length', async (t) => {
  const { page, upload, close } = await start(t, 'other.bin')
  const token = await page.evaluate(() => localStorage.getItem('holdall:token') ?? '')
  const headers = { 'X-Auth': token, 'Tus-Resumable': '1.0.0', 'Upload-Length': String(content.length) }
  const type = { 'Content-Type': 'application/offset+octet-stream' }
  const body = randomBytes(mebibyte)
  const begun = await fetch(`${site.url}/api/tus/other.bin`, { method: 'POST', headers: { ...headers, ...type }, body })
  assert.equal(begun.headers.get('upload-offset'), String(mebibyte))
  await upload()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('other.bin'))
  assert.equal(hidden().length, 1)
  await close()
})

test('a folder that is moved and comes back is waited for, and one that is gone is not made again', async (t) => {
  const { page, proxy, pieces, upload, close } = await start(t, 'inside.bin')
  const [folder, away] = [join(site.root, 'target'), join(site.folder, 'away')]
  await mkdir(folder)
  await page.goto(`${proxy.url}/files/target/`)
  await page.getByText('This folder is empty').waitFor()
  const isAway = () => existsSync(away)
  proxy.how.answer = ({ method }) => {
    if (method === 'PATCH' && pieces() >= 2 && !isAway()) renameSync(folder, away)
    else if (method === 'HEAD' && pieces() === 2 && proxy.calls.includes('PATCH 410')) {
      renameSync(away, folder)
      proxy.how.answer = ({ method }) => {
        if (method === 'PATCH' && pieces() === 3 && !isAway()) renameSync(folder, away)
        return undefined
      }
    }
    return undefined
  }
  await upload()
  await panel(page).getByText('The folder is no longer there.').waitFor()
  assert.equal(existsSync(folder), false)
  assert.equal(pieces(), 3)
  proxy.how.answer = undefined
  renameSync(away, folder)
  await panel(page).getByRole('button', { name: 'Retry failed' }).click()
  await noticeShown(page, '1 file uploaded')
  assert.ok(arrived('target/inside.bin'))
  assert.equal(proxy.calls.filter((call) => call === 'POST 201').length, 1)
  await close()
})
