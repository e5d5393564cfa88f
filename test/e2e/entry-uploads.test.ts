// Uploads that meet a folder row, and a session that ends in their midst.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { dragFromDesktop } from '../support/desktop.ts'
import { entry, middleOf } from '../support/listing.ts'
import { newPerson, showList, signIn, uploadByButton } from '../support/person.ts'
import { administratorPassword, type Running, startExecutable } from '../support/start-executable.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
  await mkdir(join(server.root, 'photos'))
  await mkdir(join(server.folder, 'source'))
})
after(async () => {
  await browser?.close()
  await server?.close()
})

test('a folder row under the pointer takes what comes from the desktop', async () => {
  const person = await newPerson(browser)
  const { page } = person
  await signIn(page, server.url)
  await showList(page)
  const source = join(server.folder, 'source/dropped.txt')
  await writeFile(source, 'from the desktop')
  const { drop } = await dragFromDesktop(page, await middleOf(entry(page, 'photos')), [source])
  await page.locator('[data-entry][data-drop="target"]').waitFor()
  assert.equal(await page.getByText(/Drop to upload/).count(), 0)
  await drop()
  await page.getByText('1 file uploaded').waitFor()
  assert.equal(await readFile(join(server.root, 'photos/dropped.txt'), 'utf8'), 'from the desktop')
  await person.close()
})

test('a session that ends amid uploads asks for the password in place, and nothing is lost', async () => {
  const person = await newPerson(browser)
  const { page } = person
  await signIn(page, server.url)
  const names = Array.from({ length: 12 }, (_, index) => `part ${index}.bin`)
  const body = Buffer.alloc(64 * 1024, 7)
  for (const name of names) await writeFile(join(server.folder, 'source', name), body)
  const client = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: 128 * 1024 }
  await client.send('Network.emulateNetworkConditions', slow)
  await uploadByButton(
    page,
    names.map((name) => join(server.folder, 'source', name)),
  )
  const token = await page.evaluate(() => Object.values(localStorage).find((value) => value.split('.').length === 3))
  assert.ok(token)
  const ended = await fetch(`${server.url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
  assert.ok(ended.ok)
  const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
  await dialog.waitFor()
  assert.match(page.url(), /\/files\//)
  await client.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 })
  await dialog.getByLabel(/^Password of/).fill('not the password')
  await page.keyboard.press('Enter')
  await dialog.getByText(/Wrong credentials/).waitFor()
  await dialog.getByLabel(/^Password of/).fill(administratorPassword)
  await page.keyboard.press('Enter')
  await page.getByText(`${names.length} files uploaded`).waitFor()
  for (const name of names) assert.ok(body.equals(await readFile(join(server.root, name))), name)
  await person.close()
})
