// Navigation with the keyboard: typing, the path, the regions of the page, the menu key, palette and help.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, focusedName, focusListing, isFocused, selectedNames } from '../support/listing.ts'
import type { View } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({
  files: {
    ...{ 'apple.txt': 'apple', 'apricot.txt': 'apricot', 'banana.txt': 'banana' },
    ...{ 'Meadow/': '', 'Mill House/Site visit/': '', 'Mill House/plan.png': 'ground floor' },
  },
})

async function start(view: View = {}) {
  const person = await site.openListing(view)
  await focusListing(person.page)
  return person
}

/** Types letters while the time of the page stands still: it takes them for the beginning of one name within a second only. */
async function typeAtOnce(page: Page, letters: string) {
  await page.evaluate(() => {
    const now = performance.now()
    Object.defineProperty(performance, 'now', { value: () => now, configurable: true })
  })
  await page.keyboard.type(letters)
  await page.evaluate(() => Reflect.deleteProperty(performance, 'now'))
}

test('typing letters jumps by prefix, the same letter goes on, and never while a field has the focus', async () => {
  const person = await start()
  const { page } = person
  await typeAtOnce(page, 'apr')
  await isFocused(page, 'apricot.txt')
  assert.deepEqual(await selectedNames(page), ['apricot.txt'])
  await page.reload()
  await entry(page, 'apple.txt').focus()
  for (const name of ['Meadow', 'Mill House']) {
    await page.keyboard.press('m')
    await isFocused(page, name)
  }
  const before = await selectedNames(page)
  await page.keyboard.press('Control+l')
  await page.keyboard.type('b')
  assert.deepEqual(await selectedNames(page), before)
  assert.equal(await page.getByRole('textbox', { name: 'Path' }).inputValue(), 'b')
  await person.close()
})

test('a folder or a file that Enter opens has the focus, and Back gives it to its row', async () => {
  const { page, close } = await start()
  for (const [name, ...keys] of [
    ['Mill House', 'Home', 'ArrowDown'],
    ['Site visit', 'Home'],
  ] as const) {
    await entry(page, name).waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await isFocused(page, name)
    await page.keyboard.press('Enter')
    await page.waitForFunction((name) => document.title.startsWith(name) && document.activeElement?.matches('#main'), name)
  }
  await page.goBack()
  await isFocused(page, 'Site visit')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.waitForURL(/plan\.png$/)
  await page.waitForFunction(() => document.activeElement?.matches('#main'))
  await page.goBack()
  await isFocused(page, 'plan.png')
  await close()
})

test('Ctrl+L edits the path: Esc restores it, Enter goes there', async () => {
  const person = await start()
  const { page } = person
  await page.keyboard.press('Control+l')
  const field = page.getByRole('textbox', { name: 'Path' })
  assert.equal(await field.inputValue(), '/')
  await page.keyboard.type('/nowhere')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+l')
  await page.keyboard.type('Mill House')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site.url}/files/Mill%20House/`)
  await entry(page, 'plan.png').waitFor()
  await person.close()
})

test('Backspace and Alt+Up go to the folder above, with the child selected', async () => {
  const person = await start()
  const { page } = person
  for (const key of ['Backspace', 'Alt+ArrowUp']) {
    await page.goto(`${site.url}/files/Mill%20House/`)
    await entry(page, 'plan.png').waitFor()
    await page.keyboard.press(key)
    await page.waitForURL(`${site.url}/files/`)
    await entry(page, 'Mill House').and(page.locator('[aria-selected="true"]')).waitFor()
    await isFocused(page, 'Mill House')
  }
  await person.close()
})

test('Ctrl+Enter and the middle button open a new tab', async () => {
  const person = await start()
  const { page, context } = person
  await entry(page, 'Mill House').click()
  const [byKey] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await byKey.waitForURL(`${site.url}/files/Mill%20House/`)
  await byKey.close()
  const [byButton] = await Promise.all([
    context.waitForEvent('page'),
    entry(page, 'Mill House').getByRole('link').click({ button: 'middle' }),
  ])
  await byButton.waitForURL(`${site.url}/files/Mill%20House/`)
  await person.close()
})

test('F6 goes round the sidebar and the list', async () => {
  const person = await start()
  const { page } = person
  const regionOf = () => page.evaluate(() => document.activeElement?.closest('[data-region]')?.tagName)
  assert.equal(await regionOf(), 'MAIN')
  const goes = async (key: string, region: string) => {
    await page.keyboard.press(key)
    await until(async () => (await regionOf()) === region, `${key} goes to ${region}`)
  }
  await goes('F6', 'NAV')
  await goes('F6', 'MAIN')
  assert.ok(await focusedName(page))
  await goes('Shift+F6', 'NAV')
  await goes('Alt+Shift+ArrowDown', 'MAIN')
  await goes('Alt+Shift+ArrowUp', 'NAV')
  await goes('Alt+Shift+ArrowUp', 'MAIN')
  await person.close()
})

test('Ctrl+K opens the palette: words filter, arrows choose, Enter acts, Esc gives the focus back', async () => {
  const person = await start()
  const { page } = person
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Command' })
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.ok(await focusedName(page))
  await page.keyboard.press('Control+k')
  await field.fill('switch to ti')
  await until(async () => (await page.getByRole('option').count()) === 1, 'one command is left')
  await page.keyboard.press('Enter')
  await page.locator('.mosaic').waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('mill')
  await page.getByRole('option', { name: 'Mill House' }).and(page.locator('[aria-selected="true"]')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site.url}/files/Mill%20House/`)
  await person.close()
})

test('F1 and ? open the help, with the keys of the command table', async () => {
  const person = await start()
  const { page } = person
  for (const key of ['F1', '?']) {
    await page.keyboard.press(key)
    const help = page.getByRole('dialog', { name: 'Help' })
    await help.getByText('Edit the path').waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  }
  await person.close()
})

test('Shift+F10 and the Menu key open the menu at the focused item; arrows and Enter choose, Esc gives the focus back', async () => {
  // High enough for the whole menu below the row; otherwise it opens above.
  const person = await start({ height: 900 })
  const { page } = person
  await page.keyboard.press('b')
  await isFocused(page, 'banana.txt')
  for (const key of ['Shift+F10', 'ContextMenu', 'Control+Shift+Enter']) {
    await page.keyboard.press(key)
    const menu = page.getByRole('menu', { name: 'Actions' })
    await menu.getByRole('menuitem', { name: /Open in a new tab/ }).waitFor()
    // It is drawn before it is put to its place.
    await until(async () => {
      const [at, row] = [await menu.boundingBox(), await entry(page, 'banana.txt').boundingBox()]
      return at !== null && row !== null && Math.abs(at.y - row.y - row.height) < 80
    }, 'the menu is at the row')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await isFocused(page, 'banana.txt')
  }
  await person.close()
})

test('on a Mac, without the keys that it lacks: rename, delete, toggle, and the menus and the help show its keys', async () => {
  const person = await site.openListing(
    {},
    { prepare: ({ page }) => page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })) },
  )
  const { page } = person
  await focusListing(page)
  await page.keyboard.press('b')
  await page.keyboard.press('Shift+Enter')
  const field = page.getByRole('textbox', { name: 'New name' })
  assert.equal(await field.inputValue(), 'banana.txt')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.deepEqual(await selectedNames(page), ['banana.txt'])
  await page.keyboard.press('Shift+Space')
  assert.deepEqual(await selectedNames(page), [])
  await page.keyboard.press('Shift+Space')
  await page.keyboard.press('Meta+Shift+Enter')
  const menu = page.getByRole('menu', { name: 'Actions' })
  await menu.getByRole('menuitem', { name: 'Delete ⌘ ⌫' }).waitFor()
  await menu.getByRole('menuitem', { name: 'Rename ⇧ ↵' }).waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.matches('[data-entry]'))
  await page.keyboard.press('Meta+Backspace')
  await page.getByRole('dialog', { name: 'Delete' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Help' })
  await help.getByText('⌫').first().waitFor()
  await person.close()
})

test('the selection is one tab stop: arrows, Home and End go among its buttons, also from right to left', async () => {
  const person = await start()
  const { page } = person
  await page.keyboard.press('b')
  const bar = page.locator('[role="toolbar"]')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await bar.getByRole('button', { name: 'Clear selection' }).focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(), 'Download')
  await page.keyboard.press('End')
  assert.equal(await focused(), 'Delete')
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(), 'Clear selection')
  await page.keyboard.press('ArrowLeft')
  assert.equal(await focused(), 'Delete')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.closest('[role="toolbar"]')), null)
  await page.keyboard.press('Shift+Tab')
  assert.equal(await focused(), 'Delete')
  assert.deepEqual(await selectedNames(page), ['banana.txt'], 'the list does not take the keys')
  await person.close()
})

for (const key of ['Enter', 'Escape'])
  test(`in the bar of the selection ${key} clears it, and the keyboard goes back to the row`, async () => {
    const person = await start()
    const { page } = person
    await page.keyboard.press('b')
    await page.getByRole('toolbar').getByRole('button', { name: 'Clear selection' }).focus()
    await page.keyboard.press(key)
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    assert.deepEqual(await selectedNames(page), [])
    await isFocused(page, 'banana.txt')
    await person.close()
  })

test('the menu of several is whole in a window of 800 px: it begins higher where there is no room below', async () => {
  const person = await start()
  const { page } = person
  await page.keyboard.press('Control+a')
  await entry(page, 'apricot.txt').focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'Actions' })
  await menu.getByRole('menuitem', { name: /^Delete/ }).waitFor()
  assert.ok(await menu.evaluate((one) => one.scrollHeight <= one.clientHeight), 'nothing of it is scrolled away')
  const isWithin = async (height: number, least: number) => {
    const box = await menu.boundingBox()
    return box !== null && box.y >= 0 && box.height > least && box.y + box.height <= height
  }
  await until(() => isWithin(800, 0), 'it is within the window')
  // In a window that is lower than the menu it takes the whole height, and scrolls.
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await isFocused(page, 'apricot.txt')
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.keyboard.press('Shift+F10')
  await menu.getByRole('menuitem', { name: /^Delete/ }).waitFor()
  await until(() => isWithin(400, 360), 'it has the height of the window')
  await person.close()
})

test('a name that is being typed stays with its file when another row is inserted above it', async () => {
  const person = await start()
  const { page } = person
  const held = Promise.withResolvers<void>()
  await page.route('**/api/resources/aaa.txt*', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await (await chooser).setFiles({ name: 'aaa.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await page.getByRole('region', { name: 'Transfers' }).waitFor()
  await entry(page, 'apricot.txt').click()
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: 'New name' })
  await field.fill('half a na')
  held.resolve()
  await entry(page, 'aaa.txt').waitFor()
  assert.equal(await field.inputValue(), 'half a na')
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.press('Escape')
  await entry(page, 'apricot.txt').waitFor()
  await person.close()
})
