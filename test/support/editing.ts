// The text editor in a browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Person, View } from './person.ts'
import type { Site } from './site.ts'
import { until } from './until.ts'

/** The text that can be typed into. */
export const textOf = (page: Page): Locator => page.locator('.cm-content')

/** Opens a file by its address, signed in. */
export async function openText(site: Site, path: string, view: View = {}): Promise<Person> {
  const person = await site.openListing(view)
  await person.page.goto(`${site.url}/files${path}`)
  await textOf(person.page).waitFor()
  return person
}

/** Types at the end of the text. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await textOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

/** Waits until the page says that the text is saved, or that it is not. */
export const unsaved = (page: Page): Locator => page.locator('.unsaved-mark')

/** Waits until the page has a title. */
export function isTitled(page: Page, title: RegExp): Promise<void> {
  return until(async () => title.test(await page.title()), `the title is ${title}`)
}

/** Waits until the text is shown in an encoding. */
export async function isReadIn(page: Page, encoding: string): Promise<void> {
  const choice = page.getByRole('combobox', { name: 'Encoding' })
  await choice.waitFor()
  await until(async () => (await choice.inputValue()) === encoding, `the encoding is ${encoding}`)
}

/** How many drafts the browser keeps; undefined before the page has made the place for them. */
export function countDrafts(page: Page): Promise<number | undefined> {
  return page.evaluate(async () => {
    // If it were opened before the page does that, it would have no place for drafts.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'holdall')) return undefined
    return new Promise<number>((resolve) => {
      const opening = indexedDB.open('holdall')
      opening.onsuccess = () => {
        const counting = opening.result.transaction('drafts').objectStore('drafts').count()
        counting.onsuccess = () => {
          opening.result.close()
          resolve(counting.result)
        }
      }
    })
  })
}

/** Presses Ctrl+S and waits for the answer. @returns the status of the answer */
export async function save(page: Page): Promise<number> {
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/api/resources/'),
  )
  await page.keyboard.press('Control+s')
  return (await answer).status()
}

/** The content of a file on the server's disk. */
export const contentOf = (site: Site, name: string): Buffer => readFileSync(join(site.root, name))

/** The button that closes the text; notices have one too. */
export const closeButton = (page: Page): Locator => page.locator('.pathbar-tools').getByRole('button', { name: 'Close' })

/** Leaves the window and returns to it: the page looks then what has become of the file. */
export const returnTo = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const name of ['blur', 'focus']) dispatchEvent(new Event(name))
  })
