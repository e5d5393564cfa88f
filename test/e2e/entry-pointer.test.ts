// The pointer in the listing: menus, the rubber band, dragging, and touch on a phone.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { dragOver, entry, middleOf, selectedNames } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { startSite } from '../support/site.ts'
import { longPress } from '../support/touch.ts'

const scans = Array.from({ length: 100 }, (_, index) => [`many/scan ${100 + index}.tif`, ''])
const site = startSite({
  files: {
    ...{ 'photos/2026/': '', 'drawings/': '', 'note.txt': 'note', 'list.txt': 'list' },
    ...Object.fromEntries(scans),
  },
})

const start = (folder = '') => site.openListing({}, { path: `/files/${folder}${folder && '/'}` })

const menu = (page: Page) => page.getByRole('menu')

test('a right-click selects the item first when it is not in the selection', async () => {
  const person = await start()
  const { page } = person
  await entry(page, 'note.txt').click()
  await entry(page, 'list.txt').click({ button: 'right' })
  await menu(page).waitFor()
  assert.deepEqual(await selectedNames(page), ['list.txt'])
  await page.keyboard.press('Escape')
  await entry(page, 'note.txt').click({ modifiers: ['Control'] })
  await entry(page, 'note.txt').click({ button: 'right' })
  await menu(page).waitFor()
  assert.deepEqual(await selectedNames(page), ['list.txt', 'note.txt'])
  const refused = menu(page).getByRole('menuitem', { name: /Open in a new tab/ })
  assert.equal(await refused.getAttribute('aria-disabled'), 'true')
  await refused.getByText('Select one item only').waitFor()
  await person.close()
})

test('empty space has the menu of the folder, the three dots that of the row', async () => {
  const person = await start()
  const { page } = person
  const pane = await page.locator('.pane').boundingBox()
  assert.ok(pane)
  await page.mouse.click(pane.x + pane.width / 2, pane.y + pane.height - 20, { button: 'right' })
  await menu(page)
    .getByRole('menuitem', { name: /New folder/ })
    .click()
  await page.getByRole('dialog', { name: 'New folder' }).waitFor()
  await page.keyboard.press('Escape')
  await entry(page, 'note.txt').hover()
  await entry(page, 'note.txt').getByRole('button', { name: 'Actions' }).click()
  await menu(page)
    .getByRole('menuitem', { name: /Download/ })
    .waitFor()
  assert.deepEqual(await selectedNames(page), ['note.txt'])
  await person.close()
})

test('a click on the sole selected item deselects it, on release and not within the double-click time', async () => {
  const person = await start()
  const { page } = person
  await entry(page, 'note.txt').click()
  await page.evaluate(() => {
    const times = { released: 0, deselected: 0 }
    Object.assign(globalThis, { times })
    addEventListener('pointerup', () => Object.assign(times, { released: performance.now() }), { capture: true })
    new MutationObserver(() => {
      if (!document.querySelector('[aria-selected="true"]')) times.deselected ||= performance.now()
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await entry(page, 'note.txt').click({ delay: 20 })
  await page.locator('[aria-selected="true"]').waitFor({ state: 'detached' })
  const { released, deselected } = await page.evaluate(
    () => (globalThis as unknown as { times: { released: number; deselected: number } }).times,
  )
  assert.ok(released > 0 && deselected - released >= 290, `it is deselected ${deselected - released} ms after the release`)
  await person.close()
})

test('a click on a member of a multiple selection collapses to it on release', async () => {
  const person = await start()
  const { page } = person
  await entry(page, 'note.txt').click()
  await entry(page, 'list.txt').click({ modifiers: ['Control'] })
  const { x, y } = await middleOf(entry(page, 'note.txt'))
  await page.mouse.move(x, y)
  await page.mouse.down()
  assert.deepEqual(await selectedNames(page), ['list.txt', 'note.txt'])
  await page.mouse.up()
  assert.deepEqual(await selectedNames(page), ['note.txt'])
  await person.close()
})

test('a drag on empty space draws a band that selects what it touches; Esc gives the selection back', async () => {
  const person = await start()
  const { page } = person
  const pane = await page.locator('.pane').boundingBox()
  const note = await entry(page, 'note.txt').boundingBox()
  assert.ok(pane && note)
  const from = { x: pane.x + 300, y: note.y + note.height + 60 }
  await entry(page, 'photos').click()
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 80, note.y + 5, { steps: 5 })
  assert.deepEqual(await selectedNames(page), ['note.txt'])
  await page.keyboard.press('Escape')
  await page.mouse.up()
  assert.deepEqual(await selectedNames(page), ['photos'])
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 80, note.y - 20, { steps: 5 })
  await page.mouse.up()
  assert.deepEqual(await selectedNames(page), ['list.txt', 'note.txt'])
  await person.close()
})

test('the band scrolls at the edges', async () => {
  const person = await start('many')
  const { page } = person
  const pane = await page.locator('.pane').boundingBox()
  assert.ok(pane)
  await page.mouse.move(pane.x + 4, pane.y + 60)
  await page.mouse.down()
  await page.mouse.move(pane.x + 200, pane.y + pane.height - 2, { steps: 5 })
  await page
    .getByRole('toolbar', { name: 'Selection' })
    .getByText(/^100 selected/)
    .waitFor()
  await page.mouse.up()
  await person.close()
})

/** Keeps folders closed below a drag, which open after this many milliseconds. */
const neverOpen = (page: Page) =>
  page.evaluate((openingTime) => {
    const { setTimeout } = window
    const withoutOpening = (work: () => void, delay?: number) => (delay === openingTime ? 0 : setTimeout(work, delay))
    window.setTimeout = withoutOpening as typeof window.setTimeout
  }, 700)

test('dragging a row onto a folder moves it; the badge shows the number and the verb', async () => {
  const person = await start()
  const { page } = person
  await entry(page, 'note.txt').click()
  await entry(page, 'list.txt').click({ modifiers: ['Control'] })
  await neverOpen(page)
  await dragOver(page, entry(page, 'note.txt'), entry(page, 'drawings'))
  await page
    .locator('.drag-badge')
    .getByText(/^Move to/)
    .waitFor()
  assert.match((await page.locator('.drag-badge').textContent()) ?? '', /^2/)
  await page.mouse.up()
  await noticeShown(page, '2 items moved to “\u2068drawings')
  await entry(page, 'note.txt').waitFor({ state: 'detached' })
  assert.ok(existsSync(join(site.root, 'drawings/note.txt')) && existsSync(join(site.root, 'drawings/list.txt')))
  await person.close()
})

test('Ctrl copies, and the verb follows the key at once', async () => {
  const person = await start()
  const { page } = person
  await neverOpen(page)
  await dragOver(page, entry(page, 'note.txt'), entry(page, 'drawings'))
  await page
    .locator('.drag-badge')
    .getByText(/^Move to/)
    .waitFor()
  await page.keyboard.down('Control')
  await page
    .locator('.drag-badge')
    .getByText(/^Copy to/)
    .waitFor()
  await page.mouse.up()
  await page.keyboard.up('Control')
  await noticeShown(page, '1 item copied to “\u2068drawings')
  assert.ok(existsSync(join(site.root, 'note.txt')) && existsSync(join(site.root, 'drawings/note.txt')))
  await person.close()
})

test('an invalid target refuses on hover and says why; Esc cancels', async () => {
  const person = await start()
  const { page } = person
  await entry(page, 'drawings').click()
  await entry(page, 'photos').click({ modifiers: ['Control'] })
  await dragOver(page, entry(page, 'drawings'), entry(page, 'photos'))
  await page.locator('.drag-badge').getByText('A folder cannot be put inside itself').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.drag-badge').waitFor({ state: 'detached' })
  await page.mouse.up()
  assert.ok(existsSync(join(site.root, 'drawings')))
  await person.close()
})

test('hovering over a folder while dragging opens it; breadcrumbs and the sidebar are targets', async () => {
  const person = await start('photos')
  const { page } = person
  await entry(page, '2026').waitFor()
  await dragOver(
    page,
    entry(page, '2026'),
    page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }),
  )
  await page
    .locator('.drag-badge')
    .getByText(/^Move to/)
    .waitFor()
  await page.waitForURL(`${site.url}/files/`)
  const { x, y } = await middleOf(entry(page, 'drawings'))
  // At once, because a folder on the way may open too when the pointer is slow.
  await page.mouse.move(x, y)
  await page.waitForURL(`${site.url}/files/drawings/`)
  const mine = await middleOf(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'My files' }))
  await page.mouse.move(mine.x, mine.y)
  await page.locator('.nav-item[data-drop="target"]').waitFor()
  await page.mouse.up()
  await page.waitForFunction(() => document.querySelector('.drag-badge') === null)
  await noticeShown(page, '1 item moved to “\u2068My files')
  assert.ok(existsSync(join(site.root, '2026')))
  await person.close()
})

test('on a phone nothing is selected after Back from a file, so that the next tap opens', async () => {
  const person = await site.openListing({ width: 390, height: 844, touch: true })
  const { page } = person
  for (const leave of [() => page.goBack(), () => page.getByRole('button', { name: 'Close', exact: true }).tap()])
    for (const name of ['note.txt', 'list.txt']) {
      await entry(page, name).tap({ position: { x: name === 'note.txt' ? 150 : 220, y: 20 } })
      await page.waitForURL(`${site.url}/files/${name}`)
      await leave()
      await page.waitForFunction((path) => document.activeElement?.getAttribute('data-entry') === path, `/${name}`)
      assert.deepEqual(await selectedNames(page), [])
    }
  await person.close()
})

test('on a phone a long press selects, and the actions open as a sheet at the bottom', async () => {
  const person = await site.openListing({ width: 390, height: 844, touch: true })
  const { page } = person
  await longPress(page, 'list.txt')
  assert.deepEqual(await selectedNames(page), ['list.txt'])
  await page.getByRole('button', { name: 'Clear selection' }).tap()
  await entry(page, 'note.txt').getByRole('button', { name: 'Actions' }).tap()
  const sheet = menu(page)
  await sheet.waitFor()
  // After its animation.
  await page.waitForFunction(() => {
    const box = document.querySelector('[role="menu"]')?.getBoundingClientRect()
    return box?.width === innerWidth && Math.round(box.bottom) === innerHeight
  })
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'More' }).tap()
  await sheet.waitFor()
  await person.close()
})
