import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { animationsEnded } from '../../support/animations.ts'
import { entry, selectedNames } from '../../support/listing.ts'
import { smallTargets } from '../../support/touch.ts'
import { until } from '../../support/until.ts'

/** The context of each step of the test. */
export type Scene = {
  page: Page
  context: BrowserContext
  url: string
  /** The served folder. */
  root: string
  /** A folder beside it. */
  folder: string
  /** Claims that these commands have run, when their effect has been checked; the end of the step fails unless they have. */
  does(...ids: string[]): void
}

export const inRoot = ({ root }: Pick<Scene, 'root'>, ...names: string[]) => join(root, ...names)
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' })
export const tapEntry = (page: Page, name: string) => entry(page, name).tap()
export const clear = (page: Page) => bar(page).getByRole('button', { name: 'Clear selection' }).tap()

export const drawer = (scene: Scene) => scene.page.getByRole('navigation', { name: 'Sidebar' })

export async function openDrawer(scene: Scene) {
  await scene.page.getByRole('button', { name: 'Open sidebar' }).tap()
  await drawer(scene).waitFor()
}

/** Opens a menu by its button and chooses an entry of the sheet. */
export async function choose(page: Page, from: { tap(): Promise<void> }, name: string | RegExp): Promise<void> {
  await from.tap()
  await page.getByRole('menu').waitFor()
  await fits(page, `the menu with ${name}`)
  await page.getByRole('menu').getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).first().tap()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** Chooses from the menu of the header. */
export const fromHeader = (page: Page, name: string | RegExp) =>
  choose(page, page.getByRole('banner').getByRole('button', { name: 'More' }), name)

/** Chooses from the menu of the selection. */
export const fromSelection = (page: Page, name: string | RegExp) =>
  choose(page, bar(page).getByRole('button', { name: 'More' }), name)

const smallOfPage = new WeakMap<Page, Set<string>>()

/** Targets smaller than 44 px that `fits` has found, with the state of the page. */
export const smallOn = (page: Page): string[] => [...(smallOfPage.get(page) ?? [])]

/** Measures the targets in the page or in one part of it, after animations have ended. */
export async function fits(page: Page, where: string, within = page.locator('body')): Promise<void> {
  await animationsEnded(page)
  const small = smallOfPage.get(page) ?? new Set()
  for (const target of await smallTargets(within)) small.add(`${where}: ${target}`)
  smallOfPage.set(page, small)
}

export async function areSelected(page: Page, ...names: string[]): Promise<void> {
  await until(
    async () => (await selectedNames(page)).join('\n') === names.join('\n'),
    `selected are ${names.join(', ') || 'none'}`,
  )
}
