// Signing in, moving, selecting and sorting with the keyboard.
import { administratorPassword } from '../../support/start-executable.ts'
import { until } from '../../support/until.ts'
import { bannerButton, type Scene } from './scene.ts'

export async function signIn({ page, url, keyboard }: Scene) {
  await page.goto(url)
  await keyboard.reach(page.getByLabel('Username'))
  await keyboard.type('admin')
  await keyboard.reach(page.getByLabel('Password', { exact: true }))
  await keyboard.type(administratorPassword)
  await keyboard.press('Enter')
  await keyboard.isThere('a.txt')
}

export async function moveAbout({ page, keyboard, does }: Scene) {
  await keyboard.enter(bannerButton(page, 'More'))
  await keyboard.choose('Switch to list')
  await page.locator('.row[data-entry]').first().waitFor()
  does('view.list')
  await keyboard.goTo('a.txt')
  await keyboard.press('ArrowDown')
  await keyboard.areSelected('b.txt')
  await keyboard.press('ArrowUp', 'Shift+ArrowDown')
  await keyboard.areSelected('a.txt', 'b.txt')
  await keyboard.press('Shift+ArrowUp')
  await keyboard.areSelected('a.txt')
  await keyboard.press('Control+ArrowDown', 'Control+ArrowDown', 'Control+ArrowUp')
  await keyboard.isAt('b.txt')
  await keyboard.areSelected('a.txt')
  await keyboard.press('Control+Space')
  await keyboard.areSelected('a.txt', 'b.txt')
  await keyboard.press('Home')
  await keyboard.areSelected('Drawings')
  await keyboard.press('End', 'Shift+Home')
  await keyboard.areSelected('Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  await keyboard.press('Home', 'Shift+End', 'Control+Home')
  await keyboard.isAt('Drawings')
  await keyboard.press('Control+End')
  await keyboard.isAt('c.txt')
  await keyboard.press('PageUp')
  await keyboard.areSelected('Drawings')
  await keyboard.press('PageDown', 'Shift+PageUp', 'Control+PageDown')
  await keyboard.isAt('c.txt')
  await keyboard.press('Control+PageUp', 'PageUp', 'Shift+PageDown')
  await keyboard.areSelected('Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  await keyboard.press('Escape')
  await keyboard.areSelected()
  does('selection.clear', 'grid.toggle')
  for (const mode of ['select', 'extend', 'focus'])
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']) does(`grid.${mode}.${key}`)
}

export async function selectByKeys({ keyboard, does }: Scene) {
  await keyboard.press('Control+a')
  await keyboard.areSelected('Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  does('selection.all')
  await keyboard.press('Escape')
  await keyboard.command('Select several')
  await keyboard.goTo('a.txt')
  await keyboard.press('Space', 'ArrowDown', 'ArrowDown', 'Space')
  await keyboard.areSelected('a.txt', 'c.txt')
  await keyboard.press('Escape')
  does('selection.multiple')
}

export async function moveInMosaic({ page, keyboard, does }: Scene) {
  await keyboard.command('Switch to tiles')
  await page.locator('.mosaic').waitFor()
  does('view.mosaic')
  await keyboard.goTo('a.txt')
  await keyboard.press('ArrowRight')
  await keyboard.areSelected('b.txt')
  await keyboard.press('ArrowLeft', 'Shift+ArrowRight')
  await keyboard.areSelected('a.txt', 'b.txt')
  await keyboard.press('Shift+ArrowLeft', 'Control+ArrowRight', 'Control+ArrowRight', 'Control+ArrowLeft')
  await keyboard.isAt('b.txt')
  await keyboard.areSelected('a.txt')
  for (const mode of ['select', 'extend', 'focus']) does(`grid.${mode}.ArrowRight`, `grid.${mode}.ArrowLeft`)
  for (const [label, name, value] of [
    ['Large tiles', 'tileSize', 'large'],
    ['Small tiles', 'tileSize', 'small'],
    ['Medium tiles', 'tileSize', 'medium'],
    ['Whole pictures', 'tileFit', 'whole'],
    ['Fill tiles', 'tileFit', 'cropped'],
  ] as const) {
    await keyboard.command(label)
    const isStored = () => page.evaluate((key) => localStorage.getItem(key), `holdall:${name}`)
    await until(async () => (await isStored()) === value, `${label} is chosen`)
    does(`tiles.${value}`)
  }
}

export async function sort({ page, keyboard, does }: Scene) {
  const orders = [
    ['Size', 'sort.size', 'a.txt c.txt b.txt'],
    ['Last modified', 'sort.modified', 'c.txt a.txt b.txt'],
    ['Descending', 'sort.descending', 'b.txt a.txt c.txt'],
    ['Name', 'sort.name', 'c.txt b.txt a.txt'],
    ['Ascending', 'sort.ascending', 'a.txt b.txt c.txt'],
  ] as const
  for (const [name, id, order] of orders) {
    await keyboard.enter(page.locator('.sort-button'))
    await keyboard.choose(name)
    await until(async () => (await keyboard.names()).slice(2).join(' ') === order, `${name} gives ${order}`)
    does(id)
  }
  await keyboard.command('Switch to list')
  await page.locator('.row[data-entry]').first().waitFor()
  const columnHeader = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
  await keyboard.reach(page.locator('[data-entry]'))
  await keyboard.press('Home', 'ArrowUp', 'ArrowRight', 'Enter')
  await until(async () => (await keyboard.names()).slice(2).join(' ') === 'b.txt c.txt a.txt', 'largest first')
  await keyboard.press('Enter')
  await until(async () => (await keyboard.names()).slice(2).join(' ') === 'a.txt c.txt b.txt', 'smallest first')
  await keyboard.press('ArrowLeft')
  await keyboard.reach(columnHeader('Name'))
  await keyboard.press('Enter', 'ArrowDown')
  await keyboard.isAt('Drawings')
  does('columnHeaders.ArrowRight', 'columnHeaders.ArrowLeft', 'columnHeaders.ArrowDown')
}
