// Real files through a real browser against the packaged executable: sign in, upload, download, compare.
import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { downloadFocused, newPerson, signIn, uploadByButton } from '../support/person.ts'
import { copyRealFiles, digestOf, makeBigFile, requireSpace } from '../support/real-files.ts'
import { anonymousMemory, type Running, startExecutable } from '../support/start-executable.ts'

const gibibyte = 1 << 30
const memoryLimit = 200 * (1 << 20)
const fileCount = 200

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
})
after(async () => {
  await browser?.close()
  await server?.close()
})

test('200 real files and one of 1 GiB go up and come back byte for byte, in less than 200 MB', async (t) => {
  const source = join(server.folder, 'source')
  const target = join(server.folder, 'target')
  await mkdir(source)
  await mkdir(target)
  // The original, the server's copy, the browser's download and the copy that is compared.
  await requireSpace(server.folder, 4 * gibibyte)
  const names = await copyRealFiles(source, fileCount)
  await makeBigFile(join(source, 'one gibibyte.bin'), gibibyte)
  names.push('one gibibyte.bin')

  const person = await newPerson(browser)
  await signIn(person.page, server.url)
  const memory = watchMemory(server.pid)
  await uploadByButton(
    person.page,
    names.map((name) => join(source, name)),
  )
  await person.page.getByText(`${names.length} files uploaded`).waitFor({ timeout: 300_000 })
  const received = await downloadAll(person.page, names.length, target)
  const highest = memory.stop()

  assert.deepEqual(received.toSorted(), names.toSorted())
  for (const name of names) assert.equal(await digestOf(join(target, name)), await digestOf(join(source, name)), name)
  t.diagnostic(`highest RssAnon: ${Math.round(highest / 1e6)} MB`)
  assert.ok(highest < memoryLimit, `the server held ${Math.round(highest / 1e6)} MB`)
  await person.close()
  await rm(source, { recursive: true })
})

/** Walks down the listing with the keyboard and opens each file. @returns the names as the browser was told them */
async function downloadAll(page: Page, count: number, folder: string): Promise<string[]> {
  const names: string[] = []
  const grid = page.getByRole('grid')
  await grid.locator('[tabindex="0"]').first().focus()
  await page.keyboard.press('Home')
  for (let index = 0; index < count; index++) {
    const download = await downloadFocused(page)
    const name = download.suggestedFilename()
    await download.saveAs(join(folder, name))
    await download.delete()
    names.push(name)
    await page.keyboard.press('ArrowDown')
  }
  return names
}

function watchMemory(pid: number) {
  let highest = anonymousMemory(pid)
  const timer = setInterval(() => {
    highest = Math.max(highest, anonymousMemory(pid))
  }, 20)
  return {
    stop() {
      clearInterval(timer)
      return Math.max(highest, anonymousMemory(pid))
    },
  }
}
