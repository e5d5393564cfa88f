// Who may see which page: redirects, titles, guards, sign-out, two tabs.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { fillCredentials, newPerson, signIn } from '../support/person.ts'
import { administratorPassword, type Running, startExecutable } from '../support/start-executable.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
  await mkdir(join(server.root, 'Mill House'))
  await writeFile(join(server.root, 'Mill House', 'plan.txt'), 'ground floor')
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

test('a wanted page survives the sign-in', async () => {
  const person = await newPerson(browser)
  const { page } = person
  await page.goto(`${server.url}/files/Mill%20House/`)
  await page.waitForURL(/\/login\?redirect=/)
  assert.equal(new URL(page.url()).searchParams.get('redirect'), '/files/Mill%20House/')
  assert.match(await page.title(), /Login/)
  await fillCredentials(page, 'admin', administratorPassword)
  await page.getByRole('row', { name: /plan/ }).waitFor()
  assert.equal(pathOf(page.url()), '/files/Mill%20House/')
  await page.goto(`${server.url}/login`)
  await page.waitForURL(`${server.url}/files/`)
  await person.close()
})

test('wrong credentials are said beside the form, and nothing else happens', async () => {
  const person = await newPerson(browser)
  await person.page.goto(server.url)
  await fillCredentials(person.page, 'admin', 'not the password')
  await person.page
    .getByRole('alert')
    .getByText(/Wrong credentials/)
    .waitFor()
  assert.match(person.page.url(), /\/login/)
  await person.close()
})

test('/files and every unknown path lead below /files/', async () => {
  const person = await newPerson(browser)
  const { page } = person
  await signIn(page, server.url)
  await page.goto(`${server.url}/files`)
  await page.waitForURL(`${server.url}/files/`)
  await page.goto(`${server.url}/Mill%20House/`)
  await page.waitForURL(`${server.url}/files/Mill%20House/`)
  await page.getByRole('row', { name: /plan/ }).waitFor()
  await person.close()
})

test('logout ends the session on the server and in every tab', async () => {
  const person = await newPerson(browser)
  const { page } = person
  await signIn(page, server.url)
  const other = await person.context.newPage()
  await other.goto(server.url)
  await other.getByRole('row', { name: /Mill House/ }).waitFor()
  const token = await page.evaluate(() => Object.values(localStorage).find((value) => value.split('.').length === 3))
  assert.ok(token)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(/\/login/)
  await other.waitForURL(/\/login/)
  const answer = await fetch(`${server.url}/api/resources/`, { headers: { 'X-Auth': token } })
  assert.equal(answer.status, 401)
  await person.close()
})

test('a download link opened from elsewhere leads through the sign-in', async () => {
  const person = await newPerson(browser)
  const { page } = person
  await page.goto(`${server.url}/api/raw/Mill%20House/plan.txt?inline=true`)
  await page.waitForURL(/\/login\?redirect=/)
  await fillCredentials(page, 'admin', administratorPassword)
  await page.getByText('ground floor').waitFor()
  await person.close()
})
