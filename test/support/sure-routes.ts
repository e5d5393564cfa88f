import type { Page, Route } from '@playwright/test'
import { until } from './until.ts'

/** An address that nothing else asks for, and the status of its answer. */
const probe = { path: '/is-routed', status: 299 }

/**
 * Makes `page.route` resolve when requests of the page pass through it. Playwright's own resolves before: on a busy machine a
 * request that follows at once is sent past it. A page that is not loaded yet begins with its routes.
 */
export function waitForRoutes(page: Page): void {
  const route = page.route.bind(page)
  page.route = async (...asked) => {
    const routed = await route(...asked)
    if (page.url() !== 'about:blank') await arePassed(page, route)
    return routed
  }
}

async function arePassed(page: Page, route: Page['route']): Promise<void> {
  const answer = (asked: Route) => asked.fulfill({ status: probe.status })
  await route(`**${probe.path}`, answer)
  const ask = (path: string) => fetch(path).then(({ status }) => status)
  await until(async () => (await page.evaluate(ask, probe.path)) === probe.status, 'requests pass through the route')
  await page.unroute(`**${probe.path}`, answer)
}
