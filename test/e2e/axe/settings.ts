// The screens of the settings, with the steps to reach them.
import type { Route } from '@playwright/test'
import type { Settings } from '../../../src-server/contract/settings.ts'
import { configurePage } from '../../support/configure-page.ts'
import { dialog, type State, type Target } from './steps.ts'

async function openUser({ page, url }: Target, id: number | 'new') {
  await page.goto(`${url}/settings/users/${id}`)
  await page.getByLabel('Username').waitFor()
}

async function openGlobal({ page, url }: Pick<Target, 'page' | 'url'>) {
  await page.goto(`${url}/settings/global`)
  await page.getByRole('form', { name: 'General' }).waitFor()
}

/** The settings as if somebody else had changed them. */
async function answerOthers(route: Route) {
  const response = await route.fetch()
  const settings = (await response.json()) as Settings
  await route.fulfill({ response, json: { ...settings, signup: true, branding: { ...settings.branding, name: 'Theirs' } } })
}

export const settings: Record<string, State> = {
  profile: async ({ page, url }) => {
    await page.goto(`${url}/settings/profile`)
    await page.getByRole('form', { name: 'Language' }).waitFor()
  },
  'the global settings, with commands and a conflict': async ({ page, url }) => {
    await openGlobal({ page, url })
    await page.getByText('After upload').click()
    await page.route('**/api/settings', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 412, body: '412 Precondition Failed' }) : answerOthers(route),
    )
    await page.getByLabel('Name', { exact: true }).fill('Ours')
    await page.getByRole('form', { name: 'General' }).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Use theirs' }).waitFor()
  },
  'the global settings, refused': async ({ page, url }) => {
    await openGlobal({ page, url })
    await page.getByLabel('Folder with the branding files').fill('/none/such')
    await page.getByRole('form', { name: 'General' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText('There is no such folder').waitFor()
    await page.getByLabel('Path to test').fill('/private')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('There is no such user').waitFor()
  },
  'the limits of commands, refused': async ({ page, url }) => {
    await configurePage(page, { EnableExec: true })
    await openGlobal({ page, url })
    const runner = page.getByRole('form', { name: 'Command runner' })
    await runner.getByLabel('Time limit in seconds').fill('soon')
    await runner.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A whole number from 1 to 600').waitFor()
  },
  'the activity': async ({ page, url }) => {
    const entries = [
      { what: 'rename', path: '/a', to: '/b', result: 'done' },
      { what: 'signIn', result: 'failed', reason: 'wrong', count: 3 },
      { what: 'download', path: '/c', way: 'share', result: 'done' },
      { what: 'command', line: 'git', path: '/', result: 'done' },
    ]
    const time = '2026-11-23T10:00:00.000Z'
    const body = entries.map((one) => `${JSON.stringify({ time, who: 'ann', way: 'page', from: '::1', ...one })}\n`).join('')
    await page.route('**/api/activity?*', (route) => route.fulfill({ contentType: 'application/x-ndjson', body }))
    await page.goto(`${url}/settings/activity?what=files&period=between&failed=`)
    await page.locator('.activity-row').first().waitFor()
  },
  'no activity that fits': async ({ page, url }) => {
    await page.route('**/api/activity?*', (route) => route.fulfill({ contentType: 'application/x-ndjson', body: '' }))
    await page.goto(`${url}/settings/activity?period=today`)
    await page.getByRole('heading', { name: 'No matching activity' }).waitFor()
  },
  'a server that records no activity': async ({ page, url }) => {
    await page.goto(`${url}/settings/activity`)
    await page.getByRole('heading', { name: 'Activity is not recorded' }).waitFor()
  },
  users: async ({ page, url }) => {
    await page.goto(`${url}/settings/users`)
    await page.getByRole('link', { name: 'Edit “admin”' }).waitFor()
  },
  'an administrator': (target) => openUser(target, 1),
  'a new user, with a rule and a weak password': async (target) => {
    await openUser(target, 'new')
    const { page } = target
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill('weak')
    await page.getByText('Too weak').waitFor()
  },
  'a new user, refused': async (target) => {
    await openUser(target, 'new')
    const { page } = target
    await page.getByLabel('Username').fill('admin')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Username already taken').waitFor()
  },
  'the scope of a user': async (target) => {
    await openUser(target, 'new')
    await target.page.getByRole('button', { name: 'Choose' }).click()
    await dialog(target.page, 'Choose the scope')
    await target.page.getByRole('option').first().waitFor()
  },
  'deleting a user': async (target) => {
    const { page } = target
    await page.route('**/api/users/7', (route) =>
      route.fetch({ url: route.request().url().replace(/7$/, '1') }).then((response) => route.fulfill({ response })),
    )
    await openUser(target, 7)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog(page, /^Delete/)
  },
}
