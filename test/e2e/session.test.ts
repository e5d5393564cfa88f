// Access to pages: redirects, titles, guards, sign-out, two tabs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTitled } from '../support/editing.ts'
import { fillCredentials, signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'Mill House/plan.txt': 'ground floor' } })

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

test('a wanted page survives the sign-in', async () => {
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/files/Mill%20House/`)
  await page.waitForURL(/\/login\?redirect=/)
  assert.equal(new URL(page.url()).searchParams.get('redirect'), '/files/Mill%20House/')
  await isTitled(page, /Login/)
  await fillCredentials(page, 'admin', administratorPassword)
  await page.getByRole('row', { name: /plan/ }).waitFor()
  assert.equal(pathOf(page.url()), '/files/Mill%20House/')
  await page.waitForFunction(() => document.activeElement?.matches('main.main'))
  await page.goto(`${site.url}/login`)
  await page.waitForURL(`${site.url}/files/`)
  // A page that was just loaded begins with the link to its content.
  await page.reload()
  await page.getByRole('row', { name: /Mill House/ }).waitFor()
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.skip-link')))
  await person.close()
})

test('the page says that it loads until it shows something', async () => {
  const person = await site.newPerson()
  const { page } = person
  const startup = page.getByRole('status', { name: 'Loading' })
  const hold = async (address: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(address, (route) => promise.then(() => route.continue()), { times: 1 })
    return resolve
  }
  await signIn(page, site.url)
  const [runScript, sendSession] = [await hold('**/static/main-*.js'), await hold('**/api/renew')]
  await page.reload({ waitUntil: 'commit' })
  await startup.waitFor()
  // Its element can be there a moment before its styles.
  await until(async () => {
    const [shown, whole] = await Promise.all([startup.boundingBox(), page.viewportSize()])
    return shown?.width === whole?.width && shown?.height === whole?.height
  }, 'it fills the window')
  // The script alone shows nothing yet: it asks for the session first.
  const asked = page.waitForRequest('**/api/renew')
  runScript()
  await asked
  assert.equal(await startup.isVisible(), true)
  sendSession()
  await page.getByRole('row', { name: /Mill House/ }).waitFor()
  await page.locator('#startup').waitFor({ state: 'detached' })
  await person.close()
})

test('wrong credentials are reported in the form, and nothing else happens', async () => {
  const person = await site.newPerson()
  await person.page.goto(site.url)
  await fillCredentials(person.page, 'admin', 'not the password')
  await person.page
    .getByRole('alert')
    .getByText(/Wrong credentials/)
    .waitFor()
  assert.match(person.page.url(), /\/login/)
  await person.close()
})

test('/files and every unknown path redirect below /files/', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url)
  await page.goto(`${site.url}/files`)
  await page.waitForURL(`${site.url}/files/`)
  await page.goto(`${site.url}/Mill%20House/`)
  await page.waitForURL(`${site.url}/files/Mill%20House/`)
  await page.getByRole('row', { name: /plan/ }).waitFor()
  await person.close()
})

test('logout ends the session on the server and in every tab', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url)
  const other = await person.context.newPage()
  await other.goto(site.url)
  await other.getByRole('row', { name: /Mill House/ }).waitFor()
  const token = await page.evaluate(() => Object.values(localStorage).find((value) => value.split('.').length === 3))
  assert.ok(token)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)
  await other.waitForURL(/\/login/)
  const answer = await fetch(`${site.url}/api/resources/`, { headers: { 'X-Auth': token } })
  assert.equal(answer.status, 401)
  await person.close()
})

test('a download link opened from elsewhere leads through the sign-in', async () => {
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/api/raw/Mill%20House/plan.txt?inline=true`)
  await page.waitForURL(/\/login\?redirect=/)
  await fillCredentials(page, 'admin', administratorPassword)
  await page.getByText('ground floor').waitFor()
  await person.close()
})
