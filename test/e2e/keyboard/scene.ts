import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import type { Keyboard } from '../../support/keyboard.ts'

/** The context of each step of the test. */
export type Scene = {
  page: Page
  context: BrowserContext
  keyboard: Keyboard
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
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const bannerButton = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name })
