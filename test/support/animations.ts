import type { Page } from '@playwright/test'

/** Waits until no animation runs; those that never end, such as a caret, do not count. */
export async function animationsEnded(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY),
  )
}
