// The screens of the settings, with the steps to reach them.
import type { State } from './steps.ts'

export const settings: Record<string, State> = {
  profile: async ({ page, url }) => {
    await page.goto(`${url}/settings/profile`)
    await page.getByRole('form', { name: 'Language' }).waitFor()
  },
}
