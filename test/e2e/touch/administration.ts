// The settings of the server, the activity and the sign-up by touch.

import { noticeShown } from '../../support/notices.ts'
import { drawer, fits, openDrawer, type Scene } from './scene.ts'

/** Lets people sign up, and finds that in the activity. */
export async function administer({ page, url }: Scene) {
  await page.goto(`${url}/settings/global`)
  const general = page.getByRole('form', { name: 'General' })
  await general.waitFor()
  await fits(page, 'the settings of the server')
  for (const name of [/^Allow sign-up/, /^Create a home folder/]) {
    await page.getByRole('checkbox', { name }).tap()
    await page.getByRole('checkbox', { name }).and(page.locator(':checked')).waitFor()
  }
  await page.getByRole('form', { name: 'Command runner' }).scrollIntoViewIfNeeded()
  await fits(page, 'the command runner')
  await general.getByRole('button', { name: 'Save' }).tap()
  await noticeShown(page, 'Settings updated!')
  await page.getByRole('link', { name: 'Activity' }).tap()
  const row = page.locator('.activity-row').filter({ hasText: 'Changed settings' })
  await row.waitFor()
  await fits(page, 'the activity')
  await page.getByRole('checkbox', { name: 'Failed only' }).tap()
  await page.getByRole('heading', { name: 'No matching activity' }).waitFor()
  await fits(page, 'no activity')
  await page.locator('.activity-filters').getByRole('button', { name: 'Clear filters' }).tap()
  await page.getByRole('combobox', { name: 'Period' }).selectOption('between')
  await page.getByLabel('From').waitFor()
  await row.waitFor()
  await fits(page, 'the activity between two days')
  await page.getByRole('button', { name: 'Export' }).tap()
  await page.getByRole('menuitem', { name: 'As JSON Lines' }).waitFor()
  await fits(page, 'the export')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'As JSON Lines' }).tap()
  await downloaded
  await page.goto(`${url}/files/`)
  await page.locator('[data-entry]').first().waitFor()
}

/** Makes an account, with which one is signed in then. */
export async function signUp(scene: Scene) {
  const { page, url, does } = scene
  await page.goto(`${url}/404`)
  await openDrawer(scene)
  await drawer(scene).getByRole('button', { name: 'Sign up' }).tap()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  does('session.signUp')
  await fits(page, 'the sign-up')
  await page.getByLabel('Username').fill('rosa')
  for (const name of [/^Password$/, 'Confirm password']) await page.getByLabel(name).fill('a long password of mine')
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).tap()
  await page.getByText('This folder is empty').waitFor()
}
