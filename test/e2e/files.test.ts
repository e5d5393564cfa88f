// Real files through a real browser against the packaged executable: sign in, upload, download, compare.
import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { focusListing } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { downloadFocused, showList, uploadByButton } from '../support/person.ts'
import { copyRealFiles, digestOf, makeBigFile, requireSpace } from '../support/real-files.ts'
import { startSite } from '../support/site.ts'
import { anonymousMemory } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const gibibyte = 1 << 30
const memoryLimit = 200 * (1 << 20)
const fileCount = 200

const site = startSite()

test('200 real files and one of 1 GiB go up and come back byte for byte, in less than 200 MB', {
  timeout: 1_800_000,
}, async (t) => {
  const source = join(site.folder, 'source')
  const target = join(site.folder, 'target')
  await mkdir(source)
  await mkdir(target)
  // The original, the server's copy, the browser's download and the copy that is compared.
  await requireSpace(site.folder, 4 * gibibyte)
  const names = await copyRealFiles(source, fileCount)
  await makeBigFile(join(source, 'one gibibyte.bin'), gibibyte)
  names.push('one gibibyte.bin')

  const person = await site.openListing()
  const memory = watchMemory(site.server.pid)
  t.after(() => memory.stop())
  await uploadByButton(
    person.page,
    names.map((name) => join(source, name)),
  )
  await noticeShown(person.page, `${names.length} files uploaded`, { timeout: 1_200_000 })
  const received = await downloadAll(person.page, names.length, target)
  const highest = memory.stop()

  assert.deepEqual(differences(received, names), { missing: [], twice: [] })
  for (const name of names) assert.equal(await digestOf(join(target, name)), await digestOf(join(source, name)), name)
  t.diagnostic(`highest RssAnon: ${Math.round(highest / 1e6)} MB`)
  assert.ok(highest < memoryLimit, `the server held ${Math.round(highest / 1e6)} MB`)
  await person.close()
  await rm(source, { recursive: true })
})

function differences(received: readonly string[], sent: readonly string[]) {
  const missing = sent.filter((name) => !received.includes(name))
  return { missing, twice: received.filter((name, index) => received.indexOf(name) !== index) }
}

/** After ten downloads Chromium asks for permission, which a test cannot give. After a reload ten more are allowed. */
const downloadsInARow = 9

/** Downloads each file of the list with the keyboard. @returns the names of the downloads */
async function downloadAll(page: Page, count: number, folder: string): Promise<string[]> {
  const names: string[] = []
  while (names.length < count) {
    await page.reload()
    await focusRow(page, names.length)
    for (let row = 0; row < downloadsInARow && names.length < count; row++) {
      const download = await downloadFocused(page)
      await download.saveAs(join(folder, download.suggestedFilename()))
      await download.delete()
      names.push(download.suggestedFilename())
      await page.keyboard.press('ArrowDown')
    }
  }
  return names
}

/** Moves the focus to the row with this index, by pages and single rows. */
async function focusRow(page: Page, index: number) {
  await showList(page)
  await focusListing(page)
  const first = await focusFirst(page)
  if (index === 0) return
  const pageLength = (await pressAndMove(page, 'PageDown')) - first
  let at = await focusFirst(page)
  while (at < first + index) at = await pressAndMove(page, first + index - at >= pageLength ? 'PageDown' : 'ArrowDown')
}

async function focusFirst(page: Page): Promise<number> {
  await page.keyboard.press('Home')
  await page.waitForFunction(() => document.activeElement === document.querySelector('[data-entry]'))
  return focusedIndex(page)
}

/** @returns the index to which the key has moved the focus */
async function pressAndMove(page: Page, key: string): Promise<number> {
  const before = await focusedIndex(page)
  let at = before
  await page.keyboard.press(key)
  const hasMoved = async () => {
    at = await focusedIndex(page)
    return at > 0 && at !== before
  }
  await until(hasMoved, `${key} moves the focus`)
  return at
}

/** 0 while no row has the focus. */
const focusedIndex = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.activeElement?.getAttribute('aria-rowindex')))

function watchMemory(pid: number) {
  let highest = anonymousMemory(pid)
  const timer = setInterval(() => {
    highest = Math.max(highest, anonymousMemory(pid))
  }, 20)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return Math.max(highest, anonymousMemory(pid))
    },
  }
}
