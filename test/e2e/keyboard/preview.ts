import { configurePage } from '../../support/configure-page.ts'
import { picture, writeMedia } from '../../support/media.ts'
import { until } from '../../support/until.ts'
import { button, type Scene } from './scene.ts'

/** Opens pictures, goes through them, zooms and moves one, and closes it. */
export async function preview({ page, url, root, keyboard, does }: Scene) {
  const [small, large] = [await picture(), await picture({ width: 2000, height: 1500 })]
  await writeMedia(root, { 'Pictures/1.png': small, 'Pictures/2.png': large, 'Pictures/3.png': small })
  await configurePage(page, { ResizePreview: true })
  await page.route('**/api/preview/big/**', (route) => route.fulfill({ body: large, contentType: 'image/png' }))
  await page.goto(`${url}/files/Pictures/`)
  await keyboard.goTo('1.png')
  await keyboard.press('Enter')
  const isShown = (name: string) => page.locator('img.picture').and(page.getByAltText(name)).waitFor()
  await isShown('1.png')
  for (const [key, name, id] of [
    ['ArrowRight', '2.png', 'viewer.right'],
    ['ArrowLeft', '1.png', 'viewer.left'],
    ['Enter', '2.png', 'viewer.next'],
    ['PageUp', '1.png', 'viewer.previous'],
    ['PageDown', '2.png', 'viewer.next'],
  ] as const) {
    await keyboard.press(key)
    await isShown(name)
    does(id)
  }
  await page.locator('.picture-stage[aria-busy="false"]').waitFor()
  const zoomIs = (wanted: string) =>
    until(async () => (await page.locator('.zoom-value').textContent()) === wanted, `the zoom is ${wanted}`)
  await keyboard.press('+', '=', '+', '+')
  await zoomIs('200%')
  await keyboard.press('-')
  await zoomIs('175%')
  const place = () => page.locator('img.picture').evaluate((element) => (element as HTMLElement).style.transform)
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
    const before = await place()
    await keyboard.press(`Shift+${key}`)
    await until(async () => (await place()) !== before, `${key} moves the picture`)
    does(`picture.pan.${key}`)
  }
  await keyboard.press('0')
  await zoomIs('100%')
  does('picture.zoomIn', 'picture.zoomOut', 'picture.zoomReset')
  await keyboard.enter(button(page, 'Full resolution'))
  await button(page, 'Full resolution').and(page.locator('[aria-pressed="true"]')).waitFor()
  does('viewer.fullSize')
  await keyboard.press('Escape')
  await keyboard.isAt('2.png')
  does('viewer.close')
  await page.unrouteAll()
  await page.goto(`${url}/files/`)
  await keyboard.isThere('Pictures')
}
