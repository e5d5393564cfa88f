import type { Page } from '@playwright/test'

/** Drags files and folders of the disk from the desktop to a place of the page. @returns what lets go of them */
export async function dragFromDesktop(page: Page, at: { x: number; y: number }, files: string[]) {
  const client = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) await client.send('Input.dispatchDragEvent', { type, ...at, data })
  return { drop: () => client.send('Input.dispatchDragEvent', { type: 'drop', ...at, data }) }
}
