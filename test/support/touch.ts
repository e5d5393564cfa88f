// A finger on the page, by the browser's own protocol: Playwright's `tap` knows no long press.
import type { Locator, Page } from '@playwright/test'
import { entry, isSelected, middleOf } from './listing.ts'

/** Puts a finger on something and leaves it there. @returns what lifts it */
export async function pressFinger(page: Page, on: Locator): Promise<() => Promise<void>> {
  const at = await middleOf(on)
  const client = await page.context().newCDPSession(page)
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  return async () => {
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await client.detach()
  }
}

/** A finger that rests on an entry selects it. */
export async function holdFinger(page: Page, name: string): Promise<void> {
  const lift = await pressFinger(page, entry(page, name))
  await isSelected(page, name)
  await lift()
}
