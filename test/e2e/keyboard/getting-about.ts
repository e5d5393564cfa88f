// Signing in, moving, selecting and sorting by the keyboard.
import { administratorPassword } from '../../support/start-executable.ts'
import { until } from '../../support/until.ts'
import { bannerButton, type Scene } from './scene.ts'

export async function signIn({ page, url, hands }: Scene) {
  await page.goto(url)
  await hands.reach(page.getByLabel('Username'))
  await hands.type('admin')
  await hands.reach(page.getByLabel('Password', { exact: true }))
  await hands.type(administratorPassword)
  await hands.press('Enter')
  await hands.isThere('a.txt')
}

export async function moveAbout({ page, hands, does }: Scene) {
  await hands.enter(bannerButton(page, 'More'))
  await hands.choose('Switch to list')
  await page.locator('.row[data-entry]').first().waitFor()
  does('view.list')
  await hands.goTo('a.txt')
  await hands.press('ArrowDown')
  await hands.areSelected('b.txt')
  await hands.press('ArrowUp', 'Shift+ArrowDown')
  await hands.areSelected('a.txt', 'b.txt')
  await hands.press('Shift+ArrowUp')
  await hands.areSelected('a.txt')
  await hands.press('Control+ArrowDown', 'Control+ArrowDown', 'Control+ArrowUp')
  await hands.isAt('b.txt')
  await hands.areSelected('a.txt')
  await hands.press('Control+Space')
  await hands.areSelected('a.txt', 'b.txt')
  await hands.press('Home')
  await hands.areSelected('Drawings')
  await hands.press('End', 'Shift+Home')
  await hands.areSelected('Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  await hands.press('Home', 'Shift+End', 'Control+Home')
  await hands.isAt('Drawings')
  await hands.press('Control+End')
  await hands.isAt('c.txt')
  await hands.press('PageUp')
  await hands.areSelected('Drawings')
  await hands.press('PageDown', 'Shift+PageUp', 'Control+PageDown')
  await hands.isAt('c.txt')
  await hands.press('Control+PageUp', 'PageUp', 'Shift+PageDown')
  await hands.areSelected('Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  await hands.press('Escape')
  await hands.areSelected()
  does('selection.clear', 'grid.toggle')
  for (const mode of ['select', 'extend', 'focus'])
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']) does(`grid.${mode}.${key}`)
}

export async function selectByKeys({ hands, does }: Scene) {
  await hands.press('Control+a')
  await hands.areSelected('Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  does('selection.all')
  await hands.press('Escape')
  await hands.command('Select several')
  await hands.goTo('a.txt')
  await hands.press('Space', 'ArrowDown', 'ArrowDown', 'Space')
  await hands.areSelected('a.txt', 'c.txt')
  await hands.press('Escape')
  does('selection.multiple')
}

export async function moveInMosaic({ page, hands, does }: Scene) {
  await hands.command('Switch to mosaic')
  await page.locator('.mosaic').waitFor()
  does('view.mosaic')
  await hands.goTo('a.txt')
  await hands.press('ArrowRight')
  await hands.areSelected('b.txt')
  await hands.press('ArrowLeft', 'Shift+ArrowRight')
  await hands.areSelected('a.txt', 'b.txt')
  await hands.press('Shift+ArrowLeft', 'Control+ArrowRight', 'Control+ArrowRight', 'Control+ArrowLeft')
  await hands.isAt('b.txt')
  await hands.areSelected('a.txt')
  for (const mode of ['select', 'extend', 'focus']) does(`grid.${mode}.ArrowRight`, `grid.${mode}.ArrowLeft`)
}

export async function sort({ page, hands, does }: Scene) {
  const orders = [
    ['Size', 'sort.size', 'a.txt c.txt b.txt'],
    ['Last modified', 'sort.modified', 'c.txt a.txt b.txt'],
    ['Descending', 'sort.descending', 'b.txt a.txt c.txt'],
    ['Name', 'sort.name', 'c.txt b.txt a.txt'],
    ['Ascending', 'sort.ascending', 'a.txt b.txt c.txt'],
  ] as const
  for (const [name, id, order] of orders) {
    await hands.enter(page.locator('.sort-button'))
    await hands.choose(name)
    await until(async () => (await hands.names()).slice(2).join(' ') === order, `${name} gives ${order}`)
    does(id)
  }
  await hands.command('Switch to list')
  await page.locator('.row[data-entry]').first().waitFor()
  const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
  await hands.reach(page.locator('[data-entry]'))
  await hands.press('Home', 'ArrowUp', 'ArrowRight', 'Enter')
  await until(async () => (await hands.names()).slice(2).join(' ') === 'b.txt c.txt a.txt', 'largest first')
  await hands.press('Enter')
  await until(async () => (await hands.names()).slice(2).join(' ') === 'a.txt c.txt b.txt', 'and the other way round')
  await hands.press('ArrowLeft')
  await hands.reach(head('Name'))
  await hands.press('Enter', 'ArrowDown')
  await hands.isAt('Drawings')
  does('columnHeaders.ArrowRight', 'columnHeaders.ArrowLeft', 'columnHeaders.ArrowDown')
}
