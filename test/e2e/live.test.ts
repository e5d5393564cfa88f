// Two pages on one folder: what one does, and what other programs do, the other sees in place.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, focusedName, isSelected, pick, selectedNames, startRename } from '../support/listing.ts'
import { signIn, uploadByButton } from '../support/person.ts'
import { byScale } from '../support/scale.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

/** Far more changes than are sent one by one. */
const flood = byScale({ usual: 3000, long: 10000 })
const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`file ${String(index).padStart(2, '0')}.txt`, 'x']))
const site = startSite({ files: { ...many, 'd/e/inner.txt': 'x' }, prepare: ({ folder }) => mkdir(join(folder, 'source')) })

/** Opens the folder, and waits until the server reports its changes. */
async function openLive(path = '/files/') {
  let followed = () => false
  const person = await site.openListing(
    {},
    {
      path,
      prepare: async ({ page }) => {
        followed = watchSocket(page)
      },
    },
  )
  await until(followed, 'the folder is followed')
  return person
}

/** @returns whether the server reports changes to the page */
function watchSocket(page: Page): () => boolean {
  let isFollowed = false
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"following"')) isFollowed = true
    }),
  )
  return () => isFollowed
}

/** How often a folder is read from now on. */
function countListings(page: Page) {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname.startsWith('/api/resources/')) count += 1
  })
  return () => count
}

const shownNames = (page: Page) =>
  page.locator('[data-entry] a.name').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))

/** Whether the pane has been scrolled to the focused row, and all rows there are drawn. Runs in the page. */
function isFocusInView(): boolean {
  const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const [pane, focused] = [boxOf('.pane'), boxOf('[role=grid] [tabindex="0"]')]
  if (!pane || !focused || focused.top < pane.top - 1 || focused.bottom > pane.bottom + 1) return false
  const rows = [...document.querySelectorAll('.row[data-entry]')].map((row) => row.getBoundingClientRect())
  const inView = rows.filter(({ top, bottom }) => bottom > pane.top && top < pane.bottom)
  // Headings and the column headers take the rest.
  return (inView.length + 3) * focused.height >= pane.height
}

test('what another program does is shown in place: selection, focus, scroll and the name that is typed stay', async () => {
  const { page, close } = await openLive()
  await page.locator('.pane').evaluate((pane) => {
    pane.scrollTop = 1200
  })
  await pick(page, 'file 35.txt')
  await startRename(page)
  await page.keyboard.type('typed')
  const listings = countListings(page)
  const top = () => page.locator('[data-entry="/file 35.txt"]').evaluate((row) => row.getBoundingClientRect().top)
  const before = await top()
  await writeFile(join(site.root, 'file 00 more.txt'), 'new')
  await writeFile(join(site.root, 'file 34a.txt'), 'new')
  await rm(join(site.root, 'file 36.txt'))
  await entry(page, 'file 34a.txt').waitFor()
  await entry(page, 'file 36.txt').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.rename input:focus').inputValue(), 'typed.txt')
  // The three changes may come in several messages.
  await until(async () => (await top()) === before, 'the row stays where it was')
  await page.keyboard.press('Escape')
  assert.deepEqual(await selectedNames(page), ['file 35.txt'])
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-entry')), '/file 35.txt')
  assert.equal(listings(), 0)
  await close()
})

test('two hundred changes in a row on one page are on the other, none lost and none twice', async () => {
  const [one, other] = [await openLive('/files/d/'), await openLive('/files/d/')]
  await one.page.evaluate(async () => {
    const headers = { 'X-Auth': localStorage.getItem('holdall:token') ?? '' }
    const ask = async (method: string, address: string) => {
      const answer = await fetch(`/api/resources/d/${address}`, { method, headers })
      if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status}`)
    }
    for (let index = 0; index < 50; index++) {
      await ask('POST', `made ${index}`)
      await ask('PATCH', `made ${index}?action=rename&destination=/d/moved ${index}`)
      await ask('POST', `other ${index}`)
      if (index % 5 > 0) await ask('DELETE', `other ${index}`)
      else await ask('POST', `folder ${index}/`)
    }
    // More entries than there were at any moment before: their number tells that all changes have come.
    for (const name of ['y', 'z']) await ask('POST', name)
  })
  const wanted = fs.readdirSync(join(site.root, 'd')).toSorted()
  assert.equal(wanted.length, 1 + 50 + 10 + 10 + 2)
  for (const { page } of [one, other]) {
    await page.locator(`[role=grid][aria-rowcount="${wanted.length + 3}"]`).waitFor()
    const seen = new Set<string>()
    for (const key of ['Home', ...Array.from({ length: 8 }, () => 'PageDown')]) {
      await page.locator('[data-entry]').first().waitFor()
      await page.getByRole('grid').locator('[tabindex="0"]').first().focus()
      await page.keyboard.press(key)
      await page.waitForFunction(isFocusInView)
      const names = await shownNames(page)
      assert.equal(new Set(names).size, names.length, 'a name is shown twice')
      for (const name of names) seen.add(name)
    }
    assert.deepEqual([...seen].toSorted(), wanted)
  }
  await one.close()
  await other.close()
})

test('what a person uploads, renames and deletes is on the other page; the own page shows nothing twice', async () => {
  const [one, other] = [await openLive('/files/d/e/'), await openLive('/files/d/e/')]
  await writeFile(join(site.folder, 'source', 'sent.txt'), 'sent')
  await uploadByButton(one.page, [join(site.folder, 'source', 'sent.txt')])
  await entry(other.page, 'sent.txt').waitFor()
  await pick(one.page, 'sent.txt')
  await startRename(one.page)
  await one.page.keyboard.press('Control+A')
  await one.page.keyboard.type('renamed.txt')
  await one.page.keyboard.press('Enter')
  await entry(other.page, 'renamed.txt').waitFor()
  await isSelected(one.page, 'renamed.txt')
  // A file is renamed by a second link and the removal of the first: between the two a page may show both names.
  for (const { page } of [one, other])
    await until(async () => (await shownNames(page)).join(' ') === 'inner.txt renamed.txt', 'each entry is shown once')
  await one.page.keyboard.press('Delete')
  await one.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await entry(other.page, 'renamed.txt').waitFor({ state: 'detached' })
  await one.close()
  await other.close()
})

test('a folder that is removed says so, one that is moved leads to its new place, and one that is back is shown', async () => {
  const [one, other] = [await openLive('/files/d/e/'), await openLive('/files/d/')]
  await pick(other.page, 'e')
  await startRename(other.page)
  await other.page.keyboard.type('new name')
  await other.page.keyboard.press('Enter')
  await one.page.getByRole('heading', { name: 'This folder was moved.' }).waitFor()
  await one.page.getByRole('button', { name: /^Open .{0,2}new name/ }).click()
  await entry(one.page, 'inner.txt').waitFor()
  await rename(join(site.root, 'd'), join(site.root, 'elsewhere'))
  await one.page.getByRole('heading', { name: 'This folder is no longer here.' }).waitFor()
  await rename(join(site.root, 'elsewhere'), join(site.root, 'd'))
  await entry(one.page, 'inner.txt').waitFor()
  await one.close()
  await other.close()
})

test('a deletion of several items goes on although the first has left the page already', async () => {
  const { page, close } = await openLive()
  const mayGoOn = Promise.withResolvers<void>()
  await page.route('**/api/resources/file%2001.txt', async (route) => {
    await mayGoOn.promise
    await route.continue()
  })
  await pick(page, 'file 00.txt', 'file 01.txt')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await entry(page, 'file 00.txt').waitFor({ state: 'detached' })
  mayGoOn.resolve()
  await entry(page, 'file 01.txt').waitFor({ state: 'detached' })
  await until(async () => (await focusedName(page)) === 'file 02.txt', 'the keyboard is at the neighbour')
  await close()
})

test(`${flood} files by another program are listed with pauses, and the page answers meanwhile`, async (t) => {
  const { page, close } = await openLive('/files/d/e/')
  const longest = await watchLongTasks(page)
  const listings = countListings(page)
  const started = performance.now()
  for (let index = 0; index < flood; index++) fs.writeFileSync(join(site.root, 'd/e', `many ${index}`), '')
  await page.locator(`[role=grid][aria-rowcount="${flood + 3}"]`).waitFor({ timeout: 90_000 })
  // At most once a second, and two at the ends.
  const most = 2 + (performance.now() - started) / 1000
  assert.ok(listings() <= most, `${listings()} listings, of ${most} at most`)
  // The aim is 100 ms; here it depends on what else the machine does.
  t.diagnostic(`the longest task of the page took ${await longest()} ms`)
  await close()
})

/** Records the longest task of the page's main thread. @returns a function that returns its milliseconds */
async function watchLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const watched = globalThis as unknown as { longest: number }
    watched.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, Math.round(duration))
    }).observe({ type: 'longtask' })
  })
  return () => page.evaluate(() => (globalThis as unknown as { longest: number }).longest)
}

test('the connection comes back by itself, and what happened meanwhile is shown', async () => {
  let cut = () => {}
  let connections = 0
  const { page, close } = await site.openListing(
    {},
    {
      path: '/files/d/e/',
      prepare: async ({ page }) => {
        await page.routeWebSocket('**/api/live', (socket) => {
          connections += 1
          socket.connectToServer()
          cut = () => void socket.close()
        })
      },
    },
  )
  await until(() => connections === 1, 'the page is connected')
  cut()
  await writeFile(join(site.root, 'd/e/meanwhile.txt'), 'x')
  await entry(page, 'meanwhile.txt').waitFor()
  await until(() => connections === 2, 'the page is connected again')
  await writeFile(join(site.root, 'd/e/afterwards.txt'), 'x')
  await entry(page, 'afterwards.txt').waitFor()
  await close()
})

test('the end of the session elsewhere is said while a file is shown, without a step of the person', async () => {
  const { page, close } = await site.newPerson()
  const followed = watchSocket(page)
  await signIn(page, site.url)
  await until(followed, 'the page is connected')
  await entry(page, 'file 00.txt').dblclick()
  await page.waitForURL('**/file%2000.txt')
  const token = await page.evaluate(() => localStorage.getItem('holdall:token') ?? '')
  await fetch(`${site.url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor()
  await close()
})

test('the end of the session elsewhere asks to sign in again, and the folder goes on afterwards', async () => {
  const { page, close } = await site.newPerson()
  const followed = watchSocket(page)
  await signIn(page, site.url)
  await until(followed, 'the folder is followed')
  const token = await page.evaluate(() => localStorage.getItem('holdall:token') ?? '')
  assert.ok(token)
  await fetch(`${site.url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor()
  await close()
})
