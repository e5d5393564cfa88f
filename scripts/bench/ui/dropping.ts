// A folder of many files that is dropped from the desktop: until the transfers panel appears, and until it shows progress.
import type { Browser, CDPSession, Page } from '@playwright/test'
import { newPerson, signIn } from '../../../test/support/person.ts'
import { framesWhile } from './frames.ts'

/** Milliseconds; long enough for a machine that does other work too. */
const timeout = 180_000

type Times = { panel: number; progress: number }

/** Milliseconds. @param source the folder on this machine */
export async function firstProgress(browser: Browser, url: string, source: string): Promise<Record<string, number>> {
  const person = await newPerson(browser)
  const { page } = person
  await signIn(page, url)
  const drop = await dragOver(page, await page.context().newCDPSession(page), source)
  const times = observeProgress(page)
  const { longest } = await framesWhile(page, async () => {
    await drop()
    // Meanwhile the rest of the folder is read, which must not block the page either.
    await page.getByRole('heading', { name: /of 10,00[01]/ }).waitFor({ timeout })
  })
  const { panel, progress } = await times
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
  await person.close()
  return { 'until the panel shows progress': progress, 'until it appears': panel, 'longest frame until all are listed': longest }
}

async function dragOver(page: Page, client: CDPSession, folder: string): Promise<() => Promise<unknown>> {
  const box = await page.locator('.pane').boundingBox()
  if (!box) throw new Error('there is no listing to drop on')
  const at = { x: box.x + box.width / 2, y: box.y + box.height - 40 }
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) await client.send('Input.dispatchDragEvent', { type, ...at, data })
  return () => client.send('Input.dispatchDragEvent', { type: 'drop', ...at, data })
}

/** Resolves when the total is above zero: some bytes have been sent. */
function observeProgress(page: Page): Promise<Times> {
  return page.evaluate((timeout) => {
    const times = { dropped: 0, panel: 0 }
    addEventListener('drop', ({ timeStamp }) => Object.assign(times, { dropped: timeStamp }), { capture: true, once: true })
    return new Promise<Times>((resolve, reject) => {
      setTimeout(() => reject(new Error('the transfers panel shows no progress')), timeout)
      const observer = new MutationObserver(() => {
        const meter = document.querySelector('.transfers-header [role=progressbar]')
        if (meter && times.panel === 0) times.panel = performance.now() - times.dropped
        if (!(Number(meter?.getAttribute('aria-valuenow')) > 0)) return
        observer.disconnect()
        requestAnimationFrame(() => resolve({ panel: times.panel, progress: performance.now() - times.dropped }))
      })
      observer.observe(document, { childList: true, subtree: true, attributes: true })
    })
  }, timeout)
}
