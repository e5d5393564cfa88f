// The page of a public link, for visitors without an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { asPrincipal } from '../support/as-principal.ts'
import { violations } from '../support/axe.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const files = {
  'Plot plans/Details/joint.txt': 'a joint',
  'Plot plans/plan #1, 100% <b>.txt': 'ground floor',
  'Plot plans/Section A, through the stair and the wheel pit of the old mill.png': '',
  'single.txt': 'single',
  'plain.txt': 'plain',
}
const site = startSite({ files })
const password = 'rhübarb 100%'

async function owner() {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  return asPrincipal(site.url, await answer.text())
}

const link = async (path: string, body: object = {}) => share(await owner(), path, body)

/** Clicks, and reads what is downloaded. */
async function downloadBy(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const chunks = await Array.fromAsync(await download.createReadStream())
  return { name: download.suggestedFilename(), content: Buffer.concat(chunks).toString() }
}

test('a shared file is shown with name, size and end, and downloaded', async () => {
  const { hash } = await link('/single.txt', { expires: 3, unit: 'days' })
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/share/${hash}`)
  await page.getByRole('heading', { name: 'single.txt' }).waitFor()
  assert.match(await page.title(), /^single\.txt · /)
  await page.getByText(/^6 bytes · link expires on /).waitFor()
  const download = page.getByRole('link', { name: 'Download file' })
  assert.deepEqual(await downloadBy(page, () => download.click()), { name: 'single.txt', content: 'single' })
  assert.deepEqual(await violations(page), [])
  await person.close()
})

test('a shared folder shows what is in it, opens its folders and downloads each file and the whole', async () => {
  const { hash } = await link('/Plot plans')
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/share/${hash}`)
  await page.getByRole('heading', { name: 'Plot plans' }).waitFor()
  await page.getByText('3 items').waitFor()
  const plan = page.getByRole('link', { name: /plan #1, 100% <b>/ })
  assert.deepEqual(await downloadBy(page, () => plan.click()), { name: 'plan #1, 100% _b_.txt', content: 'ground floor' })
  const whole = page.getByRole('link', { name: 'Download folder' })
  assert.equal((await downloadBy(page, () => whole.click())).name, 'Plot plans.zip')
  assert.deepEqual(await violations(page), [])
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('heading', { name: 'Details' }).waitFor()
  const joint = page.getByRole('link', { name: /joint/ })
  assert.deepEqual(await downloadBy(page, () => joint.click()), { name: 'joint.txt', content: 'a joint' })
  await page.getByRole('link', { name: /Back to/ }).click()
  await page.getByRole('heading', { name: 'Plot plans' }).waitFor()
  await person.close()
})

test('a locked link says nothing before its password, and then opens its downloads', async () => {
  const { hash } = await link('/single.txt', { password, note: 'for the committee' })
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/api/public/dl/${hash}`)
  await page.waitForURL(`${site.url}/share/${hash}`)
  await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  assert.doesNotMatch(await page.content(), /single|committee/)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Wrong password').waitFor()
  assert.deepEqual(await violations(page), [])
  await field.fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'single.txt' }).waitFor()
  await page.locator('main:focus').waitFor()
  const download = page.getByRole('link', { name: 'Download file' })
  assert.equal((await downloadBy(page, () => download.click())).content, 'single')
  await page.reload()
  await page.getByRole('heading', { name: 'single.txt' }).waitFor()
  assert.equal(await page.evaluate('document.cookie'), '')
  await person.close()
})

test('a link that leads nowhere says so, and nothing else', async () => {
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/share/${'x'.repeat(22)}`)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await person.close()
})

test('the download works without JavaScript', async () => {
  const { hash } = await link('/plain.txt')
  const context = await site.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.url}/share/${hash}`)
  await page.getByRole('link', { name: 'Download' }).waitFor()
  assert.equal(await page.locator('#startup').isVisible(), false, 'nothing covers the download')
  // Not by click(), which waits for scripts to tell that nothing moves.
  const press = async () => {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  assert.deepEqual(await downloadBy(page, press), { name: 'plain.txt', content: 'plain' })
  await context.close()
})
