// Hiding the transfers panel cancels nothing; a separate button cancels all uploads, after a question.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, pick } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'a.txt': 'a' } })

const panel = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Cancel all uploads?' })

/** Begins an upload. @returns a function that lets its request through */
async function beginUpload(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/resources/${name}?*`, async (route) => {
    await promise
    // A cancelled request cannot continue.
    await route.continue().catch(() => undefined)
  })
  await writeFile(join(site.folder, name), name)
  await uploadByButton(page, [join(site.folder, name)])
  await panel(page).getByText('Uploading 1 of 1').waitFor()
  return resolve
}

test('the × of the panel hides it, the uploads go on, and a command shows it again', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'slow.txt')
  await panel(page).getByRole('button', { name: 'Hide; uploads continue' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Show the transfers' }).click()
  await panel(page).getByText('Uploading 1 of 1').waitFor()
  await panel(page).getByRole('button', { name: 'Hide; uploads continue' }).click()
  go()
  await noticeShown(page, '1 file uploaded')
  await entry(page, 'slow.txt').waitFor()
  assert.equal(await panel(page).count(), 0)
  await close()
})

test('Cancel all asks first: declining changes nothing, agreeing cancels all uploads', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'slow.txt')
  await panel(page).getByRole('button', { name: 'Cancel all' }).click()
  await question(page).getByText('1 upload is not finished. Files already uploaded are kept.').waitFor()
  await question(page).getByRole('button', { name: 'Continue uploading' }).click()
  await panel(page).getByText('Uploading 1 of 1').waitFor()
  await panel(page).getByRole('button', { name: 'Cancel all' }).click()
  await question(page).getByRole('button', { name: 'Cancel all' }).click()
  await panel(page).waitFor({ state: 'detached' })
  go()
  assert.equal(existsSync(join(site.root, 'slow.txt')), false)
  await close()
})

test('the question closes when the uploads have ended, and a hidden panel is shown again after a failure', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'slow.txt')
  await panel(page).getByRole('button', { name: 'Cancel all' }).click()
  await question(page).waitFor()
  go()
  await noticeShown(page, '1 file uploaded')
  await question(page).waitFor({ state: 'detached' })
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
  const refused = Promise.withResolvers<void>()
  await page.route('**/api/resources/fails.txt?*', async (route) => {
    await refused.promise
    await route.fulfill({ status: 507, body: 'full' })
  })
  await writeFile(join(site.folder, 'fails.txt'), 'fails')
  await uploadByButton(page, [join(site.folder, 'fails.txt')])
  await panel(page).getByRole('button', { name: 'Hide; uploads continue' }).click()
  await panel(page).waitFor({ state: 'detached' })
  refused.resolve()
  await panel(page).getByText('The disk is full. Free some space, then retry.').waitFor()
  await close()
})

test('Pause lets nothing else begin, what is sent is finished, and Resume goes on', async () => {
  const { page, close } = await site.openListing()
  const names = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt', '6.txt', '7.txt']
  const { promise: letGo, resolve: go } = Promise.withResolvers<void>()
  const begun: string[] = []
  await page.route('**/api/resources/*.txt?override=*', async (route) => {
    begun.push(route.request().url())
    await letGo
    await route.continue()
  })
  for (const name of names) await writeFile(join(site.folder, name), name)
  await uploadByButton(
    page,
    names.map((name) => join(site.folder, name)),
  )
  await panel(page).getByText('Uploading 1 of 7').waitFor()
  await until(() => begun.length === 5, 'five are being sent')
  await panel(page).getByRole('button', { name: 'Pause' }).click()
  await panel(page).getByText('Pausing: 5 uploads finish first').waitFor()
  go()
  await panel(page).getByText('Paused', { exact: true }).waitFor()
  assert.deepEqual([begun.length, existsSync(join(site.root, '6.txt'))], [5, false])
  await panel(page).getByRole('button', { name: 'Resume' }).click()
  await noticeShown(page, '7 files uploaded')
  assert.equal(existsSync(join(site.root, '7.txt')), true)
  await close()
})

test('what is lost with the network is sent by itself when the network is back', async () => {
  const { page, close } = await site.openListing()
  page.removeAllListeners('console')
  for (const name of ['before.txt', 'lost.txt']) await writeFile(join(site.folder, name), 'lost and sent')
  // The page has loaded what shows uploads, which it could not load without the network.
  await uploadByButton(page, [join(site.folder, 'before.txt')])
  await panel(page).getByText('Uploads finished').waitFor()
  await page.context().setOffline(true)
  await uploadByButton(page, [join(site.folder, 'lost.txt')])
  await panel(page).getByText('Waiting for the server').waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await page.context().setOffline(false)
  await entry(page, 'lost.txt').waitFor()
  await panel(page).getByText('Uploads finished').waitFor()
  assert.equal(readFileSync(join(site.root, 'lost.txt'), 'utf8'), 'lost and sent')
  await close()
})

test('a file that is gone fails at once, and its notice ends with the error', async () => {
  const { page, close } = await site.openListing()
  page.removeAllListeners('console')
  const file = join(site.folder, 'gone.txt')
  await page.route('**/api/resources/gone.txt?*', async (route) => {
    await rm(file, { force: true })
    await route.abort()
  })
  await writeFile(file, 'gone')
  await uploadByButton(page, [file])
  await page.getByRole('alert').getByText('gone.txt: The file could not be read.').waitFor()
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await close()
})

test('the panel collapses when everything is uploaded, and opens for the next upload', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'first.txt')
  await panel(page).getByText('first.txt').waitFor()
  go()
  await panel(page).getByText('first.txt').waitFor({ state: 'detached' })
  await panel(page).getByRole('button', { name: 'Expand' }).waitFor()
  const next = await beginUpload(page, 'second.txt')
  await panel(page).getByText('second.txt').waitFor()
  next()
  await panel(page).getByText('second.txt').waitFor({ state: 'detached' })
  await close()
})

test('the panel shows the speed and the time left', async () => {
  const { page, close } = await site.openListing()
  const file = join(site.folder, 'large.bin')
  // It is sent for longer than a busy machine needs to look at the panel.
  await writeFile(file, Buffer.alloc(16 << 20))
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1 << 20 }
  await network.send('Network.emulateNetworkConditions', slow)
  await uploadByButton(page, [file])
  await panel(page)
    .getByText(/[KM]B\/s · \d+ secs? left$/)
    .waitFor()
  await close()
})

/** Pastes files as the browser does for Ctrl+V. */
const pasteFiles = (page: Page, ...names: string[]) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer()
    for (const name of given) clipboardData.items.add(new File([name], name, { type: name.endsWith('.png') ? 'image/png' : '' }))
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, names)

/** Whether the page tells a browser that asks before a paste, as Safari does, that it takes one outside of text. */
const isPasteOffered = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.dispatchEvent(new Event('beforepaste', { bubbles: true, cancelable: true })) === false,
  )

/** Puts a picture without a file on the clipboard, as other programs do. */
const copyPicture = (page: Page) =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 8)
    canvas.getContext('2d')?.fillRect(0, 0, 4, 4)
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob() })])
  })

test('pasted files and pictures are uploaded into the folder that is shown, a picture under the name of its time', async () => {
  const { page, close } = await site.openListing()
  await pasteFiles(page, 'notes from elsewhere.txt')
  await entry(page, 'notes from elsewhere.txt').waitFor()
  assert.equal(readFileSync(join(site.root, 'notes from elsewhere.txt'), 'utf8'), 'notes from elsewhere.txt')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copyPicture(page)
  await page.keyboard.press('Control+v')
  await page.getByRole('row', { name: /Picture \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png/ }).waitFor()
  // The browser keeps it for the tests that follow.
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await close()
})

test('after a return to the page pasted files are uploaded, and without any what was copied in the page is pasted', async () => {
  await site.putFiles({ 'own.txt': 'own' })
  const { page, close } = await site.openListing()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // What other programs have copied before gives way to the names of what is copied here.
  await copyPicture(page)
  await pick(page, 'own.txt')
  await page.keyboard.press('Control+c')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await until(async () => (await copied()) === 'own.txt', 'the names are on the clipboard of the system')
  // Another window has the focus, and gives it back.
  await page.evaluate(() => ['blur', 'focus'].map((name) => dispatchEvent(new Event(name))))
  await pasteFiles(page, 'newer.txt')
  await entry(page, 'newer.txt').waitFor()
  assert.equal(existsSync(join(site.root, 'own(1).txt')), false)
  await page.keyboard.press('Control+v')
  await entry(page, 'own(1).txt').waitFor()
  assert.deepEqual(
    readdirSync(site.root).filter((name) => /^own\(2\)|^Picture/.test(name)),
    [],
  )
  await close()
})

test('a paste into a field is the field’s', async () => {
  const { page, close } = await site.openListing()
  await page.keyboard.press('Control+l')
  await page.getByRole('textbox').first().waitFor()
  await pasteFiles(page, 'not here.txt')
  assert.equal(await isPasteOffered(page), false, 'in the field')
  await page.keyboard.press('Escape')
  await until(() => isPasteOffered(page), 'a paste outside of text is offered')
  await pasteFiles(page, 'here.txt')
  await entry(page, 'here.txt').waitFor()
  assert.equal(existsSync(join(site.root, 'not here.txt')), false)
  await close()
})
