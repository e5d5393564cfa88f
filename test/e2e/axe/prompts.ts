// All prompts of the listing, with the steps to reach them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { tarOf } from '../../support/attack-tar.ts'
import { entry, pick } from '../../support/listing.ts'
import { photograph } from '../../support/pictures.ts'
import { administratorPassword } from '../../support/start-executable.ts'
import { banner, dialog, type State, type Target, tool, withKeys } from './steps.ts'

const trashed = ['a.txt', 'Drawings'].map((name) => ({
  ...{ id: name, name, path: `/${name}`, isDir: name === 'Drawings', size: name === 'Drawings' ? null : 12_345, type: 'text' },
  ...{ deletedAt: Date.now(), dueAt: Date.now() + 86_400_000, by: 'admin', why: 'delete', mayPurge: true },
}))

async function openTrash(page: Page, items: typeof trashed) {
  await page.route('**/api/trash?*', (route) =>
    route.fulfill({
      json: { items, total: items.length, bytes: 12_345, own: { items: items.length, bytes: 12_345 }, days: 30, isOn: true },
    }),
  )
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await page.locator('.trash [data-entry], .empty').first().waitFor()
}

/** The information of a file that was saved over. */
async function openVersions({ page, root, url }: Target) {
  await writeFile(join(root, 'Deep/saved.txt'), 'first')
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
  const headers = { 'X-Auth': token }
  const answer = await fetch(`${url}/api/resources/Deep/saved.txt`, { method: 'PUT', headers, body: 'second' })
  if (!answer.ok) throw new Error(`the file was not saved: ${answer.status}`)
  await page.goto(`${url}/files/Deep/`)
  await pick(page, 'saved.txt')
  await page.keyboard.press('Alt+Enter')
  await page.getByRole('region', { name: 'Earlier versions' }).getByRole('listitem').first().waitFor()
}

/** A command from the menu of an entry. */
async function chosenFor(page: Page, name: string, command: string) {
  await pick(page, name)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: command }).click()
}

export const prompts: Record<string, State> = {
  help: ({ page }) => page.keyboard.press('F1').then(() => dialog(page, 'Help')),
  'new folder': async ({ page }) => {
    await banner(page, 'New').click()
    await page.getByRole('menuitem', { name: 'New folder' }).click()
    await dialog(page, 'New folder')
  },
  'new file, refused': async ({ page }) => {
    await banner(page, 'New').click()
    await page.getByRole('menuitem', { name: 'New file' }).click()
    await page.getByLabel('Name').fill('a.txt')
    await page.keyboard.press('Enter')
    await page.getByText('already here').waitFor()
  },
  download: async ({ page }) => {
    await pick(page, 'Drawings')
    await page.keyboard.press('Control+s')
    await dialog(page, /^Download/)
  },
  compress: async ({ page }) => {
    await chosenFor(page, 'Drawings', 'Compress here…')
    await dialog(page, 'Create an archive')
  },
  'names of an archive': async ({ page, root, url }) => {
    await writeFile(join(root, 'Deep/old.tar'), tarOf([{ name: Buffer.from([0x92, 0x82, 0xa0, 0x82, 0xa2]) }]))
    await page.goto(`${url}/files/Deep/`)
    await chosenFor(page, 'old.tar', 'Extract here')
    await dialog(page, 'Which names are right?')
  },
  delete: (target) => withKeys(target, 'Delete', /^Delete/),
  'delete for good': (target) => withKeys(target, 'Shift+Delete', /for good\?$/),
  'the trash, empty': ({ page }) => openTrash(page, []),
  'the trash, several selected': async ({ page }) => {
    await openTrash(page, trashed)
    await page.locator('[data-entry]').first().click()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByText('2 selected').waitFor()
  },
  'the trash, deleting for good': async ({ page }) => {
    await openTrash(page, trashed)
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'information, earlier versions': openVersions,
  'two versions compared': async (target) => {
    await openVersions(target)
    await target.page.getByRole('button', { name: 'Compare with the present version' }).first().click()
    await target.page
      .getByRole('dialog', { name: /^Compare versions/ })
      .getByText('Present version')
      .waitFor()
  },
  information: (target) => withKeys(target, 'Alt+Enter', 'Information'),
  'information, checksums': async (target) => {
    const { page } = target
    await withKeys(target, 'Alt+Enter', 'Information')
    await page.getByLabel('Compare with').fill('92eb5ffee6ae2fec3ad71c777531578f')
    await page.getByText('Matches the MD5').or(page.getByText('Does not match the MD5')).waitFor()
    await page.route('**/*checksum=sha512', () => undefined, { times: 1 })
    await page.getByRole('button', { name: 'Compute SHA-512' }).click()
    await page.getByRole('progressbar', { name: 'SHA-512' }).waitFor()
  },
  'information about a picture': async ({ page, url, root }) => {
    await writeFile(join(root, 'Deep/photo.jpg'), await photograph())
    await page.goto(`${url}/files/Deep/`)
    await pick(page, 'photo.jpg')
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('button', { name: 'Show camera data' }).click()
    await page.getByText('ISO 200').waitFor()
    await page.getByRole('button', { name: 'Show the place' }).click()
    await page.getByRole('link', { name: 'Open in OpenStreetMap' }).waitFor()
  },
  'information, counted': async ({ page }) => {
    await pick(page, 'Drawings')
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('button', { name: 'Count the contents' }).click()
    await page.getByText('Contents', { exact: true }).waitFor()
  },
  move: async ({ page }) => {
    await pick(page, 'b.txt')
    await tool(page, 'Move to…').click()
    await page.getByRole('option', { name: 'Drawings' }).click()
  },
  'copy, with a new folder': async ({ page }) => {
    await pick(page, 'b.txt')
    await tool(page, 'Copy to…').click()
    await page.getByRole('button', { name: 'New folder here' }).click()
    await page.getByLabel('Name of the new folder').waitFor()
  },
  'rename in place': async ({ page }) => {
    await pick(page, 'b.txt')
    await page.keyboard.press('F2')
    await page.getByLabel('New name').waitFor()
  },
  'rename in place, refused': async ({ page }) => {
    await pick(page, 'b.txt')
    await page.keyboard.press('F2')
    await page.getByLabel('New name').fill('a.txt')
    await page.keyboard.press('Enter')
    await page.getByText('already here').waitFor()
  },
  'rename in the mosaic, refused': async ({ page }) => {
    await page.getByRole('button', { name: 'Tiles', exact: true }).click()
    await page.locator('.mosaic').waitFor()
    await entry(page, 'b.txt').click()
    await page.keyboard.press('F2')
    await page.getByLabel('New name').fill('a.txt')
    await page.keyboard.press('Enter')
    await page.getByText('already here').waitFor()
  },
  'rename as a dialog': async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await entry(page, 'b.txt').click()
    await page.keyboard.press('F2')
    await dialog(page, 'Rename')
  },
}
