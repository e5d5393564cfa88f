// Jobs of the server: the same panel in every tab, over a reload, with the questions inside it.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { animationsEnded } from '../support/animations.ts'
import { entry } from '../support/listing.ts'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const may = ['create', 'rename', 'modify', 'delete', 'download'] as const
const files = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'there/a.txt': 'old', 'there/b.txt': 'old' }
const site = startSite({ files, user: { username: 'ben', may } })

/** As another device would. */
const begin = (page: Page, id = 'of-a-device') =>
  page.evaluate(async (id) => {
    const body = { id, kind: 'copy', entries: ['/a.txt', '/b.txt', '/c.txt'], to: '/there' }
    const headers = {
      'Content-Type': 'application/json',
      'Holdall-Act': id,
      'X-Auth': localStorage.getItem('holdall:token') ?? '',
    }
    return (await fetch('/api/jobs', { method: 'POST', headers, body: JSON.stringify(body) })).status
  }, id)

test('a job that asks is in every tab, also after a reload; the answer of one ends it in all', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'a.txt').waitFor()
  assert.equal(await begin(page), 202)
  const panel = (of: Page) => of.getByRole('region', { name: 'Transfers' })
  await panel(page).getByText('already contains').waitFor()
  await page.reload()
  await panel(page).getByText('already contains').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${site.url}/files/there/`)
  await panel(other).getByLabel('Do this for the remaining item too').check()
  await panel(other).getByRole('button', { name: 'Keep both' }).click()
  for (const tab of [page, other]) await panel(tab).getByRole('heading', { name: 'Finished' }).waitFor()
  assert.deepEqual(readdirSync(join(site.root, 'there')).sort(), ['a(1).txt', 'a.txt', 'b(1).txt', 'b.txt', 'c.txt'])
  await entry(other, 'c.txt').waitFor()
  await panel(other).getByRole('button', { name: 'Close' }).click()
  for (const tab of [page, other]) await panel(tab).waitFor({ state: 'detached' })
  await close()
})

/** The corners of the answers, from the top of their question: a panel that is full grows downwards. */
const answersAt = (page: Page) =>
  page.locator('.transfer-answer .button').evaluateAll((all) =>
    all.map((button) => {
      const { x, y } = button.getBoundingClientRect()
      const top = button.closest('.transfer-ask')?.getBoundingClientRect().y ?? 0
      return [button.textContent, Math.round(x), Math.round(y - top)]
    }),
  )

for (const width of [1280, 390]) {
  test(`the answers to a question stay where they are when what is known of the files arrives, at ${width} px`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Each is a long one, and one of them is newer.
    for (const [name, year] of [
      ['a.txt', 2025],
      ['there/a.txt', 2024],
    ] as const)
      utimesSync(join(site.root, name), new Date(year, 10, 28, 12, 48), new Date(year, 10, 28, 12, 48))
    const { page, close } = await site.openListing({ width })
    await entry(page, 'a.txt').waitFor()
    await page.route('**/api/resources/there', async (route) => {
      await promise
      await route.continue().catch(() => undefined)
    })
    assert.equal(await begin(page, `known-late-${width}`), 202)
    const panel = page.getByRole('region', { name: 'Transfers' })
    const skip = panel.getByRole('button', { name: 'Skip' })
    await skip.waitFor()
    await animationsEnded(page)
    const before = await answersAt(page)
    assert.equal(await panel.getByRole('button', { name: 'Replace' }).getAttribute('aria-disabled'), 'true')
    resolve()
    await panel.locator('dd.is-more').first().waitFor()
    assert.deepEqual(await answersAt(page), before)
    await panel.locator('button:not([aria-disabled])', { hasText: 'Replace' }).waitFor()
    await panel.getByRole('button', { name: /^Cancel .*a\.txt/ }).click()
    await panel.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
    await close()
  })
}

test('a job that is cancelled says how many items are done, and these can be undone', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'a.txt').waitFor()
  rmSync(join(site.root, 'there', 'c.txt'), { force: true })
  assert.equal(await begin(page, 'to-be-cancelled'), 202)
  const panel = page.getByRole('region', { name: 'Transfers' })
  await panel.getByRole('heading', { name: 'Waiting for your answer' }).waitFor()
  await panel.getByRole('button', { name: /^Cancel .*a\.txt/ }).click()
  await panel.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
  await panel.getByText('Cancelled · 1 of 3 items').waitFor()
  await panel.getByRole('button', { name: /^Undo copy of/ }).click()
  await until(() => !existsSync(join(site.root, 'there', 'c.txt')), 'what was copied is gone')
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  await close()
})

/** The words of what has the focus, as long as that is not the whole page. */
const focused = (page: Page, words: string) =>
  page.waitForFunction((words) => {
    const { activeElement: active, body } = document
    return active !== body && (active?.getAttribute('aria-label') ?? active?.textContent) === words
  }, words)

test('by keyboard the focus stays in the panel when a button goes, and is in the listing when the panel goes', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'a.txt').waitFor()
  const panel = page.getByRole('region', { name: 'Transfers' })
  const counts = { entries: 1, done: 0, failed: 0, skipped: 0, asked: 0 }
  const about = { id: 'held', kind: 'copy', first: '/a.txt', to: '/there', startedAt: 1, changedAt: 1, ...counts }
  const held = (state: string) => ({ json: { ...about, state, failures: [], questions: [], values: [] } })
  const states = ['cancelling', 'pausing', 'running']
  await page.route('**/api/jobs', (route) => route.fulfill({ json: { jobs: [{ ...about, state: 'paused' }] } }))
  await page.route('**/api/jobs/held', (route) => route.fulfill(held(states.pop() ?? assert.fail())))
  await page.reload()
  await panel.getByRole('button', { name: 'Resume' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Pause')
  await page.keyboard.press('Enter')
  await panel.locator('.transfer-actions [aria-disabled]').waitFor()
  await focused(page, 'Pause')
  await panel.getByRole('button', { name: /^Cancel/ }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Under way: 1')
  await page.unroute('**/api/jobs')
  await page.unroute('**/api/jobs/held')
  await page.reload()
  await entry(page, 'a.txt').waitFor()
  assert.equal(await begin(page, 'by-keyboard'), 202)
  await panel.getByLabel(/^Do this for/).focus()
  await page.keyboard.press('Space')
  await panel.getByRole('button', { name: 'Skip' }).focus()
  await page.keyboard.press('Enter')
  await panel.getByText('already contains').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.matches('.transfers h2'))
  await panel.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Enter')
  await panel.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.matches('[data-entry]'))
  await page.getByRole('banner').getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Last actions' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Last actions')
  await close()
})

/** Counts what the server tells a page of jobs. */
function jobsTold(page: Page): () => number {
  let told = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"kind":"jobs"')) told += 1
    }),
  )
  return () => told
}

test('two browsers of a person are told of a job, its question and its end at once, and somebody else never is', async (t) => {
  const told: (() => number)[] = []
  const listening = { prepare: async ({ page }: { page: Page }) => void told.push(jobsTold(page)) }
  const first = await site.openListing({}, listening)
  const second = await site.openListing({}, listening)
  const other = await site.newPerson()
  const toldOther = jobsTold(other.page)
  await signIn(other.page, site.url, 'ben')
  for (const { page } of [first, second, other]) await entry(page, 'a.txt').waitFor()
  const panel = (of: Page) => of.getByRole('region', { name: 'Transfers' })
  const from = performance.now()
  assert.equal(await begin(first.page, 'of-two-browsers'), 202)
  const asked = ({ page }: { page: Page }) => panel(page).getByText('already contains').waitFor()
  await Promise.all([first, second].map(asked))
  const answeredAt = performance.now()
  await panel(second.page).getByLabel('Do this for the remaining item too').check()
  await panel(second.page).getByRole('button', { name: 'Keep both' }).click()
  const ended = ({ page }: { page: Page }) => panel(page).getByRole('heading', { name: 'Finished' }).waitFor()
  await Promise.all([first, second].map(ended))
  t.diagnostic(`asked in ${Math.round(answeredAt - from)} ms, ended in ${Math.round(performance.now() - answeredAt)} ms`)
  // Over the socket, not by asking again.
  for (const count of told) assert.ok(count() > 0)
  assert.deepEqual([toldOther(), await panel(other.page).count()], [0, 0])
  await other.page.reload()
  await entry(other.page, 'a.txt').waitFor()
  assert.deepEqual([toldOther(), await panel(other.page).count()], [0, 0])
  for (const { close } of [first, second, other]) await close()
})

test('a row that has the focus of the keyboard is not covered by the panel, nor when that opens', async () => {
  const more = Array.from({ length: 60 }, (_, index) => [`f${100 + index}.txt`, 'f'] as const)
  await site.putFiles({ ...files, ...Object.fromEntries(more) })
  const { page, close } = await site.openListing({ width: 390 })
  await entry(page, 'a.txt').waitFor()
  const panel = page.getByRole('region', { name: 'Transfers' })
  const isFree = async () => {
    const [row, over] = await Promise.all([page.locator('[data-entry]:focus').boundingBox(), panel.boundingBox()])
    return row !== null && over !== null && row.y > 0 && row.y + row.height <= over.y
  }
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  assert.equal(await begin(page, 'over-the-focus'), 202)
  await panel.getByText('already contains').waitFor()
  await until(isFree, 'the focused row is above the panel that has opened')
  await page.keyboard.press('ArrowDown')
  await until(isFree, 'the next row too')
  await page.keyboard.press('End')
  await until(
    async () => (await page.locator('[data-entry="/f159.txt"]:focus').count()) > 0 && (await isFree()),
    'the last row too',
  )
  await close()
})
