// Palette, help, regions of the page, navigation and sign-out, with the keyboard.
import { until } from '../../support/until.ts'
import { button, dialog, type Scene } from './scene.ts'

export async function help({ page, keyboard, does }: Scene) {
  for (const key of ['F1', '?']) {
    await keyboard.press(key)
    await dialog(page, 'Help').waitFor()
    await keyboard.press('Escape')
    await dialog(page, 'Help').waitFor({ state: 'detached' })
  }
  await keyboard.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Help' }))
  await dialog(page, 'Help').waitFor()
  await keyboard.press('Escape')
  await dialog(page, 'Help').waitFor({ state: 'detached' })
  does('help')
  const field = page.getByRole('combobox', { name: 'Command' })
  await keyboard.press('Control+k')
  await field.waitFor()
  await keyboard.press('Control+k')
  await field.waitFor({ state: 'detached' })
  does('palette', 'palette.close')
}

export async function search({ page, keyboard, does }: Scene) {
  const field = page.getByRole('combobox', { name: 'Search' })
  for (const key of ['/', 'Control+f']) {
    await keyboard.press(key)
    await field.waitFor()
    await keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  }
  await keyboard.press('Control+f')
  await field.and(page.locator(':focus')).waitFor()
  await keyboard.type('2026 type:folder')
  await page.getByRole('option').filter({ hasText: '2026' }).waitFor()
  await keyboard.press('ArrowDown')
  await keyboard.press('Shift+Enter')
  await keyboard.isThere('2026')
  await keyboard.command('Go to My files')
  await keyboard.isThere('a.txt')
  does('search', 'search.showInFolder')
}

export async function regions({ page, keyboard, does }: Scene) {
  await keyboard.goTo('Drawings')
  const region = () => page.evaluate(() => document.activeElement?.closest('[data-region]')?.tagName)
  for (const [key, tag] of [
    ['F6', 'NAV'],
    ['F6', 'MAIN'],
    ['Shift+F6', 'NAV'],
  ] as const) {
    await keyboard.press(key)
    await until(async () => (await region()) === tag, `${key} goes to ${tag}`)
  }
  does('region.next', 'region.previous')
}

export async function sidebar({ page, keyboard, does }: Scene) {
  const shown = page.getByRole('navigation', { name: 'Sidebar' })
  await keyboard.enter(button(page, 'Hide sidebar'))
  await shown.waitFor({ state: 'hidden' })
  await keyboard.enter(button(page, 'Open sidebar'))
  await shown.waitFor()
  does('sidebar.toggle')
  // In a narrow window it is a drawer, which no dialog closes.
  const size = page.viewportSize()
  await page.setViewportSize({ width: 800, height: 800 })
  await keyboard.enter(button(page, 'Open sidebar'))
  await shown.locator('.nav-item:focus').waitFor()
  await keyboard.press('Escape')
  await shown.waitFor({ state: 'hidden' })
  does('overlay.close')
  if (size) await page.setViewportSize(size)
}

export async function navigate({ page, url, keyboard, does }: Scene) {
  const field = page.getByRole('textbox', { name: 'Path' })
  await keyboard.press('Control+l')
  await keyboard.type('/nowhere')
  await keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  does('path.leave')
  await keyboard.press('Control+l')
  await keyboard.type('Invoices/2026')
  await keyboard.press('Enter')
  await page.waitForURL(`${url}/files/Invoices/2026/`)
  await page.getByText('This folder is empty').waitFor()
  does('path.edit')
  await keyboard.command('Go to My files')
  await page.waitForURL(`${url}/files/`)
  await keyboard.isThere('a.txt')
  does('go.home')
}

export async function openSettings({ page, url, keyboard, does }: Scene) {
  await keyboard.enter(button(page, 'Settings'))
  await page.waitForURL(`${url}/settings/profile`)
  await page.getByRole('form', { name: 'Language' }).waitFor()
  does('go.settings')
  await keyboard.enter(button(page, 'Trash'))
  await page.waitForURL(`${url}/trash`)
  await page.getByRole('heading', { name: 'Trash' }).waitFor()
  does('go.trash')
  await keyboard.command('Go to My files')
  await keyboard.isThere('a.txt')
}

export async function signOut({ page, url, keyboard, does }: Scene) {
  await keyboard.enter(button(page, 'Sign out'))
  await page.waitForURL(/\/login/)
  does('session.logout')
  await page.goto(`${url}/404`)
  await keyboard.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Sign in' }))
  await page.getByLabel('Username').waitFor()
  await until(() => page.url().endsWith('/login'), 'the login page is open')
  does('session.login')
}
