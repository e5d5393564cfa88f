// Uploads onto a folder row, and a session that ends while uploads run.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dragFromDesktop } from '../support/desktop.ts'
import { entry, middleOf } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { signIn, uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ files: { 'photos/': '' }, prepare: ({ folder }) => mkdir(join(folder, 'source')) })

test('files from the desktop are uploaded to the folder row under the pointer', async () => {
  const person = await site.openListing()
  const { page } = person
  const source = join(site.folder, 'source/dropped.txt')
  await writeFile(source, 'from the desktop')
  const { drop } = await dragFromDesktop(page, await middleOf(entry(page, 'photos')), [source])
  await page.locator('[data-entry][data-drop="target"]').waitFor()
  assert.equal(await page.getByText(/Drop to upload/).count(), 0)
  await drop()
  await noticeShown(page, '1 file uploaded')
  assert.equal(await readFile(join(site.root, 'photos/dropped.txt'), 'utf8'), 'from the desktop')
  await person.close()
})

test('a session that ends amid uploads asks for the password in place, and nothing is lost', async () => {
  const person = await site.newPerson({ hasResets: true })
  const { page } = person
  await signIn(page, site.url)
  const names = Array.from({ length: 12 }, (_, index) => `part ${index}.bin`)
  const body = Buffer.alloc(64 * 1024, 7)
  for (const name of names) await writeFile(join(site.folder, 'source', name), body)
  const client = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: 128 * 1024 }
  await client.send('Network.emulateNetworkConditions', slow)
  await uploadByButton(
    page,
    names.map((name) => join(site.folder, 'source', name)),
  )
  const token = await page.evaluate(() => Object.values(localStorage).find((value) => value.split('.').length === 3))
  assert.ok(token)
  const ended = await fetch(`${site.url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
  assert.ok(ended.ok)
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.waitFor()
  assert.match(page.url(), /\/files\//)
  await client.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await dialog.getByText(/Wrong credentials/).waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(administratorPassword)
  await page.keyboard.press('Enter')
  await noticeShown(page, `${names.length} files uploaded`)
  for (const name of names) assert.ok(body.equals(await readFile(join(site.root, name))), name)
  await person.close()
})
