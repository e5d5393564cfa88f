// Which commands have run in a page, as its own code tells.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'

/** Follows the commands of a page. Call it before the page is opened. */
export async function followCommands(page: Page) {
  const ran = new Set<string>()
  await page.exposeFunction('noteCommand', (id: string) => void ran.add(id))
  await page.addInitScript(() => {
    const page = globalThis as unknown as { noteCommand(id: string): void }
    addEventListener('command', (event) => page.noteCommand((event as CustomEvent<string>).detail))
  })
  return {
    ran: ran as ReadonlySet<string>,
    /** Fails unless these commands have run. */
    does: (...ids: string[]) => {
      for (const id of ids) assert.ok(ran.has(id), `the command ${id} has run`)
    },
  }
}
