// Files and folders that are dragged from outside the browser.
import type { Page } from '@playwright/test'

type Point = { x: number; y: number }

/** Drags real files or folders from the desktop over a point of the page. @returns a function that drops them */
export async function dragFromDesktop(page: Page, at: Point, paths: readonly string[]): Promise<{ drop(): Promise<unknown> }> {
  const client = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) await client.send('Input.dispatchDragEvent', { type, ...at, data })
  return { drop: () => client.send('Input.dispatchDragEvent', { type: 'drop', ...at, data }) }
}
