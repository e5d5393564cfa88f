// The specification's session and two tabs (section 4), in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry } from '../support/listing.ts'
import { fillCredentials } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'a.txt': 'a' } })

const tokenIn = (page: Page) =>
  page.evaluate(() => Object.values(localStorage).find((value) => value.split('.').length === 3) ?? '')

test('X-Renew-Token triggers a renew, and the other tab goes on with the new token', async () => {
  const { page, context, close } = await site.openListing()
  const other = await context.newPage()
  await other.goto(site.url)
  await entry(other, 'a.txt').waitFor()
  const before = await tokenIn(page)
  // A token that is renewed within the same second is the same token.
  const { iat } = JSON.parse(Buffer.from(before.split('.')[1] ?? '', 'base64url').toString()) as { iat: number }
  await until(() => Date.now() >= (iat + 1) * 1000, 'the next token differs')
  await page.route('**/api/resources/?content=false', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-renew-token': 'true' } })
  })
  const renewed = page.waitForResponse((response) => response.url().endsWith('/api/renew'))
  await page.keyboard.press('Control+l')
  await page.keyboard.type('/nowhere')
  await page.keyboard.press('Enter')
  await page.goBack()
  assert.equal((await renewed).status(), 200)
  await page.waitForFunction((old) => !Object.values(localStorage).includes(old), before)
  const sent = other.waitForRequest((request) => request.url().includes('/api/resources/'))
  await other.keyboard.press('Control+l')
  await other.keyboard.type('/elsewhere')
  await other.keyboard.press('Enter')
  assert.equal((await sent).headers()['x-auth'], await tokenIn(page))
  await close()
})

test('A stored token that is malformed only logs a warning', async () => {
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/login`)
  await fillCredentials(page, 'admin', administratorPassword)
  await entry(page, 'a.txt').waitFor()
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (localStorage.getItem(key)?.split('.').length === 3) localStorage.setItem(key, 'no token')
  })
  await page.reload()
  await page.waitForURL(/\/login/)
  await until(() => /token malformed/.test(warnings.join('\n')), 'the warning is logged')
  await person.close()
})

test("Another user's sign-in in one tab reaches the other, which acts as nobody else", async () => {
  const admin = await site.openListing()
  const other = await admin.context.newPage()
  await other.goto(site.url)
  await entry(other, 'a.txt').waitFor()
  const token = await tokenIn(other)
  const [head = '', body = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { user: { id: number; username: string } }
  claims.user = { ...claims.user, id: 77, username: 'somebody else' }
  const foreign = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  const loaded = other.waitForEvent('load')
  await admin.page.evaluate((next) => {
    for (const key of Object.keys(localStorage))
      if (localStorage.getItem(key)?.split('.').length === 3) localStorage.setItem(key, next)
  }, foreign)
  await loaded
  await other.getByLabel('Username').waitFor()
  await admin.close()
})
