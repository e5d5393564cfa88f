import { until } from '../../support/until.ts'
import { choose, fits, fromHeader, type Scene } from './scene.ts'

/** Chooses how the tiles of the mosaic look, and returns to the list. */
export async function tiles({ page, does }: Scene) {
  await fromHeader(page, 'Switch to tiles')
  await page.locator('.mosaic').waitFor()
  const button = page.getByRole('button', { name: 'Tile options', exact: true })
  await fits(page, 'the mosaic')
  const width = async () => (await page.locator('.tile[data-entry]').first().boundingBox())?.width ?? 0
  const widths: number[] = []
  for (const [name, id] of [
    ['Large tiles', 'tiles.large'],
    ['Small tiles', 'tiles.small'],
    ['Medium tiles', 'tiles.medium'],
  ] as const) {
    await choose(page, button, name)
    await until(async () => (await width()) > 0 && !widths.includes(await width()), `${name} have another width`)
    widths.push(await width())
    does(id)
  }
  for (const [name, id] of [
    ['Fill tiles', 'tiles.cropped'],
    ['Whole pictures', 'tiles.whole'],
  ] as const) {
    await choose(page, button, name)
    await button.tap()
    await page.getByRole('menuitemradio', { name, checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    does(id)
  }
  await fromHeader(page, 'Switch to list')
  await page.locator('.row[data-entry]').first().waitFor()
}
