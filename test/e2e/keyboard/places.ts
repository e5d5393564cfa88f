// Palette, help, the parts of the page, its places, and leaving it, by the keyboard.
import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import { button, dialog, type Scene } from './scene.ts'

export async function help({ page, hands, does }: Scene) {
  for (const key of ['F1', '?']) {
    await hands.press(key)
    await dialog(page, 'Help').waitFor()
    await hands.press('Escape')
    await dialog(page, 'Help').waitFor({ state: 'detached' })
  }
  await hands.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Help' }))
  await dialog(page, 'Help').waitFor()
  await hands.press('Escape')
  await dialog(page, 'Help').waitFor({ state: 'detached' })
  does('help')
  const field = page.getByRole('combobox', { name: 'Command' })
  await hands.press('Control+k')
  await field.waitFor()
  await hands.press('Control+k')
  await field.waitFor({ state: 'detached' })
  does('palette', 'palette.close')
}

export async function regions({ page, hands, does }: Scene) {
  await hands.goTo('Drawings')
  const region = () => page.evaluate(() => document.activeElement?.closest('[data-region]')?.tagName)
  await hands.press('F6')
  assert.equal(await region(), 'NAV')
  await hands.press('F6')
  assert.equal(await region(), 'MAIN')
  await hands.press('Shift+F6')
  assert.equal(await region(), 'NAV')
  does('region.next', 'region.previous')
}

export async function sidebar({ page, hands, does }: Scene) {
  const shown = page.getByRole('navigation', { name: 'Sidebar' })
  await hands.enter(button(page, 'Hide sidebar'))
  await shown.waitFor({ state: 'hidden' })
  await hands.enter(button(page, 'Open sidebar'))
  await shown.waitFor()
  does('sidebar.toggle')
}

export async function places({ page, url, hands, does }: Scene) {
  const field = page.getByRole('textbox', { name: 'Path' })
  await hands.press('Control+l')
  await hands.type('/nowhere')
  await hands.press('Escape')
  await field.waitFor({ state: 'detached' })
  does('path.leave')
  await hands.press('Control+l')
  await hands.type('Invoices/2026')
  await hands.press('Enter')
  await page.waitForURL(`${url}/files/Invoices/2026/`)
  await page.getByText('This folder is empty').waitFor()
  does('path.edit')
  await hands.command('Go to My files')
  await page.waitForURL(`${url}/files/`)
  await hands.isThere('a.txt')
  does('go.home')
}

export async function signOut({ page, url, hands, does }: Scene) {
  await hands.enter(button(page, 'Log out'))
  await page.waitForURL(/\/login/)
  does('session.logout')
  await page.goto(`${url}/404`)
  await hands.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Sign in' }))
  await page.getByLabel('Username').waitFor()
  await until(() => page.url().endsWith('/login'), 'the login has an address')
  does('session.login')
}
