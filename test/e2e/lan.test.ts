// Most people come over plain http by a name of their own network, which is no secure context: the same way once more.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { downloadFocused, newPerson, showList, signIn, uploadByButton } from '../support/person.ts'
import { copyRealFiles, digestOf } from '../support/real-files.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser({ args: ['--host-resolver-rules=MAP holdall.lan 127.0.0.1'] })
  server = await startExecutable()
})
after(async () => {
  await browser?.close()
  await server?.close()
})

test('sign-in, listing, upload and download work over http://holdall.lan', async () => {
  const person = await newPerson(browser)
  const { page } = person
  const source = join(server.folder, 'source')
  const names = await copyRealFiles(source, 12)
  await writeFile(join(server.root, 'already here.txt'), 'seen')

  await signIn(page, server.url.replace('127.0.0.1', 'holdall.lan'))
  assert.equal(await page.evaluate(() => window.isSecureContext), false)
  await page.getByRole('row', { name: /already here/ }).waitFor()
  await uploadByButton(
    page,
    names.map((name) => join(source, name)),
  )
  await page.getByText('12 files uploaded').waitFor()
  await showList(page)
  for (const name of names) assert.equal(await digestOf(join(server.root, name)), await digestOf(join(source, name)))

  await page.getByRole('row', { name: /already here/ }).click()
  const download = await downloadFocused(page)
  assert.equal(await readFile(await download.path(), 'utf8'), 'seen')
  await person.close()
})
