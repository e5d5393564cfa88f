// The steps that several states share.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { pick } from '../../support/listing.ts'
import { uploadByButton } from '../../support/person.ts'

export type Target = { page: Page; url: string; folder: string; root: string }
/** The steps from the listing of the root to the state. The page is reloaded before the next state. */
export type State = (target: Target) => Promise<unknown>

export const menu = (page: Page) => page.getByRole('menu').waitFor()
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor()
export const banner = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name, exact: true })
export const tool = (page: Page, name: string) => page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name })
/** Calls that are not answered. Before the page is left they must be aborted, or they are sent to the server. */
const held: Route[] = []
export const hold = (route: Route) => void held.push(route)

/** Aborts the calls that are not answered. */
export async function abortHeld(): Promise<void> {
  for (const route of held.splice(0)) await route.abort().catch(() => undefined)
}

export async function chooseFiles({ page, folder }: Target, ...names: string[]) {
  for (const name of names) await writeFile(join(folder, name), 'a few words')
  await uploadByButton(
    page,
    names.map((name) => join(folder, name)),
  )
}

export async function withKeys({ page }: Target, keys: string, shows: string | RegExp) {
  await pick(page, 'b.txt')
  await page.keyboard.press(keys)
  await dialog(page, shows)
}
