// The listing as a person sees and touches it.
import type { Locator, Page } from '@playwright/test'

/** The row or tile of a name. */
export const entry = (page: Page, name: string): Locator =>
  page.locator('[data-entry]').filter({ has: page.getByRole('link', { name, exact: true }) })

/** The names that are shown as selected, in the order of the page. */
export async function selectedNames(page: Page): Promise<string[]> {
  return page
    .locator('[data-entry][aria-selected="true"] a.name')
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
}

/** The name of the entry at which the keyboard is. */
export function focusedName(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.querySelector('a.name')?.getAttribute('aria-label') ?? undefined)
}

/** The middle of what a locator finds, in pixels of the window. */
export async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not to be seen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses on one thing and moves the pointer over another, without letting go. */
export async function dragOver(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await middleOf(from)
  const end = await middleOf(to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 6 })
}

/** Puts the keyboard at the listing's own place. */
export const focusListing = (page: Page): Promise<void> => page.getByRole('grid').locator('[tabindex="0"]').first().focus()
