// The specification's header dropdown, sidebar, footer, prompts and mobile breakpoint, in the real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, pick } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { longPress } from '../support/touch.ts'

const site = startSite({ view: { motion: true }, files: { 'a.txt': 'a', 'b.txt': 'b', 'folder/inside.txt': '' } })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const more = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'More' })

test('Header dropdown: share, rename, copy, move, delete, switch view, download, upload, info, select multiple', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt')
  await more(page).click()
  // The server says so.
  await page.getByRole('menuitem').filter({ hasText: 'Nothing to redo' }).waitFor()
  const items = (await page.getByRole('menuitem').locator('.label').allTextContents()).join('; ')
  assert.equal(
    items,
    'Select all; Select several; Switch to tiles; Refresh; Edit the path; Upload files…; Upload a folder…; PasteCopy or cut something first; ' +
      'UndoNothing to undo; RedoNothing to redo; Last actions; Rename; Copy to…; Move to…; Download; Download this folder; Share; Request filesOpen a folder first; ' +
      'Compress here…; Information; Help; Delete',
  )
  await close()
})

test('Header dropdown with nothing selected: only what needs no selection, whole in a window of 800 px', async () => {
  const { page, close } = await site.openListing({ width: 1280, height: 800 })
  await more(page).click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  assert.deepEqual(await menu.getByRole('menuitem', { name: /^(Rename|Copy to|Move to|Share|Delete)/ }).allTextContents(), [])
  assert.ok(
    await menu.evaluate((all) => all.scrollHeight <= all.clientHeight && all.getBoundingClientRect().bottom <= innerHeight),
  )
  await close()
})

test('Sidebar when logged in: My files, New folder, New file, Trash, Settings, Logout', async () => {
  const { page, close } = await site.openListing()
  // It comes with a later part.
  await sidebar(page).getByRole('button', { name: 'Trash' }).waitFor()
  assert.deepEqual(await sidebar(page).getByRole('link').allTextContents(), ['My files'])
  const buttons = await sidebar(page).getByRole('button').allTextContents()
  assert.deepEqual(buttons, ['New folder', 'New file', 'Trash', 'Settings', 'Sign out', 'Help'])
  await close()
})

const usage = { total: 500e9, used: 312e9 }

test('Sidebar: the space of the disk that holds the folder', async () => {
  const { page, close } = await site.openListing()
  await page.route('**/api/usage/folder', (route) => route.fulfill({ json: usage }))
  await sidebar(page)
    .getByText(/^Storage/)
    .waitFor()
  await entry(page, 'folder').locator('.row-date').dblclick()
  await sidebar(page).getByText('312 GB of 500 GB').waitFor()
  assert.equal(await sidebar(page).getByRole('meter', { name: 'Storage used' }).getAttribute('value'), '62')
  await close()
})

test('Sidebar: the space is not shown when the setting turns it off', async () => {
  const withoutUsage = async (page: Page) =>
    page.route('**/files/', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('"DisableUsedPercentage":false', '"DisableUsedPercentage":true')
      await route.fulfill({ response, body })
    })
  const { page, close } = await site.openListing()
  await withoutUsage(page)
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.clock.install()
  await page.reload()
  await entry(page, 'folder').waitFor()
  await page.clock.runFor(5000)
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/api/usage')),
    [],
  )
  await close()
})

test('Sidebar when logged out: Login', async () => {
  const person = await site.newPerson()
  await person.page.goto(`${site.url}/404`)
  await sidebar(person.page).getByRole('button', { name: 'Sign in' }).waitFor()
  assert.deepEqual(await sidebar(person.page).getByRole('button').allTextContents(), ['Sign in'])
  await sidebar(person.page).getByRole('button', { name: 'Sign in' }).click()
  await person.page.waitForURL(`${site.url}/login`)
  await person.close()
})

test('Every screen but the login has header, sidebar, main area and prompts', async () => {
  const { page, close } = await site.openListing()
  const parts = [page.getByRole('banner'), sidebar(page), page.getByRole('main')]
  for (const path of [
    '/files/',
    '/files/folder/',
    '/settings/profile',
    '/settings/global',
    '/settings/users',
    '/403',
    '/404',
    '/500',
  ]) {
    await page.goto(site.url + path)
    for (const part of parts) await part.first().waitFor()
    await page.keyboard.press('F1')
    await page.getByRole('dialog', { name: 'Help' }).waitFor()
  }
  await close()
  const person = await site.newPerson()
  await person.page.goto(`${site.url}/login`)
  await person.page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.deepEqual([await person.page.getByRole('banner').count(), await sidebar(person.page).count()], [0, 0])
  await person.close()
})

test('All that the page loads, apart from calls, is below /static/', async () => {
  const { page, close } = await site.openListing()
  const loaded = new Set<string>()
  const others: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/static/')) loaded.add(`${pathname.split('.').at(-1)} ${response.status()}`)
    else if (!pathname.startsWith('/api/') && response.request().resourceType() !== 'document') others.push(pathname)
  })
  await page.reload()
  await entry(page, 'folder').waitFor()
  await page.keyboard.press('F1')
  await page.getByRole('dialog', { name: 'Help' }).waitFor()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [...loaded].filter((one) => !one.endsWith(' 200') && !one.endsWith(' 304')),
    [],
  )
  for (const kind of ['js', 'css'])
    assert.ok(
      [...loaded].some((one) => one.startsWith(kind)),
      kind,
    )
  await close()
})

test('Footer: product name, version, Help', async () => {
  const { page, close } = await site.openListing()
  assert.match((await page.locator('.footer').textContent()) ?? '', /^Holdall \d+\.\d+\.\d+·Help$/)
  await page.locator('.footer').getByRole('button', { name: 'Help' }).click()
  await page.getByRole('dialog', { name: 'Help' }).waitFor()
  await close()
})

test('One prompt at a time: a key that opens another does nothing while one is open', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog', { name: /^Delete/ }).waitFor()
  for (const key of ['F1', 'F2', 'Alt+Enter', 'Control+k', 'Control+l', 'Control+a']) await page.keyboard.press(key)
  assert.equal(await page.getByRole('dialog').count(), 1)
  assert.equal(await page.getByRole('textbox').count(), 0)
  await close()
})

test('Esc closes the overlay; clicking the backdrop closes it', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt')
  const leaves = [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]
  for (const leave of leaves) {
    for (const [key, role] of [
      ['Alt+Enter', 'dialog'],
      ['F1', 'dialog'],
      ['Control+k', 'dialog'],
      ['Shift+F10', 'menu'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole(role).waitFor()
      // It listens for presses outside only after its animation has ended.
      await page.waitForFunction(() => document.getAnimations().length === 0)
      await leave()
      await page.getByRole(role).waitFor({ state: 'detached' })
    }
  }
  await close()
})

test('The sidebar is a drawer that closes by Esc, by its backdrop and by a route change', async () => {
  const { page, close } = await site.openListing({ width: 800, height: 800 })
  const open = async () => {
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    await sidebar(page).waitFor()
  }
  await open()
  await page.keyboard.press('Escape')
  await sidebar(page).waitFor({ state: 'hidden' })
  await open()
  await page.mouse.click(700, 400)
  await sidebar(page).waitFor({ state: 'hidden' })
  await page.goto(`${site.url}/files/folder/`)
  await entry(page, 'inside.txt').waitFor()
  await open()
  await sidebar(page).getByRole('link', { name: 'My files' }).click()
  await entry(page, 'a.txt').waitFor()
  await sidebar(page).waitFor({ state: 'hidden' })
  await close()
})

test('A sidebar that was hidden in a wide window still opens as a drawer in a narrow one', async () => {
  const { page, close } = await site.openListing()
  await page.getByRole('button', { name: 'Hide sidebar' }).click()
  await sidebar(page).waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 800, height: 800 })
  await page.getByRole('button', { name: 'Open sidebar' }).click()
  await sidebar(page).getByRole('link', { name: 'My files' }).waitFor()
  await close()
})

test('At 736 px or narrower the selection actions show inline with a selected count, above it in the path bar', async () => {
  const { page, close } = await site.openListing({ width: 736, height: 800, touch: true })
  await longPress(page, 'a.txt')
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText(/^1 selected/).waitFor()
  const names = await bar.getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  assert.deepEqual(names, ['Clear selection', 'Download', 'Share', 'Rename', 'Copy to…', 'Move to…', 'Delete', 'More'])
  const positionOf = () => bar.evaluate((one) => [getComputedStyle(one).position, Math.round(one.getBoundingClientRect().bottom)])
  assert.deepEqual(await positionOf(), ['fixed', 800])
  await page.setViewportSize({ width: 737, height: 800 })
  assert.equal((await positionOf())[0], 'static')
  // On touch screens the menu of the selection has a button at any width.
  assert.equal(await bar.getByRole('button', { name: 'More' }).count(), 1)
  await close()
})
