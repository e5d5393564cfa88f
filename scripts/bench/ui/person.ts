import type { Page } from '@playwright/test'
import { fillCredentials } from '../../../test/support/person.ts'
import { administratorPassword } from '../../../test/support/start-executable.ts'

export { newPerson, showList } from '../../../test/support/person.ts'

/** Signs in on the login page that redirects to a folder. Returns as soon as the button is pressed. */
export async function signInTo(page: Page, url: string, folder: string, ready?: () => Promise<void>): Promise<void> {
  await page.goto(`${url}/login?redirect=${encodeURIComponent(`/files/${folder}/`)}`)
  await page.getByLabel('Username').waitFor()
  // By then the chunks have arrived that the page preloads during typing.
  await page.waitForLoadState('networkidle')
  await ready?.()
  await fillCredentials(page, 'admin', administratorPassword)
}
