import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { configurePage } from '../../support/configure-page.ts'
import { entry } from '../../support/listing.ts'
import { picture, writeMedia } from '../../support/media.ts'
import { choose, fits, type Scene, tapEntry } from './scene.ts'

/** Opens a picture by a tap, chooses from its menu, and closes it. */
export async function preview({ page, url, root, does }: Scene) {
  const large = await picture({ width: 2000, height: 1500 })
  await writeMedia(root, { 'Pictures/1.png': large })
  await configurePage(page, { ResizePreview: true })
  await page.route('**/api/preview/big/**', (route) => route.fulfill({ body: large, contentType: 'image/png' }))
  await page.goto(`${url}/files/Pictures/`)
  await tapEntry(page, '1.png')
  await page.locator('.picture-stage[aria-busy="false"]').waitFor()
  await fits(page, 'a picture')
  const whole = page.waitForRequest('**/api/raw/Pictures/1.png**')
  await choose(page, page.getByRole('button', { name: 'More' }), 'Full resolution')
  await whole
  does('viewer.fullSize')
  await page.getByRole('button', { name: 'Close' }).tap()
  await entry(page, '1.png').waitFor()
  await page.unrouteAll()
  rmSync(join(root, 'Pictures'), { recursive: true })
  await page.goto(`${url}/files/`)
  await entry(page, 'a.txt').waitFor()
}
