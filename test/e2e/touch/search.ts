import { entry } from '../../support/listing.ts'
import { areSelected, choose, clear, fits, type Scene } from './scene.ts'

/** Finds a file in another folder, and shows it there. */
export async function search({ page, url, does }: Scene) {
  await page.getByRole('banner').getByRole('button', { name: 'Search my files' }).tap()
  const finder = page.getByRole('dialog', { name: 'Search' })
  await finder.getByRole('combobox', { name: 'Search' }).tap()
  await fits(page, 'the empty search')
  await page.keyboard.type('roof')
  await finder.getByRole('option').filter({ hasText: 'roof.txt' }).waitFor()
  await fits(page, 'what was found')
  does('search')
  const more = finder.locator('.result').filter({ hasText: 'roof.txt' }).locator('.result-more')
  await choose(page, more, 'Show in folder')
  await page.waitForURL(`${url}/files/Drawings/`)
  await areSelected(page, 'roof.txt')
  does('search.showInFolder')
  await clear(page)
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }).tap()
  await entry(page, 'a.txt').waitFor()
  await areSelected(page)
}
