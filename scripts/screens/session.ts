import type { Browser } from '@playwright/test'
import { newPerson, showList, signIn } from '../../test/support/person.ts'
import type { Target } from './stage.ts'

/** Signs in and selects the list. @returns cookies and storage */
export async function sessionAt(browser: Browser, url: string): Promise<Target['session']> {
  const person = await newPerson(browser)
  await signIn(person.page, url)
  const kept = person.page.waitForResponse((response) => response.request().method() === 'PUT')
  await showList(person.page)
  await kept
  const session = await person.context.storageState()
  await person.close()
  return session
}
