// The listing of a signed-in person, as tests touch it.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { newPerson, type Person, showList, signIn } from './person.ts'
import type { Running } from './start-executable.ts'

/** Puts files where the server looks, in place of what is there; a name with a slash at its end is a folder. */
export async function standWith({ root }: Running, files: Readonly<Record<string, string>>): Promise<void> {
  await rm(root, { recursive: true, force: true })
  await mkdir(root)
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) await writeFile(path, content)
  }
}

/** Signs in, and sees the root as a list. */
export async function openListing(
  browser: Browser,
  server: Running,
  view: Parameters<typeof newPerson>[1] = {},
): Promise<Person> {
  const person = await newPerson(browser, view)
  await signIn(person.page, server.url)
  await showList(person.page)
  return person
}

export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

/** Selects one entry by the keyboard alone can be slow to write: a click selects it and takes the focus there. */
export async function pick(page: Page, name: string, ...more: string[]): Promise<void> {
  await rowOf(page, name).locator('.row-date').click()
  for (const other of more)
    await rowOf(page, other)
      .locator('.row-date')
      .click({ modifiers: ['Control'] })
}

export async function isSelected(page: Page, name: string): Promise<void> {
  await rowOf(page, name).and(page.locator('[aria-selected=true]')).waitFor()
}

/** Goes into a folder of the listing. */
export async function goInto(page: Page, name: string): Promise<void> {
  await rowOf(page, name).locator('.row-date').dblclick()
  await page.getByRole('grid', { name }).or(page.getByText('This folder is empty')).first().waitFor()
}
