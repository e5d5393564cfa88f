import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import type { Hands } from '../../support/keyboard.ts'

/** Where the parts of a test take place. */
export type Scene = {
  page: Page
  context: BrowserContext
  hands: Hands
  url: string
  /** What the server serves. */
  root: string
  /** A folder beside it. */
  folder: string
  /** Says that commands have been done, and have done what they should. */
  does(...ids: string[]): void
}

export const inRoot = ({ root }: Pick<Scene, 'root'>, ...names: string[]) => join(root, ...names)
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const bannerButton = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name })
