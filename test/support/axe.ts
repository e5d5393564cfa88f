// Checks a page with axe.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { animationsEnded } from './animations.ts'

/** The window after the script of axe has run in it. */
type Checked = Window & { axe?: typeof import('axe-core') }

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The violations of a page, each as its rule, element and reason. The script of axe is put into a document once; that takes longer than
 * a check. Frames are not looked into, as the pages have none.
 * @param within a selector: only elements that match it, and what is in them, are checked
 * @param rules all rules of axe by default
 */
export async function violations(page: Page, { within, rules }: { within?: string; rules?: string[] } = {}): Promise<string[]> {
  await animationsEnded(page)
  if (await page.evaluate(() => (window as Checked).axe === undefined)) await page.evaluate(`${source}; 0`)
  const options: RunOptions = { resultTypes: ['violations'], selectors: false, iframes: false, ...(rules && { runOnly: rules }) }
  return page.evaluate(
    async ([within, options]) => {
      const { axe } = window as Checked
      if (!axe) throw new Error('the script of axe did not run')
      const { violations } = await axe.run(within ?? document, options)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`))
    },
    [within, options] as const,
  )
}
