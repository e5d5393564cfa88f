// 10,000 files that another program makes in the folder that a page shows.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { openFollowed } from '../../../test/support/followed.ts'
import { newPerson, showList, signIn } from '../../../test/support/person.ts'
import { framesWhile } from './frames.ts'

/** Milliseconds; long enough for a machine that does other work too. */
const timeout = 180_000
const count = 10_000

/** Milliseconds. @param root the folder that the server serves @param name of a new folder below it */
export async function changedByOthers(
  browser: Browser,
  url: string,
  root: string,
  name: string,
): Promise<Record<string, number>> {
  await mkdir(join(root, name))
  await writeFile(join(root, name, 'first'), '')
  const person = await newPerson(browser)
  const { page } = person
  await signIn(page, url)
  await showList(page)
  await openFollowed(page, `${url}/files/${name}/`)
  await page.locator('[role=grid]').waitFor()
  const { longest } = await framesWhile(page, async () => {
    for (let index = 0; index < count; index++) await writeFile(join(root, name, `file ${index}`), '')
    await page.locator(`[role=grid][aria-rowcount="${count + 3}"]`).waitFor({ timeout })
  })
  const added = await page.evaluate(() => performance.now())
  await writeFile(join(root, name, '- last'), '')
  await page.getByRole('link', { name: '- last', exact: true }).waitFor({ timeout })
  const seen = (await page.evaluate(() => performance.now())) - added
  await person.close()
  return { 'longest frame meanwhile': longest, 'until one more is shown': seen }
}
