// Notices of success, which a page shows for one second: on a busy machine they are gone before a test looks.
import type { BrowserContext, Page } from '@playwright/test'

type Noting = typeof globalThis & { shownNotices: string[] }

/** Makes the pages of a context keep the words of the notices that they show. Call it before a page is opened. */
export async function keepNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shownNotices: string[] = []
    Object.assign(globalThis, { shownNotices })
    const note = (added: Node) => {
      if (!(added instanceof Element)) return
      for (const notice of added.matches('.toast') ? [added] : added.querySelectorAll('.toast'))
        if (notice.checkVisibility() && notice.getClientRects().length > 0) shownNotices.push(notice.textContent ?? '')
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(note)
    }).observe(document, { subtree: true, childList: true })
  })
}

/**
 * Waits until the page has shown a notice with these words, and takes it: the next call waits for another one. The notice may be gone
 * again. One of another document, before a reload, does not count.
 */
export async function noticeShown(page: Page, words: string, { timeout }: { timeout?: number } = {}): Promise<void> {
  const take = (words: string) => {
    const { shownNotices } = globalThis as Noting
    const at = shownNotices.findIndex((text) => text.includes(words))
    if (at < 0) return false
    shownNotices.splice(at, 1)
    return true
  }
  await page.waitForFunction(take, words, timeout === undefined ? {} : { timeout }).catch(async (cause) => {
    const shown = await page.evaluate(() => (globalThis as Noting).shownNotices).catch(() => ['(the page is gone)'])
    throw new Error(`no notice says "${words}": ${shown.join(' | ')}`, { cause })
  })
}
