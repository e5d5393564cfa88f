// Which commands have run in a page, as its own code tells.
import type { Page } from '@playwright/test'
import { until } from './until.ts'

/** Follows the commands of a page. Call it before the page is opened. */
export async function followCommands(page: Page) {
  const ran = new Set<string>()
  await page.exposeFunction('noteCommand', (id: string) => void ran.add(id))
  await page.addInitScript(() => {
    const page = globalThis as unknown as { noteCommand(id: string): void }
    addEventListener('command', (event) => page.noteCommand((event as CustomEvent<string>).detail))
  })
  const claimed = new Set<string>()
  return {
    ran: ran as ReadonlySet<string>,
    /** Claims that these commands have run. */
    does: (...ids: string[]) => {
      for (const id of ids) claimed.add(id)
    },
    /** Fails unless all claimed commands have run. What another page shows of one may come before the word of it. */
    haveRun: () =>
      until(
        () => [...claimed].every((id) => ran.has(id)),
        () => `the commands ${[...claimed].filter((id) => !ran.has(id))} have run`,
      ),
  }
}
