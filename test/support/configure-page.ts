import type { Page } from '@playwright/test'
import type { PageConfig } from '../../src-server/contract/page.ts'

/** Changes the configuration that the server writes into the page. */
export async function configurePage(page: Page, changes: Partial<PageConfig>): Promise<void> {
  const isPage = ({ pathname }: URL) => !/\/(static|api)\//.test(pathname)
  await page.route(isPage, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const body = text.replace(
      /(id="holdall-config">)(.*?)(<\/script>)/s,
      (_, before, config, after) =>
        before + JSON.stringify({ ...JSON.parse(config), ...changes }).replaceAll('<', '\\u003c') + after,
    )
    await route.fulfill({ response, body })
  })
}
