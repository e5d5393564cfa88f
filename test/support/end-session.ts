// The end of a session in a page that stays open. The page makes calls by itself (the room on the disk, a renewal), and the first that is
// refused opens the sign-in, below which nothing can be used: a test that acts after the end would sometimes come too late.
import assert from 'node:assert/strict'
import type { Page, Route } from '@playwright/test'

/** Ends the session on the server, as an administrator or a new state does. */
export async function endSession(page: Page): Promise<void> {
  const token = await page.evaluate(() => Object.values(localStorage).find((value) => value.split('.').length === 3) ?? '')
  const { ok } = await fetch(`${new URL(page.url()).origin}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
  assert.ok(ok)
}

/** Ends the session while a change that `act` makes to a file is on its way, so that the server refuses it. */
export async function endSessionDuring(page: Page, act: () => Promise<unknown>): Promise<void> {
  const sent = Promise.withResolvers<Route>()
  const address = /\/api\/(resources\/|jobs$)/
  const hold = (route: Route) => (route.request().method() === 'GET' ? route.continue() : sent.resolve(route))
  await page.route(address, hold)
  await act()
  const change = await sent.promise
  await endSession(page)
  await change.continue()
  await page.unroute(address, hold)
}

/** Opens a folder as a double-click does, also when the page has asked for the sign-in by itself and the listing is hidden behind it. */
export async function openBehindPrompt(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name, exact: true, includeHidden: true })
  await page.locator('[data-entry]').filter({ has: link }).locator('.row-date').dispatchEvent('dblclick')
}
