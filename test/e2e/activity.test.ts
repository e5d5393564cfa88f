// The page about what was done on the server.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from '@playwright/test'
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { Site, startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ flags: ['--audit-log', 'activity.log'], user: { username: 'ann', may: ['share', 'download'] } })

const day = 86_400_000
const rows = (page: Page) => page.locator('.activity-row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const select = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const textOf = async (found: Locator) => (await found.textContent()) ?? ''
/** Waits for this number of rows, without those about the sign-in of the test. */
const hasRows = (page: Page, count: number) =>
  page.waitForFunction((expected) => {
    const addresses = [...document.querySelectorAll('.activity-row .activity-address')].map((cell) => cell.textContent)
    return addresses.filter((address) => address !== '127.0.0.1').length === expected
  }, count)

const base: ActivityLine = {
  ...{ time: '', who: 'ann', what: 'upload', path: '/garden/plan.txt', from: '192.168.1.20', way: 'page', result: 'done' },
}

/** The log has these entries alone, the oldest first, each some days old. */
async function write(entries: readonly ({ [K in keyof ActivityLine]?: ActivityLine[K] | undefined } & { age?: number })[]) {
  const lines = entries.map(({ age = 0, ...rest }) => {
    const time = new Date(Date.now() - age * day).toISOString()
    return `${JSON.stringify({ ...base, ...rest, time })}\n`
  })
  await writeFile(join(site.folder, 'activity.log'), lines.join(''))
}

async function open(search = '', view = {}) {
  const person = await site.openListing(view)
  await person.page.goto(`${site.url}/settings/activity${search}`)
  await person.page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
  return person
}

const some = [
  { what: 'upload', path: '/old.txt', age: 20 },
  { what: 'download', path: '/shared.txt', way: 'share', from: '203.0.113.80', age: 3 },
  { what: 'signIn', path: undefined, result: 'failed', reason: 'forbidden', count: 3, age: 2 },
  { what: 'user', path: undefined, act: 'create', user: 'rosa', who: 'admin', age: 1 },
  { what: 'rename', path: '/garden/plan.txt', to: '/archive/plan.txt' },
] as const

test('at 1000 px all five columns are shown, in the table alone', async () => {
  await write(some)
  const { page, close } = await open('', { width: 1000, height: 800 })
  await hasRows(page, 4)
  const heads = await page
    .getByRole('columnheader')
    .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent))
  assert.deepEqual(heads, ['When', 'Who', 'What', 'Where', 'Address'])
  assert.ok(await row(page, 'Moved').getByText('192.168.1.20').isVisible())
  assert.ok(await page.locator('.pane').evaluate((pane) => pane.scrollWidth <= pane.clientWidth))
  await close()
})

test('entries stand under their days, with who, what, where and from which address', async () => {
  await write(some)
  const { page, close } = await open()
  await hasRows(page, 4)
  assert.deepEqual(
    await page
      .locator('.activity-day')
      .allInnerTexts()
      .then((all) => all.slice(0, 2)),
    ['Today', 'Yesterday'],
  )
  const moved = row(page, 'Moved')
  assert.match(await textOf(moved), /ann[\s\S]*Moved[\s\S]*\/garden\/plan\.txt[\s\S]*\/archive\/plan\.txt[\s\S]*192\.168\.1\.20/)
  assert.match(await textOf(moved.getByRole('cell').first()), /^\d\d:\d\d:\d\d$/)
  assert.match(await textOf(row(page, 'Created user')), /admin[\s\S]*rosa/)
  assert.match(
    await textOf(row(page, 'Sign-in failed')),
    /Wrong credentials. Check the name and the password. · 3 times within a minute/,
  )
  assert.match(await textOf(row(page, 'Downloaded')), /Visitor[\s\S]*\/shared\.txt · by a link/)
  await page
    .getByRole('status')
    .getByText(/^\d entries$/)
    .waitFor()
  await close()
})

test('the filters stand in the address: Back and a reload keep them', async () => {
  await write(some)
  const { page, close } = await open()
  await hasRows(page, 4)
  await select(page, 'What').selectOption({ label: 'Changes to files' })
  await hasRows(page, 1)
  await select(page, 'Period').selectOption({ label: 'Last 30 days' })
  await hasRows(page, 2)
  assert.equal(new URL(page.url()).search, '?what=files&period=30')
  await page.reload()
  await hasRows(page, 2)
  assert.equal(await select(page, 'Period').inputValue(), '30')
  await page.goBack()
  await hasRows(page, 1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await hasRows(page, 4)
  await select(page, 'Who').selectOption({ label: 'Visitors' })
  await hasRows(page, 1)
  await row(page, 'Downloaded').waitFor()
  await select(page, 'Who').selectOption({ label: '\u2068ann\u2069' })
  await hasRows(page, 2)
  await page.getByRole('checkbox', { name: 'Failed only' }).check()
  await hasRows(page, 1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('searchbox', { name: 'Part of a path' }).fill('archive')
  await hasRows(page, 1)
  await select(page, 'Period').selectOption({ label: 'Custom range' })
  const text = (age: number) => new Date(Date.now() - age * day).toLocaleDateString('sv-SE')
  await page.getByLabel('From').fill(text(25))
  await page.getByLabel('To').fill(text(15))
  await page.getByRole('heading', { name: 'No matching activity' }).waitFor()
  await page.getByRole('searchbox', { name: 'Part of a path' }).fill('')
  await row(page, '/old.txt').waitFor()
  await hasRows(page, 1)
  await close()
})

test('where nothing is found a longer period is offered', async () => {
  await write([{ path: '/long-ago.txt', age: 100 }])
  const { page, close } = await open('?period=today&what=files')
  for (const name of ['Last 7 days', 'Last 30 days', 'Any time'])
    await page.getByRole('main').getByRole('button', { name }).click()
  await row(page, '/long-ago.txt').waitFor()
  await close()
})

test('long logs are shown page by page, with few rows in the document at a time', async () => {
  await write(Array.from({ length: 1450 }, (_, index) => ({ path: `/file ${1449 - index}.txt` })))
  const { page, close } = await open('?what=files')
  await row(page, '/file 199.txt').waitFor()
  for (const last of [399, 599, 799, 999, 1199, 1399, 1449]) {
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.locator('.activity-foot').scrollIntoViewIfNeeded()
    await row(page, `/file ${last}.txt`).waitFor()
  }
  await page.getByRole('status').getByText('1,450 entries').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.activity-row').length <= 800)
  await page.locator('.settings-pane').evaluate((pane) => pane.scrollTo(0, 0))
  await row(page, '/file 0.txt').waitFor()
  await close()
})

test('new entries come with a refresh', async () => {
  await write(some)
  const { page, close } = await open('?what=files')
  await hasRows(page, 1)
  await write([...some, { what: 'delete', path: '/newest.txt' }])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await hasRows(page, 2)
  await row(page, '/newest.txt').waitFor()
  await close()
})

test('what fits the filters is exported, as a table and as lines', async () => {
  await write(some)
  const { page, close } = await open('?what=files&period=30')
  await hasRows(page, 2)
  for (const [entry, name, lines] of [
    ['As a table (CSV)', 'activity.csv', 3],
    ['As JSON Lines', 'activity.jsonl', 2],
  ] as const) {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: entry }).click()])
    assert.equal(download.suggestedFilename(), name)
    const text = await readFile(await download.path(), 'utf8')
    assert.equal(text.trim().split('\n').length, lines)
    assert.match(text, /\/archive\/plan\.txt/)
  }
  await page.route('**/api/activity?*format=csv', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }))
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'As a table (CSV)' }).click()
  await page.getByText('The activity could not be exported').waitFor()
  await close()
})

test('hostile names are shown as they are, and do nothing', async () => {
  const path = '/<img src=x onerror=alert(1)>\n\u202egpj.exe'
  await write([
    { what: 'upload', path },
    { what: 'command', path: '/', line: "echo '<b>' \u0000\u2066", who: '<i>\u202e' },
  ])
  const { page, close } = await open()
  await hasRows(page, 2)
  const shown = await textOf(row(page, 'Uploaded'))
  assert.match(shown, /<img src=x onerror=alert\(1\)>\u240a\ufffdgpj\.exe/)
  assert.match(await textOf(row(page, 'Ran a command')), /<i>\ufffd[\s\S]*echo '<b>' \u2400\ufffd/)
  assert.equal(await page.locator('.activity-row img, .activity-row b, .activity-row i').count(), 0)
  await close()
})

test('a failure is said, and can be tried again', async () => {
  await write(some)
  const person = await site.openListing()
  const { page } = person
  await page.route('**/api/activity?*', (route) => route.fulfill({ status: 500, body: '500 Internal Server Error' }))
  await page.goto(`${site.url}/settings/activity?what=files`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unrouteAll()
  await again.click()
  await hasRows(page, 1)
  await person.close()
})

test('others have no activity, and on a phone the page is not wider than it', async () => {
  await write(some)
  const other = await site.newPerson()
  await other.page.goto(`${site.url}/settings/activity`)
  await other.page.getByLabel('Username').fill('ann')
  await other.page.getByLabel('Password', { exact: true }).fill(administratorPassword)
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.waitForURL(`${site.url}/403`)
  await other.page.getByText('Only an administrator can open this.').waitFor()
  await other.close()
  const { page, close } = await open('', { width: 390, height: 844, touch: true })
  await hasRows(page, 4)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
  assert.equal(await page.getByRole('columnheader').count(), 5, 'cards are rows of a table still')
  const parts = page
    .locator('.activity-table')
    .locator('tbody:not([role="rowgroup"]), tr:not([role="row"]), td:not([role="cell"])')
  assert.equal(await parts.count(), 0, 'parts of the table without a role')
  await row(page, '/archive/plan.txt').waitFor()
  const ofSignIn = rows(page).filter({ hasText: '127.0.0.1' }).locator('.activity-what:empty').first()
  assert.equal((await ofSignIn.boundingBox())?.height, 0, 'what is about nothing has no empty line')
  await close()
})

test('a server without a log says how to start it', async () => {
  const plain = new Site()
  await plain.start({})
  try {
    const { page, close } = await plain.openListing()
    await page.goto(`${plain.url}/settings/profile`)
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { name: 'Activity is not recorded' }).waitFor()
    await page.locator('code', { hasText: '--audit-log' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0)
    await close()
  } finally {
    await plain.close()
  }
})
