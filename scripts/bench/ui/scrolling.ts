// The longest frame while a long folder is scrolled by held keys and by the wheel.
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { framesWhile } from './frames.ts'
import { newPerson, showList, signInTo } from './person.ts'

/** Repeats of a held key and turns of the wheel, each a second. */
const repeats = 30
const turns = 60
/** Duration of each kind of scrolling in ms. */
const duration = 3000

/** Milliseconds by the kind of scrolling. */
export async function longestFrames(browser: Browser, url: string, folder: string): Promise<Record<string, number>> {
  const person = await newPerson(browser)
  const { page } = person
  await signInTo(page, url, folder)
  await showList(page)
  await page.locator('.row[data-entry]').first().waitFor()
  const longest = {
    'ArrowDown held': await longestOf(page, () => hold(page, 'ArrowDown')),
    'PageDown held': await longestOf(page, () => hold(page, 'PageDown')),
    wheel: await longestOf(page, () => turnWheel(page)),
  }
  await person.close()
  return longest
}

const longestOf = async (page: Page, work: () => Promise<void>): Promise<number> => (await framesWhile(page, work)).longest

async function hold(page: Page, key: string): Promise<void> {
  await page.locator('.row[data-entry]').nth(3).locator('.row-date').click()
  // A press without a release is a repeat of the held key.
  await paced(repeats, () => page.keyboard.down(key))
  await page.keyboard.up(key)
}

async function turnWheel(page: Page): Promise<void> {
  await page.locator('.pane').hover()
  await paced(turns, () => page.mouse.wheel(0, 240))
}

/** Calls `work` at this rate for `duration`; after a late call the others are not faster. */
async function paced(perSecond: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + duration
  while (performance.now() < end) {
    const next = performance.now() + 1000 / perSecond
    await work()
    await setTimeout(Math.max(0, next - performance.now()))
  }
}
