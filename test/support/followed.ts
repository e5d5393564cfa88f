// Folders of which the server reports the changes to a page.
import type { Frame, Page } from '@playwright/test'

/** Opens a folder by its address, and waits until the server reports its changes. */
export async function openFollowed(page: Page, address: string): Promise<void> {
  // The page that is left may open its socket only now.
  let isThere = false
  const arrive = (frame: Frame) => {
    isThere ||= frame === page.mainFrame()
  }
  page.on('framenavigated', arrive)
  const followed = page
    .waitForEvent('websocket', () => isThere)
    .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"following"')))
  try {
    await page.goto(address)
    await followed
  } finally {
    page.off('framenavigated', arrive)
  }
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
