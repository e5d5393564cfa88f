// Uses a page with the keyboard only: any pointer event writes an error to its console, which fails the test.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import { entry, focusedName, selectedNames } from './listing.ts'
import { until } from './until.ts'

export type Keyboard = Awaited<ReturnType<typeof useKeyboard>>

/** How often Tab is pressed before an element counts as unreachable. */
const mostTabs = 60
const mostSteps = 30

/** The keyboard of a page. Call it before the page is opened. */
export async function useKeyboard(page: Page) {
  await page.addInitScript(() => {
    for (const name of ['pointerdown', 'mousedown', 'touchstart', 'wheel'])
      addEventListener(name, () => console.error(`a pointer was used: ${name}`), { capture: true })
  })
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const hasFocus = async (target: Locator) => (await target.and(page.locator(':focus')).count()) > 0
  const reach = async (target: Locator) => {
    // A page that is still loading has nothing that Tab could lead to.
    await target.first().waitFor({ state: 'attached' })
    for (let count = 0; count < mostTabs; count++) {
      if (await hasFocus(target)) return
      await press('Tab')
    }
    assert.fail(`Tab does not lead to ${target}`)
  }
  // A menu moves the focus one task after the key: two frames later it has moved.
  const stepTo = async (target: Locator) => {
    for (let count = 0; count < mostSteps; count++) {
      if (await hasFocus(target)) return
      const before = await page.evaluateHandle(() => document.activeElement)
      await press('ArrowDown')
      await page.waitForFunction((element) => document.activeElement !== element, before)
      await twoFrames(page)
    }
    assert.fail(`the arrow does not lead to ${target}`)
  }
  const isAt = async (name: string) => until(async () => (await focusedName(page)) === name, `the keyboard is at ${name}`)
  const areSelected = (...names: string[]) => {
    let last: string[] = []
    const holds = async () => {
      last = await selectedNames(page)
      return last.join('\n') === names.join('\n')
    }
    return until(holds, `selected are ${names.join(', ') || 'none'}`).catch((cause) => {
      throw new Error(`selected are ${last.join(', ') || 'none'}, not ${names.join(', ') || 'none'}`, { cause })
    })
  }
  return {
    press,
    reach,
    isAt,
    areSelected,
    type: (text: string) => page.keyboard.type(text),
    /** Moves to a button, link or field with Tab, and presses Enter. */
    async enter(target: Locator) {
      await reach(target)
      await press('Enter')
    },
    /** Moves to the toolbar with Tab and among its buttons with the arrow keys, and presses Enter. */
    async enterInToolbar(name: string) {
      const bar = page.getByRole('toolbar')
      const target = bar.getByRole('button', { name })
      await reach(bar.locator('button[tabindex="0"]'))
      for (let count = 0; count < mostSteps && !(await hasFocus(target)); count++) await press('ArrowRight')
      assert.ok(await hasFocus(target), `the arrow does not lead to ${name}`)
      await press('Enter')
    },
    /** Chooses from the menu that is open. */
    async choose(name: string | RegExp) {
      const item = page.getByRole('menu').getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name }))
      await page.locator('[role="menu"]:focus, [role="menu"] :focus').waitFor()
      await twoFrames(page)
      await stepTo(item.first())
      await press('Enter')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
    /** Moves to the listing with Tab, and to an entry with the arrow keys. */
    async goTo(name: string) {
      await reach(page.locator('[data-entry]'))
      await press('Home')
      for (let step = 0; step < mostSteps; step++) {
        const at = await focusedName(page)
        if (at === name) return
        await press('ArrowDown')
        await until(async () => (await focusedName(page)) !== at, `the arrow leads on from ${at}`)
      }
      assert.fail(`the keyboard does not come to ${name}`)
    },
    /** Runs a command from the palette. */
    async command(words: string) {
      await press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).waitFor()
      await page.keyboard.type(words)
      await page.getByRole('option').first().waitFor()
      await press('Enter')
    },
    /** The names of the listing, in order. */
    names: () => page.locator('[data-entry] a.name').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label'))),
    isThere: (name: string) => entry(page, name).waitFor(),
    isGone: (name: string) => entry(page, name).waitFor({ state: 'detached' }),
  }
}

const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))
