// A larger size of type in the settings of the browser: texts, rows, buttons and fields grow with it, and nothing is cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from '@playwright/test'
import { measuringScript } from '../../scripts/clipping/find-clippings.ts'
import type { Measured } from '../../scripts/clipping/measure.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { entry } from '../support/listing.ts'
import type { Person } from '../support/person.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const notes = Array.from({ length: 300 }, (_, index) => [`note ${100 + index}.txt`, 'note'])
const table = `Crop,Month\n${'Leeks,March\n'.repeat(300)}`
const site = startSite({ files: { 'Drawings/': '', 'Plans/': '', 'sowing.csv': table, ...Object.fromEntries(notes) } })

const wide = { width: 1280, height: 800 }
const phone = { width: 390, height: 844, touch: true }

/** As in the settings of the browser, where 16 is usual. */
async function setType({ page, context }: Person, size: number): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: size } })
}

/** A listing in a browser with type of 24 px. */
const openLarge = (view: object = wide, path = '/files/'): Promise<Person> =>
  site.openListing(view, {
    path,
    prepare: async (person) => {
      await person.context.addInitScript({ content: await measuringScript() })
      await setType(person, 24)
    },
  })

const heightOf = async (place: Locator): Promise<number> => (await place.boundingBox())?.height ?? 0

/** The texts that are cut, that leave their box or the window, or that lie on others. */
async function cutTexts(page: Page): Promise<string[]> {
  const { findings } = await page.evaluate('clipping.measure()').then((value) => value as { findings: Measured[] })
  return findings.map(({ kind, where, text, detail }) => [kind, where, text, detail].join(' · '))
}

/** The distances from the top of each drawn element to that of the next below it. */
const distances = (page: Page, selector: string): Promise<number[]> =>
  page.locator(selector).evaluateAll((all) => {
    const tops = [...new Set(all.map((one) => one.getBoundingClientRect().top))].sort((one, other) => one - other)
    return [...new Set(tops.slice(1).map((top, index) => Math.round((top - (tops[index] ?? 0)) * 4) / 4))]
  })

test('rows and their texts grow with the size of type of the browser, at once and in their places', async () => {
  const person = await site.openListing(wide)
  const { page, close } = person
  const row = entry(page, 'note 100.txt')
  assert.deepEqual([await heightOf(row), await heightOf(page.locator('.searchbox'))], [40, 36])
  await setType(person, 24)
  await until(async () => (await heightOf(row)) === 60, 'the rows have grown')
  assert.equal(await row.getByRole('link').evaluate((name) => getComputedStyle(name).fontSize), '21px')
  await page.getByRole('grid').press('End')
  await entry(page, 'note 399.txt').waitFor()
  assert.deepEqual(await distances(page, '[data-entry]'), [60])
  const [last, list] = [await entry(page, 'note 399.txt').boundingBox(), await page.locator('.pane').boundingBox()]
  assert.ok(last && list && last.y + last.height <= list.y + list.height + 1, 'the last row is in view')
  await close()
})

test('tiles grow with the size of type of the browser, and keep their places', async () => {
  const { page, close } = await openLarge()
  await page.getByRole('button', { name: 'Tiles', exact: true }).click()
  await page.locator('.mosaic').waitFor()
  const tops = await distances(page, '.folder-tile, .tile')
  const [folder, tile] = [page.locator('.folder-tile').first(), page.locator('.tile').first()]
  assert.equal(await heightOf(folder), 84)
  const lineHeight = (await heightOf(tile)) + 6
  assert.equal(tops.at(-1), lineHeight)
  await page.locator('.pane').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight))
  await entry(page, 'sowing.csv').waitFor()
  assert.deepEqual(await distances(page, '.tile'), [lineHeight])
  assert.deepEqual(await cutTexts(page), [])
  await close()
})

for (const [name, view] of [
  ['in a wide window', wide],
  ['on a phone', phone],
] as const)
  test(`with larger type no text is cut ${name}: of the listing, its menu, the prompts and the settings`, async () => {
    const { page, close } = await openLarge(view)
    const cut: Record<string, string[]> = { listing: await cutTexts(page) }
    await entry(page, 'note 101.txt').click({ button: 'right' })
    await page.getByRole('menu').waitFor()
    cut.menu = await cutTexts(page)
    await page.getByRole('menuitem', { name: 'Share' }).click()
    await page.getByRole('dialog', { name: 'Share' }).getByRole('radio').first().waitFor()
    cut.share = await cutTexts(page)
    await page.keyboard.press('Escape')
    await page.goto(`${site.url}/settings/profile`)
    await page.getByRole('heading', { name: 'Language' }).waitFor()
    cut.settings = await cutTexts(page)
    assert.deepEqual(Object.values(cut).flat(), [])
    await close()
  })

test('the rows of a table stay below each other in larger type', async () => {
  const { page, close } = await openLarge(wide, '/files/')
  await page.goto(`${site.url}/files/sowing.csv`)
  await page.getByRole('rowheader', { name: '1', exact: true }).waitFor()
  const place = page.locator('.sheet-place')
  assert.deepEqual(await distances(page, '.sheet-row'), [48])
  await place.evaluate((table) => table.scrollTo(0, table.scrollHeight))
  await page.getByRole('rowheader', { name: '300' }).waitFor()
  assert.deepEqual(await distances(page, '.sheet-row:not(.sheet-head)'), [48])
  await close()
})

test('the page of a public link grows with the size of type of the browser', async () => {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  const { hash } = await share(asPrincipal(site.url, await answer.text()), '/')
  for (const view of [wide, phone]) {
    const person = await site.newPerson(view)
    await person.context.addInitScript({ content: await measuringScript() })
    await person.page.goto(`${site.url}/share/${hash}`)
    const name = person.page.getByText('note 100.txt')
    await name.waitFor()
    const before = await heightOf(person.page.locator('.share-item').first())
    await setType(person, 24)
    const height = () => heightOf(person.page.locator('.share-item').first())
    await until(async () => (await height()) === before * 1.5, 'the items have grown')
    assert.deepEqual(await cutTexts(person.page), [])
    await person.close()
  }
})
