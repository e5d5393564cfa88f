// The settings of the server, the activity and the sign-up with the keyboard.

import { noticeShown } from '../../support/notices.ts'
import { button, type Scene } from './scene.ts'

/** Lets people sign up, and finds that in the activity. */
export async function administer({ page, url, keyboard }: Scene) {
  await keyboard.enter(button(page, 'Settings'))
  await page.getByRole('form', { name: 'Language' }).waitFor()
  await keyboard.enter(page.getByRole('link', { name: 'Global settings' }))
  const general = page.getByRole('form', { name: 'General' })
  await general.waitFor()
  for (const name of [/^Allow sign-up/, /^Create a home folder/]) {
    await keyboard.reach(page.getByRole('checkbox', { name }))
    await keyboard.press('Space')
    await page.getByRole('checkbox', { name }).and(page.locator(':checked')).waitFor()
  }
  await keyboard.enter(general.getByRole('button', { name: 'Save' }))
  await noticeShown(page, 'Settings updated!')
  await page.goto(`${url}/settings/activity`)
  const row = page.locator('.activity-row').filter({ hasText: 'Changed settings' })
  await row.waitFor()
  await keyboard.reach(page.getByRole('combobox', { name: 'What' }))
  for (const group of ['signIns', 'files', 'downloads', 'shares', 'admin']) {
    await keyboard.press('ArrowDown')
    await page.waitForURL(`${url}/settings/activity?what=${group}`)
  }
  await row.waitFor()
  await keyboard.reach(page.getByRole('searchbox', { name: 'Part of a path' }))
  await keyboard.type('no such path')
  await page.getByRole('heading', { name: 'No matching activity' }).waitFor()
  await keyboard.enter(page.locator('.activity-filters').getByRole('button', { name: 'Clear filters' }))
  await row.waitFor()
  await page.reload()
  await row.waitFor()
  await keyboard.enter(button(page, 'Export'))
  const downloaded = page.waitForEvent('download')
  await keyboard.choose('As JSON Lines')
  await downloaded
  await keyboard.command('Go to My files')
  await keyboard.isThere('a.txt')
}

/** Makes an account, with which one is signed in then. */
export async function signUp({ page, url, keyboard, does }: Scene) {
  await page.goto(`${url}/404`)
  await keyboard.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Sign up' }))
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  does('session.signUp')
  await keyboard.reach(page.getByLabel('Username'))
  await keyboard.type('rosa')
  for (const name of [/^Password$/, 'Confirm password']) {
    await keyboard.reach(page.getByLabel(name))
    await keyboard.type('a long password of mine')
  }
  await keyboard.press('Enter')
  await page.getByText('This folder is empty').waitFor()
}
