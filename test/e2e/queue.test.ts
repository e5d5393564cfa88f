// The specification's upload queue (section 4) and its constants (section 9), in a real browser.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { dragFromDesktop } from '../support/desktop.ts'
import { entry, isSelected } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'a.txt': 'old', 'a(1).txt': 'old too' } })
async function make(...names: string[]): Promise<string[]> {
  const folder = join(site.folder, 'source')
  await mkdir(folder, { recursive: true })
  for (const name of names) await writeFile(join(folder, name), `new ${name}`)
  return names.map((name) => join(folder, name))
}

/** Delays the uploads. @returns functions that count and send the delayed ones */
async function holdUploads(page: Page) {
  const held: (() => void)[] = []
  let isOpen = false
  await page.route('**/api/resources/**', async (route) => {
    if (route.request().method() !== 'POST' || isOpen) return route.continue()
    await new Promise<void>((resolve) => held.push(resolve))
    return route.continue()
  })
  return {
    held: () => held.length,
    release: () => {
      isOpen = true
      for (const go of held) go()
    },
  }
}

const panel = (page: Page) => page.getByRole('region', { name: 'Transfers' })

test('At most 5 uploads run at once; jobs wait, move to the active set, and finish', async () => {
  const { page, close } = await site.openListing()
  const { held, release } = await holdUploads(page)
  await uploadByButton(page, await make(...Array.from({ length: 12 }, (_, index) => `part ${index}`)))
  await until(() => held() === 5, 'five uploads are sent')
  await panel(page)
    .getByText(/^Waiting/)
    .first()
    .waitFor()
  assert.equal(await panel(page).locator('.transfer-sending').count(), 5)
  assert.equal(held(), 5)
  release()
  await panel(page).getByRole('heading', { name: 'Uploads finished' }).waitFor()
  for (let index = 0; index < 12; index++) assert.ok(existsSync(join(site.root, `part ${index}`)))
  await close()
})

test('A folder job is sent as a bare create with no body', async () => {
  const { page, close } = await site.openListing()
  const sent: [string, string | null][] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/api/resources/')) sent.push([pathname, request.postData()])
  })
  await mkdir(join(site.folder, 'album'), { recursive: true })
  await writeFile(join(site.folder, 'album/one.txt'), 'one')
  const pane = (await page.locator('.pane').boundingBox()) ?? assert.fail('the pane is not visible')
  const { drop } = await dragFromDesktop(page, { x: pane.x + 300, y: pane.y + pane.height - 40 }, [join(site.folder, 'album')])
  await drop()
  await isSelected(page, 'album')
  assert.deepEqual(sent[0], ['/api/resources/album/', null])
  assert.equal(sent[1]?.[0], '/api/resources/album/one.txt')
  await close()
})

test('Progress is loaded bytes over total size, rounded up, at most once per 100 ms, in panel and title', async () => {
  const { page, close } = await site.openListing()
  await writeFile(join(site.folder, 'large.bin'), Buffer.alloc(16 << 20, 1))
  const client = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4 << 20 }
  await client.send('Network.emulateNetworkConditions', slow)
  await page.evaluate(() => {
    const seen: [number, number][] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const bar = document.querySelector('.progress[aria-valuenow]')
      const value = Number(bar?.getAttribute('aria-valuenow'))
      if (bar && seen.at(-1)?.[1] !== value) seen.push([performance.now(), value])
    }).observe(document.querySelector('main') as Element, { subtree: true, childList: true, attributes: true })
  })
  await uploadByButton(page, [join(site.folder, 'large.bin')])
  await page.waitForFunction(() => /^\d+% · /.test(document.title))
  await page.waitForFunction(() => (globalThis as unknown as { seen: unknown[] }).seen.length > 5)
  await client.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
  await isSelected(page, 'large.bin')
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: [number, number][] }).seen)
  assert.ok(seen.length > 5, `the progress was seen ${seen.length} times`)
  for (const [index, [, value]] of seen.entries())
    assert.ok(
      Number.isInteger(value) && value >= (seen[index - 1]?.[1] ?? 0),
      `${value} is an integer and not smaller than before`,
    )
  // The last value is shown at once. A step that a busy machine draws late comes closer to the next one, so that all count together.
  const [first = 0, ...others] = seen.slice(0, -1).map(([when]) => when)
  const between = ((others.at(-1) ?? 0) - first) / others.length
  assert.ok(between > 60, `${between} ms between two steps`)
  await close()
})

test('When queue and active set are both empty a success notice shows, progress resets and a reload is triggered', async () => {
  const { page, close } = await site.openListing()
  const { held, release } = await holdUploads(page)
  await uploadByButton(page, await make('x.txt', 'y.txt'))
  await until(() => held() === 2, 'both uploads are sent')
  await page.locator('.progress[aria-valuenow]').waitFor()
  const reloaded = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/api/resources/?content=false'),
  )
  release()
  await noticeShown(page, '2 files uploaded')
  await reloaded
  await entry(page, 'y.txt').waitFor()
  await page.locator('.progress').waitFor({ state: 'detached' })
  assert.match(await page.title(), /^Files · /)
  await close()
})

test('While uploads run the browser warns before leaving', async () => {
  const { page, close } = await site.openListing()
  const { held, release } = await holdUploads(page)
  const warns = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  assert.equal(await warns(), false)
  await uploadByButton(page, await make('x.txt'))
  await until(() => held() === 1, 'the upload is sent')
  await until(warns, 'the browser warns')
  release()
  await isSelected(page, 'x.txt')
  await until(async () => !(await warns()), 'the browser no longer warns')
  await close()
})

test('A 409 conflict leads to the replace prompt; keep both is sent without override, on 409 with the next number', async () => {
  const { page, close } = await site.openListing()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(decodeURIComponent(request.url().slice(request.url().indexOf('/api/'))))
  })
  await page.goto(`${site.url}/files/`)
  await entry(page, 'a.txt').waitFor()
  await writeFile(join(site.root, 'late.txt'), 'made after the page was loaded')
  // Both are asked about at once where both are known; else the other one is sent after the answer.
  await entry(page, 'late.txt').waitFor()
  await uploadByButton(page, await make('late.txt', 'a.txt'))
  const first = page.getByRole('dialog', { name: /already exists?$/ })
  await first.waitFor()
  await page.getByRole('dialog', { name: '2 files already exist' }).waitFor()
  await first.getByLabel(/remaining file too$/).check()
  await first.getByRole('button', { name: 'Keep both' }).click()
  await isSelected(page, 'a(2).txt')
  await isSelected(page, 'late(1).txt')
  const read = (name: string) => readFileSync(join(site.root, name), 'utf8')
  assert.deepEqual([read('a.txt'), read('a(1).txt'), read('a(2).txt')], ['old', 'old too', 'new a.txt'])
  assert.equal(read('late(1).txt'), 'new late.txt')
  assert.ok(sent.every((address) => !address.includes('override=true')))
  assert.ok(sent.includes('/api/resources/a(1).txt?override=false') && sent.includes('/api/resources/a(2).txt?override=false'))
  await close()
})

test('Notices: success leaves after 1000 ms, an error stays until closed', async () => {
  const { page, close } = await site.openListing()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { times })
    let isThere = false
    new MutationObserver(() => {
      const now = document.querySelector('.toast-list .toast') !== null
      if (now !== isThere) times.push(performance.now())
      isThere = now
    }).observe(document.body, { subtree: true, childList: true })
  })
  await page.route('**/api/resources/bad.txt?*', (route) => route.fulfill({ status: 507, body: '507 Full' }))
  await uploadByButton(page, await make('good.txt', 'bad.txt'))
  await page.getByRole('alert').getByText('1 file was not uploaded').waitFor()
  await page.waitForFunction(() => (globalThis as unknown as { times: number[] }).times.length === 2)
  const [came = 0, went = 0] = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times)
  assert.ok(went - came >= 990, `it was shown for ${went - came} ms`)
  await page.getByRole('alert').getByText('bad.txt: The disk is full').waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await close()
})
