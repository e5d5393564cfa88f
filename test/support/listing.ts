// The listing in a browser: finding entries, selecting and dragging them.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { until } from './until.ts'

/** Replaces the content of a folder; a name with a trailing slash is a folder. */
export async function putFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await rm(root, { recursive: true, force: true })
  await mkdir(root)
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) await writeFile(path, content)
  }
}

/** The row or tile of a name. None is found while a dialog is open: wait for its end before one that is to go. */
export const entry = (page: Page, name: string): Locator =>
  page.locator('[data-entry]').filter({ has: page.getByRole('link', { name, exact: true }) })

/** The names that are shown as selected, in the order of the page. */
export async function selectedNames(page: Page): Promise<string[]> {
  return page
    .locator('[data-entry][aria-selected="true"] a.name')
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
}

/** The name of the focused entry. */
export function focusedName(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.querySelector('a.name')?.getAttribute('aria-label') ?? undefined)
}

/** Waits until an entry has the focus. */
export function isFocused(page: Page, name: string): Promise<void> {
  return until(async () => (await focusedName(page)) === name, `the focus is at ${name}`)
}

/** The centre of an element, in pixels of the window. */
export async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('the element is not visible')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses on an entry's icon and moves the pointer over another element, without releasing it. */
export async function dragOver(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await middleOf(from.locator('.file-icon'))
  const end = await middleOf(to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 6 })
}

/** Focuses the entry of the listing that Tab would reach. */
export const focusListing = (page: Page): Promise<void> => page.getByRole('grid').locator('[tabindex="0"]').first().focus()

/** Selects entries of the list by clicks, which focus the last. The only selected entry is not clicked, which would deselect it. */
export async function pick(page: Page, name: string, ...more: string[]): Promise<void> {
  const [selected, ...others] = await selectedNames(page)
  if (selected === name && others.length === 0) await entry(page, name).focus()
  else await entry(page, name).locator('.row-date').click()
  for (const other of more)
    await entry(page, other)
      .locator('.row-date')
      .click({ modifiers: ['Control'] })
}

export async function isSelected(page: Page, name: string): Promise<void> {
  await entry(page, name).and(page.locator('[aria-selected=true]')).waitFor()
}

/** Presses F2, and waits until the name can be typed: what changes entries is loaded after the page. */
export async function startRename(page: Page): Promise<void> {
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'New name' }).and(page.locator(':focus')).waitFor()
}

/** Opens a folder of the listing. */
export async function goInto(page: Page, name: string): Promise<void> {
  await entry(page, name).locator('.row-date').dblclick()
  await page.getByRole('grid', { name }).or(page.getByText('This folder is empty')).first().waitFor()
}
