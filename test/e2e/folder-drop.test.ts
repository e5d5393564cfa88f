// Hundreds of real files in subfolders, dropped from the desktop, while another folder is browsed.
import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { dragFromDesktop } from '../support/desktop.ts'
import { entry } from '../support/listing.ts'
import { copyRealTree, digestOf } from '../support/real-files.ts'
import { byScale } from '../support/scale.ts'
import { startSite } from '../support/site.ts'

const fileCount = byScale({ usual: 200, long: 1000 })

const site = startSite()

test(`a folder of ${fileCount} real files in subfolders arrives byte for byte while another folder is browsed`, {
  timeout: 1_200_000,
}, async (t) => {
  const source = join(site.folder, 'source/packages')
  await copyRealTree(source, fileCount - 3)
  await mkdir(join(source, 'empty folder'))
  await mkdir(join(source, '.hidden folder'))
  await writeFile(join(source, 'empty file'), '')
  await writeFile(join(source, '.hidden'), 'hidden')
  await writeFile(join(source, '.hidden folder/inside'), 'inside')
  const sent = await treeOf(source)
  assert.equal(sent.filter((name) => !name.endsWith('/')).length, fileCount)
  await mkdir(join(site.root, 'elsewhere/deeper'), { recursive: true })

  const { page, close } = await site.openListing()
  await entry(page, 'elsewhere').waitFor()
  // One file waits until the uploads were seen and another folder was browsed.
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/resources/packages/.hidden?*', async (route) => {
    await seen.promise
    await route.continue()
  })
  const longestTask = await watchLongTasks(page)
  const pane = (await page.locator('.pane').boundingBox()) ?? assert.fail('the pane is not visible')
  const { drop } = await dragFromDesktop(page, { x: pane.x + pane.width / 2, y: pane.y + pane.height - 40 }, [source])
  await page.getByText('Drop to upload to').waitFor()
  await drop()
  const panel = page.getByRole('region', { name: 'Transfers' })
  await panel.getByRole('heading', { name: /^Uploading/ }).waitFor()
  await browse(page)
  seen.resolve()
  let visits = 1
  const end = panel.getByRole('heading', { name: 'Uploads finished', exact: true })
  for (; (await end.count()) === 0; visits++) await browse(page)

  const target = join(site.root, 'packages')
  assert.deepEqual(await treeOf(target), sent)
  for (const name of sent.filter((path) => !path.endsWith('/')))
    assert.equal(await digestOf(join(target, name)), await digestOf(join(source, name)), name)
  // Reported without a limit, because it depends on the machine. A frozen page could not be browsed at all.
  t.diagnostic(`${visits} visits meanwhile; the longest task took ${await longestTask()} ms`)
  await close()
})

test('a file that is dropped on the settings or on a file is refused, and does not take the place of the page', async () => {
  await site.putFiles({ 'notes.txt': 'words' })
  const { page, close } = await site.openListing()
  await entry(page, 'notes.txt').waitFor()
  for (const address of ['/settings/profile', '/files/notes.txt', '/404']) {
    await page.goto(site.url + address)
    await page.getByRole('main').first().waitFor()
    assert.equal(await page.evaluate(dropOnBody), true, address)
  }
  await close()
})

/** @returns whether the page has kept the browser from opening the file */
function dropOnBody(): boolean {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['dropped'], 'dropped.txt'))
  const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
  document.body.dispatchEvent(event)
  return event.defaultPrevented
}

/** Opens and leaves another folder. */
async function browse(page: Page): Promise<void> {
  await entry(page, 'elsewhere').dblclick()
  await entry(page, 'deeper').waitFor()
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'My files' }).click()
  await entry(page, 'elsewhere').waitFor()
}

/** Records the longest task of the page's main thread. @returns a function that returns its milliseconds */
async function watchLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const watched = globalThis as unknown as { longest: number }
    watched.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, Math.round(duration))
    }).observe({ type: 'longtask' })
  })
  return () => page.evaluate(() => (globalThis as unknown as { longest: number }).longest)
}

/** All paths below a folder, sorted; those of folders end in a slash. */
async function treeOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.map((one) => relative(folder, join(one.parentPath, one.name)) + (one.isDirectory() ? '/' : '')).sort()
}
