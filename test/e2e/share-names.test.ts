// Names that look like markup or code, in the pages of public links and of the signed-in person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { visibleName } from '../../src-ui/ui/file-names.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const names = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)',
  '$(touch x) `id`; id',
  '-rf',
  'new\nline',
  '\u202egnp.exe',
  '{{count}} __proto__',
]
const folder = '<b onclick=alert(1)>"all"\n'
const site = startSite({
  files: {
    ...Object.fromEntries(names.map((name) => [name, name])),
    ...Object.fromEntries(names.map((name) => [`${folder}/${name}`, name])),
  },
})

async function owner() {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  return asPrincipal(site.url, await answer.text())
}

/** Fails when a name became an element or code. */
async function isText(page: Page, dialogs: readonly string[]) {
  assert.equal(await page.locator('#root img[src="x"], #root b, #root script').count(), 0)
  assert.deepEqual(dialogs, [])
}

async function openWatched() {
  const person = await site.newPerson()
  const dialogs: string[] = []
  person.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return { ...person, dialogs }
}

test('the page of a link shows any name as text, in its title too, and downloads the file', async () => {
  const calls = await owner()
  const { page, dialogs, close } = await openWatched()
  for (const name of names) {
    const { hash } = await share(calls, `/${name}`)
    await page.goto(`${site.url}/share/${hash}`)
    const heading = page.getByRole('heading', { level: 1 })
    await heading.waitFor()
    assert.equal(await heading.textContent(), visibleName(name))
    const title = visibleName(name).replace(/\s+/g, ' ').trim()
    await until(async () => (await page.title()).includes(title), `the title contains ${title}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download file' }).click(),
    ])
    const chunks = await Array.fromAsync(await download.createReadStream())
    assert.equal(Buffer.concat(chunks).toString(), name)
    await isText(page, dialogs)
  }
  await close()
})

test('the page of a folder with such names shows them as text, and so does the listing', async () => {
  const { hash } = await share(await owner(), `/${folder}`)
  const { page, dialogs, close } = await openWatched()
  await page.goto(`${site.url}/share/${hash}`)
  const shown = page.locator('.name[dir=auto]')
  await shown.nth(names.length - 1).waitFor()
  const texts = await shown.evaluateAll((all) =>
    all.map((one) => [...one.querySelectorAll('.stem, .ending')].map((part) => part.textContent).join('')),
  )
  assert.deepEqual(texts.toSorted(), names.map(visibleName).toSorted())
  await isText(page, dialogs)
  await close()
  const signedIn = await site.openListing()
  const opened: string[] = []
  signedIn.page.on('dialog', (dialog) => opened.push(dialog.message()))
  for (const name of names)
    await signedIn.page
      .locator(`[data-entry]`)
      .filter({ hasText: visibleName(name) })
      .first()
      .waitFor()
  await isText(signedIn.page, opened)
  await signedIn.page.goto(`${site.url}/files/${encodeURIComponent(folder)}/`)
  await signedIn.page
    .getByText(names[3] ?? '', { exact: true })
    .first()
    .waitFor()
  await until(async () => (await signedIn.page.title()).startsWith(visibleName(folder)), 'the title begins with the name')
  await signedIn.close()
})
