import type { Page } from '@playwright/test'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></svg>'

/** Shows the mosaic with the thumbnail of `picture.png`, which is an empty file, and opens the menu of the tiles. */
export async function showTileMenu(page: Page): Promise<void> {
  await page.route('**/api/preview/thumb/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: drawing }))
  await page.route(/\/api\/resources\/(\?|$)/, async (route) => {
    const answer = await route.fetch()
    const folder = await answer.json()
    for (const item of folder.items) if (item.name === 'picture.png') item.size = 1000
    await route.fulfill({ response: answer, json: folder })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Tiles', exact: true }).click()
  await page.locator('[data-thumbnail="shown"]').first().waitFor()
  await page.getByRole('button', { name: 'Tile options', exact: true }).click()
  await page.getByRole('menu').waitFor()
}
