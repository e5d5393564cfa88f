// Sign-in, views, sorting and selection, by touch.
import assert from 'node:assert/strict'
import { entry } from '../../support/listing.ts'
import { noticeShown } from '../../support/notices.ts'
import { administratorPassword } from '../../support/start-executable.ts'
import { longPress } from '../../support/touch.ts'
import { until } from '../../support/until.ts'
import { areSelected, bar, choose, clear, fits, fromHeader, fromSelection, type Scene, tapEntry } from './scene.ts'

export async function signIn({ page, url }: Scene) {
  await page.goto(url)
  await fits(page, 'the login')
  await page.getByLabel('Username').tap()
  await page.keyboard.type('admin')
  await page.getByLabel('Password', { exact: true }).tap()
  await page.keyboard.type(administratorPassword)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await entry(page, 'a.txt').waitFor()
}

export async function views({ page, does }: Scene) {
  await page.getByRole('button', { name: 'List', exact: true }).tap()
  await page.locator('.row[data-entry]').first().waitFor()
  await fits(page, 'the list')
  await fromHeader(page, 'Switch to tiles')
  await page.locator('.mosaic').waitFor()
  await fits(page, 'the mosaic')
  await fromHeader(page, 'Switch to list')
  await page.locator('.row[data-entry]').first().waitFor()
  does('view.list', 'view.mosaic')
}

export async function sort({ page, does }: Scene) {
  const names = () =>
    page.locator('[data-entry] a.name').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))
  const orders = [
    ['Size', 'sort.size', 'a.txt c.txt b.txt'],
    ['Last modified', 'sort.modified', 'c.txt a.txt b.txt'],
    ['Descending', 'sort.descending', 'b.txt a.txt c.txt'],
    ['Name', 'sort.name', 'c.txt b.txt a.txt'],
    ['Ascending', 'sort.ascending', 'a.txt b.txt c.txt'],
  ] as const
  for (const [name, id, order] of orders) {
    await choose(page, page.locator('.sort-button'), name)
    await until(async () => (await names()).slice(2).join(' ') === order, `${name} gives ${order}`)
    does(id)
  }
}

/** Opens folders and files by taps, and goes up with the breadcrumbs. */
export async function open({ page, context, url, does }: Scene) {
  await tapEntry(page, 'Drawings')
  await page.waitForURL(`${url}/files/Drawings/`)
  // At another position than the tap before: two quick taps at one position are a double tap.
  await entry(page, 'roof.txt').tap({ position: { x: 250, y: 20 } })
  await page.waitForURL(`${url}/files/Drawings/roof.txt`)
  await fits(page, 'the page of a file')
  await page.getByRole('button', { name: 'Close' }).tap()
  await entry(page, 'roof.txt').waitFor()
  await fits(page, 'a folder in a folder')
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }).tap()
  await page.waitForURL(`${url}/files/`)
  await entry(page, 'Drawings').waitFor()
  await areSelected(page)
  await entry(page, 'Drawings').getByRole('button', { name: 'Actions' }).tap()
  const tab = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Open in a new tab' }).tap()
  await (await tab).waitForURL(`${url}/files/Drawings/`)
  await (await tab).close()
  does('item.openTab')
  await clear(page)
  await choose(page, entry(page, 'Drawings').getByRole('button', { name: 'Actions' }), 'Copy address')
  await noticeShown(page, 'Address copied')
  does('item.copyAddress')
  await fromSelection(page, /^Open$/)
  await page.waitForURL(`${url}/files/Drawings/`)
  does('item.open')
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }).tap()
  await entry(page, 'Drawings').waitFor()
  await areSelected(page)
  const refreshed = page.waitForResponse((response) => response.url().endsWith('/api/resources/?content=false'))
  await fromHeader(page, 'Refresh')
  await refreshed
  does('refresh')
  await fromHeader(page, 'Download this folder')
  await page.getByRole('dialog', { name: /^Download/ }).waitFor()
  await fits(page, 'the formats of an archive')
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Download' })
  await Promise.all([page.waitForEvent('download'), submit.tap()])
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  does('download.folder')
}

export async function select({ page, does }: Scene) {
  await longPress(page, 'a.txt')
  await bar(page)
    .getByText(/^1 selected/)
    .waitFor()
  await tapEntry(page, 'c.txt')
  await bar(page)
    .getByText(/^2 selected/)
    .waitFor()
  await fits(page, 'a selection')
  await tapEntry(page, 'a.txt')
  await areSelected(page, 'c.txt')
  await clear(page)
  await areSelected(page)
  does('selection.clear')
  await fromHeader(page, 'Select several')
  await bar(page).getByText('Select items').waitFor()
  for (const name of ['b.txt', 'Invoices']) await tapEntry(page, name)
  await areSelected(page, 'Invoices', 'b.txt')
  await clear(page)
  does('selection.multiple')
  await fromHeader(page, /^Select all/)
  await areSelected(page, 'Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt')
  await clear(page)
  does('selection.all')
  await longPress(page, 'a.txt')
  const [download] = await Promise.all([page.waitForEvent('download'), bar(page).getByRole('button', { name: 'Download' }).tap()])
  assert.equal(download.suggestedFilename(), 'a.txt')
  does('download')
  await fromSelection(page, /^Information/)
  await page.getByRole('dialog', { name: 'Information' }).waitFor()
  await fits(page, 'the information')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await clear(page)
  does('info')
}
