// Folders of which the server reports the changes to a page.
import type { Page } from '@playwright/test'

/** Opens a folder by its address, and waits until the server reports its changes. */
export async function openFollowed(page: Page, address: string): Promise<void> {
  const followed = page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"following"')))
  await page.goto(address)
  await followed
}

/** Sends a call of the signed-in person. @param address follows `/api/resources/` @throws when it is refused */
export async function callResource(page: Page, method: string, address: string): Promise<void> {
  await page.evaluate(
    async ([method = '', address = '']) => {
      const headers = { 'X-Auth': localStorage.getItem('holdall:token') ?? '' }
      const { ok, status } = await fetch(`/api/resources/${address}`, { method, headers })
      if (!ok) throw new Error(`${method} ${address}: ${status}`)
    },
    [method, address],
  )
}
