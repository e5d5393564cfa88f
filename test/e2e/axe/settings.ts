// The screens of the settings, with the steps to reach them.
import { dialog, type State, type Target } from './steps.ts'

async function openUser({ page, url }: Target, id: number | 'new') {
  await page.goto(`${url}/settings/users/${id}`)
  await page.getByLabel('Username').waitFor()
}

export const settings: Record<string, State> = {
  profile: async ({ page, url }) => {
    await page.goto(`${url}/settings/profile`)
    await page.getByRole('form', { name: 'Language' }).waitFor()
  },
  users: async ({ page, url }) => {
    await page.goto(`${url}/settings/users`)
    await page.getByRole('link', { name: 'Edit admin' }).waitFor()
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
