// Uploads, the transfers panel and conflicts with the keyboard.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noticeShown } from '../../support/notices.ts'
import { bannerButton, button, dialog, inRoot, type Scene } from './scene.ts'

async function choose({ page }: Scene, files: string | string[], open: () => Promise<void>) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles(files)
}

export async function uploads(scene: Scene) {
  const { page, keyboard, folder, does } = scene
  await mkdir(join(folder, 'album/inner'), { recursive: true })
  await writeFile(join(folder, 'album/inner/one.txt'), 'one')
  await writeFile(join(folder, 'single.txt'), 'single')
  await choose(scene, join(folder, 'single.txt'), () => keyboard.enter(bannerButton(page, 'Upload')))
  await keyboard.areSelected('single.txt')
  does('upload.files')
  await choose(scene, join(folder, 'album'), async () => {
    await keyboard.enter(bannerButton(page, 'New'))
    await keyboard.choose('Upload a folder…')
  })
  await keyboard.areSelected('album')
  assert.equal(readFileSync(inRoot(scene, 'album/inner/one.txt'), 'utf8'), 'one')
  does('upload.folder')
}

/** Collapses and expands the panel, cancels an upload, retries a failed one, and closes the panel. */
export async function transfers(scene: Scene) {
  const { page, keyboard, folder, does } = scene
  const panel = page.getByRole('region', { name: 'Transfers' })
  await keyboard.enter(panel.getByRole('button', { name: 'Close' }))
  await panel.waitFor({ state: 'detached' })
  let answer: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/resources/held.txt?*', async (route) => {
    await held
    await route.abort()
  })
  await page.route('**/api/resources/fails.txt?*', (route) => route.fulfill({ status: 507, body: 'full' }), { times: 1 })
  for (const name of ['held.txt', 'fails.txt']) await writeFile(join(folder, name), name)
  await choose(scene, [join(folder, 'held.txt'), join(folder, 'fails.txt')], () => keyboard.enter(bannerButton(page, 'Upload')))
  await panel.getByText('The disk is full. Free some space, then retry.').waitFor()
  await keyboard.enter(panel.getByRole('button', { name: /^Hide/ }))
  await panel.waitFor({ state: 'detached' })
  await keyboard.command('Show the transfers')
  await panel.waitFor()
  does('uploads.show')
  await keyboard.enter(panel.getByRole('button', { name: 'Cancel all' }))
  await keyboard.enter(dialog(page, 'Cancel all uploads?').getByRole('button', { name: 'Continue uploading' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.enter(panel.getByRole('button', { name: 'Collapse' }))
  await panel.getByRole('listitem').first().waitFor({ state: 'detached' })
  await keyboard.press('Enter')
  await keyboard.enter(panel.getByRole('button', { name: /^Cancel .*held/ }))
  await panel.getByText('held.txt').waitFor({ state: 'detached' })
  answer()
  await page.getByRole('alert').waitFor()
  await keyboard.enter(page.getByRole('alert').getByRole('button', { name: 'Close' }))
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await keyboard.enter(panel.getByRole('button', { name: /^Retry .*fails/ }))
  await keyboard.areSelected('fails.txt')
  await keyboard.enter(panel.getByRole('button', { name: 'Close' }))
  await panel.waitFor({ state: 'detached' })
  await page.unrouteAll()
}

export async function conflicts(scene: Scene) {
  const { page, keyboard, folder } = scene
  const names = ['a.txt', 'b.txt', 'c.txt']
  for (const name of names) await writeFile(join(folder, name), `new ${name}`)
  const files = names.map((name) => join(folder, name))
  await choose(scene, files, () => keyboard.enter(bannerButton(page, 'Upload')))
  await dialog(page, '3 files already exist').waitFor()
  await keyboard.enter(button(page, 'Keep both'))
  await dialog(page, '2 files already exist').waitFor()
  await keyboard.reach(page.getByLabel('Do this for the remaining file too'))
  await keyboard.press('Space')
  await keyboard.enter(button(page, 'Replace'))
  await noticeShown(page, '3 files uploaded')
  const read = (name: string) => readFileSync(inRoot(scene, name), 'utf8')
  assert.deepEqual([read('a.txt'), read('a(1).txt'), read('b.txt'), read('c.txt')], ['a', 'new a.txt', 'new b.txt', 'new c.txt'])
}
