// On a tablet, which is wide and has touch input, every target is as large as on a phone.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { animationsEnded } from '../support/animations.ts'
import { entry } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { forbidMouse, longPress, smallTargets } from '../support/touch.ts'

const deep = 'one/two/three/four/five'
const site = startSite({ files: { [`${deep}/x.txt`]: 'x', 'Drawings/': '', 'a.txt': 'a', 'b.txt': 'b' } })
const tablets = [
  { width: 1180, height: 640, touch: true },
  { width: 820, height: 1180, touch: true },
]

/** Targets that are too small, by the state in which they were found. */
async function collect(page: Page, small: string[], where: string, within = page.locator('body')): Promise<void> {
  await animationsEnded(page)
  for (const target of await smallTargets(within)) small.push(`${where}: ${target}`)
}

for (const tablet of tablets)
  test(`on touch at ${tablet.width} px every target of the page, its menus and its prompts has 44 px`, async () => {
    const { page, close } = await site.openListing(tablet, { prepare: (person) => forbidMouse(person.page) })
    const small: string[] = []
    const banner = page.getByRole('banner')
    const bar = page.getByRole('toolbar', { name: 'Selection' })
    const look = (where: string, within?: ReturnType<Page['locator']>) => collect(page, small, where, within)
    const prompt = async (where: string) => {
      await page.getByRole('dialog').waitFor()
      await look(where, page.getByRole('dialog'))
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const menu = async (where: string) => {
      await page.getByRole('menu').waitFor()
      await look(where, page.getByRole('menu'))
      const box = await page.getByRole('menu').boundingBox()
      assert.ok(box && box.y >= 0 && box.y + box.height <= tablet.height, `${where} is in the window`)
    }
    await look('list')
    await page.getByRole('button', { name: 'Tiles', exact: true }).tap()
    await page.locator('.mosaic').waitFor()
    await look('mosaic')
    await page.getByRole('button', { name: 'List', exact: true }).tap()
    await page.locator('.list').waitFor()

    await banner.getByRole('button', { name: 'More' }).tap()
    await menu('header menu')
    await page.getByRole('menuitem', { name: /^Help/ }).tap()
    await prompt('help')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await look('palette', page.getByRole('dialog'))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await banner.getByRole('button', { name: 'New', exact: true }).tap()
    await menu('new menu')
    await page.getByRole('menuitem', { name: 'New folder' }).tap()
    await prompt('new folder')

    await longPress(page, 'a.txt')
    await look('selection')
    for (const name of ['Rename', 'Copy', 'Move', 'Delete', 'Information']) {
      const button = bar
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .or(page.getByRole('main').getByRole('button', { name }))
      await button.first().tap()
      if (name !== 'Rename') await prompt(name)
      else {
        await page.locator('.rename input').waitFor()
        await look('rename')
        await page.keyboard.press('Escape')
      }
    }
    await bar.getByRole('button', { name: 'More' }).tap()
    await menu('selection menu')
    await page.touchscreen.tap(4, tablet.height - 4)

    await mkdir(join(site.folder, 'source'), { recursive: true })
    const paths = ['a.txt', 'new.txt'].map((name) => join(site.folder, 'source', name))
    for (const path of paths) await writeFile(path, 'new')
    await page.route('**/api/resources/new.txt?*', (route) => route.fulfill({ status: 507, body: '507 Full' }))
    const chooser = page.waitForEvent('filechooser')
    await banner.getByRole('button', { name: 'Upload' }).tap()
    await (await chooser).setFiles(paths)
    await page.getByRole('dialog').waitFor()
    await look('conflict', page.getByRole('dialog'))
    await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).tap()
    await page.getByRole('alert').getByText('1 file was not uploaded').waitFor()
    await look('uploads and notice')

    await page.goto(`${site.url}/files/${deep}/`)
    await entry(page, 'x.txt').waitFor()
    await look('deep path')
    await page.goto(`${site.url}/files/nowhere/`)
    await page.locator('.empty').waitFor()
    await look('error')
    assert.deepEqual(small, [])
    await close()
  })
