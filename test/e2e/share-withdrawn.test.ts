// One person deletes a link while somebody else uses it.
import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { asPrincipal } from '../support/as-principal.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

/** Bytes: more than sockets and browsers buffer. */
const largeSize = 400_000_000

const site = startSite({
  prepare: async ({ root }) => {
    mkdirSync(join(root, 'trip/more'), { recursive: true })
    writeFileSync(join(root, 'trip/film.bin'), '')
    truncateSync(join(root, 'trip/film.bin'), largeSize)
    writeFileSync(join(root, 'trip/notes.txt'), 'notes')
  },
})

async function link(): Promise<string> {
  const login = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body: login })
  return (await share(asPrincipal(site.url, await answer.text()), '/trip', { expires: 1, unit: 'days' })).hash
}

/** The owner deletes the only link on the page about all links. */
async function deleteLink(page: Page): Promise<void> {
  await page.goto(`${site.url}/settings/shares`)
  await page.getByRole('button', { name: /^Delete link/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.locator('.toast').getByText('Link deleted!').waitFor()
}

const isGone = (page: Page) => page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor()

test('a download ends when its link is deleted, and the open page says so at the next action', async () => {
  const hash = await link()
  const owner = await site.openListing()
  const visitor = await site.newPerson()
  await visitor.page.goto(`${site.url}/share/${hash}`)
  await visitor.page.getByRole('heading', { name: 'trip' }).waitFor()
  // Reads the beginning, and waits: the rest is not sent before it is read.
  const read = await visitor.page.evaluateHandle(async (address) => {
    const body = (await fetch(address)).body?.getReader()
    const first = await body?.read()
    return { size: first?.value?.length ?? 0, body }
  }, `/api/public/dl/${hash}/film.bin`)
  assert.ok((await read.evaluate(({ size }) => size)) > 0)
  await deleteLink(owner.page)
  const end = await read.evaluate(async ({ size, body }) => {
    let sum = size
    try {
      for (;;) {
        const part = await body?.read()
        if (!part || part.done) return { sum, isCut: false }
        sum += part.value.length
      }
    } catch {
      return { sum, isCut: true }
    }
  })
  assert.equal(end.isCut, true, `${end.sum} bytes were sent`)
  assert.ok(end.sum < largeSize)
  await visitor.page.getByRole('link', { name: /notes/ }).click()
  await isGone(visitor.page)
  // Its console reports the download that was cut.
  await visitor.context.close()
  await owner.close()
})

for (const [what, act] of [
  ['the download of the folder', (page: Page) => page.getByRole('link', { name: 'Download folder' }).click()],
  ['a folder inside', (page: Page) => page.getByRole('link', { name: 'more' }).click()],
  ['the search', (page: Page) => page.getByRole('searchbox').fill('notes')],
] as const)
  test(`after a link was deleted its open page says so at ${what}`, async () => {
    const hash = await link()
    const owner = await site.openListing()
    const visitor = await site.newPerson()
    await visitor.page.goto(`${site.url}/share/${hash}`)
    await visitor.page.getByRole('heading', { name: 'trip' }).waitFor()
    await deleteLink(owner.page)
    await act(visitor.page)
    await isGone(visitor.page)
    await visitor.close()
    await owner.close()
  })
