// Takes the pictures of docs/screens/: the packaged executable with a folder of made-up files, seen in a real browser.
// Run after `npm run package`: node_modules/.bin/node scripts/make-screens.ts [part of a picture's name]
import { mkdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { launchBrowser } from '../test/support/browser.ts'
import { newPerson, signIn } from '../test/support/person.ts'
import { startExecutable } from '../test/support/start-executable.ts'

const target = resolve(import.meta.dirname, '../docs/screens')
const wanted = process.argv[2] ?? ''

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const day = 86_400_000

/** Names, sizes in bytes and ages in days of a folder that looks lived in. */
const sample: readonly (readonly [string, number, number])[] = [
  ['Allotment/Beds and paths/sketch.svg', 41 * kibibyte, 3],
  ['Allotment/Receipts/seed merchant.pdf', 88 * kibibyte, 40],
  ['Allotment/Seed trials/notes.md', 5 * kibibyte, 12],
  ['Allotment/Water butts/measurements.csv', 2 * kibibyte, 22],
  ['Allotment/First frost on the leeks.jpg', 4.4 * mebibyte, 1],
  ['Allotment/Pears espaliered along the south wall before the winter pruning and the new wires.jpg', 5.2 * mebibyte, 2],
  ['Allotment/Robin on the fork handle.png', 7.9 * mebibyte, 2],
  ['Allotment/Turning the compost, sped up.mp4', 231 * mebibyte, 3],
  ['Allotment/Dawn chorus over the hedge.flac', 38 * mebibyte, 4],
  ['Allotment/Tenancy agreement, signed.pdf', 1.1 * mebibyte, 30],
  ['Allotment/Planting calendar 2027.xlsx', 96 * kibibyte, 5],
  ['Allotment/What to sow when.md', 7 * kibibyte, 1],
  ['Allotment/irrigation-timer.py', 3 * kibibyte, 8],
  ['Allotment/photographs-2025.tar.gz', 812 * mebibyte, 200],
  ['Choir/Winter programme.docx', 60 * kibibyte, 9],
  ['Family/Grandmother’s recipes.pdf', 12 * mebibyte, 400],
  ['Taxes/2025/summary.pdf', 300 * kibibyte, 250],
  ['Reading list.md', 4 * kibibyte, 0.2],
]

async function setAge(path: string, days: number) {
  const when = new Date(Date.now() - days * day)
  await utimes(path, when, when)
}

async function plant(root: string) {
  for (const [name, size, age] of sample) {
    const file = join(root, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '')
    await truncate(file, Math.round(size))
    await setAge(file, age)
  }
  // Making a file changes its folder: folders get their ages last.
  for (const [name, , age] of sample) await setAge(join(root, dirname(name)), age + 1)
  await mkdir(join(root, 'Empty box'))
  await mkdir(join(root, 'Archive'))
  for (let number = 1; number <= 10_000; number++) await writeFile(join(root, 'Archive', `scan ${number}.tif`), '')
}

type Look = { name: string; theme: 'light' | 'dark'; width: number; height: number; touch: boolean }
const looks: readonly Look[] = [
  { name: 'light', theme: 'light', width: 1280, height: 800, touch: false },
  { name: 'dark', theme: 'dark', width: 1280, height: 800, touch: false },
  { name: 'phone', theme: 'light', width: 390, height: 844, touch: true },
  { name: 'phone-dark', theme: 'dark', width: 390, height: 844, touch: true },
]

const folders: readonly (readonly [string, string])[] = [
  ['ten', '/files/Allotment/'],
  ['empty', '/files/Empty%20box/'],
  ['thousands', '/files/Archive/'],
]

async function shoot(page: Page, name: string) {
  if (!name.includes(wanted)) return
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' })
  console.log(`docs/screens/${name}.png`)
}

async function shootListings(page: Page, url: string, look: Look) {
  for (const view of ['List', 'Mosaic']) {
    for (const [folder, path] of folders) {
      await page.goto(url + path)
      await page.getByRole('gridcell').or(page.getByText('This folder is empty')).first().waitFor()
      await page.getByRole('button', { name: view, exact: true }).click()
      await page.locator('#startup').waitFor({ state: 'detached' })
      await shoot(page, `listing-${view.toLowerCase()}-${folder}-${look.name}`)
    }
  }
}

async function shootLook(browser: Browser, url: string, look: Look) {
  const person = await newPerson(browser, look)
  await person.page.goto(url)
  await person.page.getByLabel('Username').waitFor()
  await shoot(person.page, `login-${look.name}`)
  await signIn(person.page, url)
  await shootListings(person.page, url, look)
  await person.close()
}

const server = await startExecutable()
const browser = await launchBrowser()
try {
  await mkdir(target, { recursive: true })
  await plant(server.root)
  for (const look of looks) await shootLook(browser, server.url, look)
} finally {
  await browser.close()
  await server.close()
}
