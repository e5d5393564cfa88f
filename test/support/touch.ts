// Touch with the DevTools protocol: Playwright has no long press.
import type { Locator, Page } from '@playwright/test'
import { entry, isSelected, middleOf } from './listing.ts'

/** Begins a touch on an element. @returns a function that ends it */
export async function touchDown(page: Page, on: Locator): Promise<() => Promise<void>> {
  const at = await middleOf(on)
  const client = await page.context().newCDPSession(page)
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  return async () => {
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await client.detach()
  }
}

/** Selects an entry by a long press. */
export async function longPress(page: Page, name: string): Promise<void> {
  const lift = await touchDown(page, entry(page, name))
  await isSelected(page, name)
  await lift()
}

/** Makes the page log an error, which fails the test, when a mouse is used. Call it before the page is opened. */
export async function forbidMouse(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['pointerdown', 'wheel'])
      addEventListener(
        name,
        (event) => {
          if (event instanceof PointerEvent && event.pointerType === 'touch') return
          console.error(`a mouse was used: ${name}`)
        },
        { capture: true },
      )
  })
}

/**
 * Targets smaller than 44 px in width or height. A row with its link and check mark is one target. The area around a control
 * counts if a press there reaches the control.
 */
export function smallTargets(within: Locator): Promise<string[]> {
  return within.evaluate((top) => {
    const pressable =
      'button, a[href], input, select, textarea, label:has(input), [role^="menuitem"], [role="option"], [data-entry]'
    const reach = 21.5
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getBoundingClientRect().width > 1
    const isPart = (element: Element) =>
      element.parentElement?.closest('[data-entry], label') && !element.closest('[data-more], .rename')
    const takes = (element: Element, x: number, y: number) => {
      const under = document.elementFromPoint(x, y)
      return under !== null && (element === under || element.contains(under))
    }
    const isSmall = (element: Element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      if (width >= 2 * reach && height >= 2 * reach) return false
      const [x, y] = [left + width / 2, top + height / 2]
      // Covered by another element, so that it cannot be pressed now.
      if (!takes(element, x, y)) return false
      const points = [
        ...(width < 2 * reach
          ? [
              [x - reach, y],
              [x + reach, y],
            ]
          : []),
        ...(height < 2 * reach
          ? [
              [x, y - reach],
              [x, y + reach],
            ]
          : []),
      ]
      return !points.every(([px = 0, py = 0]) => takes(element, px, py))
    }
    return [...top.querySelectorAll(pressable)]
      .filter((element) => isShown(element) && !isPart(element) && isSmall(element))
      .map((element) => {
        const { width, height } = element.getBoundingClientRect()
        return `${element.getAttribute('aria-label') ?? element.textContent?.trim() ?? element.className} (${element.tagName} .${element.className}) ${Math.round(width)} × ${Math.round(height)}`
      })
  })
}
