// The drawer, help, uploads with the transfers panel and conflicts, and sign-out, by touch.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { entry } from '../../support/listing.ts'
import { noticeShown } from '../../support/notices.ts'
import { areSelected, bar, clear, dialog, drawer, fits, fromHeader, inRoot, openDrawer, type Scene } from './scene.ts'

export async function sidebar(scene: Scene) {
  const { page, url, does } = scene
  await openDrawer(scene)
  await fits(page, 'the drawer')
  // Outside the drawer.
  await page.touchscreen.tap(380, 500)
  await drawer(scene).waitFor({ state: 'hidden' })
  does('sidebar.toggle')
  await fromHeader(page, /^Help/)
  await dialog(page, 'Help').waitFor()
  await fits(page, 'the help')
  await dialog(page, 'Help').getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  does('help')
  await entry(page, 'Letters').tap()
  await page.waitForURL(`${url}/files/Letters/`)
  await openDrawer(scene)
  await drawer(scene).getByRole('link', { name: 'My files' }).tap()
  await page.waitForURL(`${url}/files/`)
  await drawer(scene).waitFor({ state: 'hidden' })
  await entry(page, 'a.txt').waitFor()
  does('go.home')
  await openDrawer(scene)
  await drawer(scene).getByRole('button', { name: 'Settings' }).tap()
  await page.getByRole('form', { name: 'Language' }).waitFor()
  await fits(page, 'the settings')
  does('go.settings')
  await openDrawer(scene)
  await drawer(scene).getByRole('button', { name: 'Trash' }).tap()
  await page.getByRole('grid', { name: 'Trash' }).waitFor()
  await fits(page, 'the trash')
  does('go.trash')
  await page.goBack()
  await page.goBack()
  await entry(page, 'a.txt').waitFor()
}

async function upload({ page }: Scene, files: string | string[], open: () => Promise<void>) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles(files)
}

const byButton = ({ page }: Scene) => page.getByRole('banner').getByRole('button', { name: 'Upload' }).tap()

export async function uploads(scene: Scene) {
  const { page, folder, does } = scene
  await mkdir(join(folder, 'album/inner'), { recursive: true })
  await writeFile(join(folder, 'album/inner/one.txt'), 'one')
  await writeFile(join(folder, 'single.txt'), 'single')
  await upload(scene, join(folder, 'single.txt'), () => byButton(scene))
  await areSelected(page, 'single.txt')
  does('upload.files')
  await upload(scene, join(folder, 'album'), () => fromHeader(page, 'Upload a folder…'))
  await areSelected(page, 'album')
  assert.equal(readFileSync(inRoot(scene, 'album/inner/one.txt'), 'utf8'), 'one')
  does('upload.folder')
  await page.getByRole('region', { name: 'Transfers' }).getByRole('button', { name: 'Close' }).tap()
  await clear(page)
}

/** Collapses and expands the panel, cancels an upload, retries a failed one, and closes the panel. */
export async function transfers(scene: Scene) {
  const { page, folder, does } = scene
  const panel = page.getByRole('region', { name: 'Transfers' })
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
  await upload(scene, [join(folder, 'held.txt'), join(folder, 'fails.txt')], () => byButton(scene))
  await panel.getByText('The disk is full. Free some space, then retry.').waitFor()
  // A success notice covers a part of the toolbar for a second.
  await page.locator('.toast-list > .toast').first().waitFor({ state: 'detached' })
  await fits(page, 'the transfers')
  await panel.getByRole('button', { name: /^Hide/ }).tap()
  await panel.waitFor({ state: 'detached' })
  await fromHeader(page, 'Show the transfers')
  await panel.waitFor()
  does('uploads.show')
  await panel.getByRole('button', { name: 'Cancel all' }).tap()
  await dialog(page, 'Cancel all uploads?').waitFor()
  await fits(page, 'the question about all uploads')
  await dialog(page, 'Cancel all uploads?').getByRole('button', { name: 'Continue uploading' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Collapse' }).tap()
  await panel.getByRole('listitem').first().waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Expand' }).tap()
  await panel.getByRole('button', { name: /^Cancel .*held/ }).tap()
  answer()
  await page.getByRole('alert').waitFor()
  // The notice covers a part of the toolbar, which was measured before.
  await fits(page, 'an error notice', page.getByRole('alert'))
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).tap()
  await panel.getByRole('button', { name: /^Retry .*fails/ }).tap()
  await areSelected(page, 'fails.txt')
  await panel.getByRole('button', { name: 'Close' }).tap()
  await page.unrouteAll()
  await clear(page)
}

export async function conflicts(scene: Scene) {
  const { page, folder } = scene
  const names = ['a.txt', 'b.txt', 'c.txt']
  for (const name of names) await writeFile(join(folder, name), `new ${name}`)
  await upload(
    scene,
    names.map((name) => join(folder, name)),
    () => byButton(scene),
  )
  const asked = dialog(page, /already exists?$/)
  await asked.waitFor()
  await fits(page, 'the conflict')
  await asked.getByRole('button', { name: 'Keep both' }).tap()
  await dialog(page, '2 files already exist').waitFor()
  await asked.getByLabel('Do this for the remaining file too').tap()
  await asked.getByRole('button', { name: 'Replace' }).tap()
  await noticeShown(page, '3 files uploaded')
  const read = (name: string) => readFileSync(inRoot(scene, name), 'utf8')
  assert.deepEqual([read('a.txt'), read('a(1).txt'), read('b.txt'), read('c.txt')], ['a', 'new a.txt', 'new b.txt', 'new c.txt'])
  await bar(page).waitFor()
  await clear(page)
}

export async function signOut(scene: Scene) {
  const { page, url, does } = scene
  await openDrawer(scene)
  await drawer(scene).getByRole('button', { name: 'Sign out' }).tap()
  await page.waitForURL(/\/login/)
  does('session.logout')
  await page.goto(`${url}/404`)
  await fits(page, 'the page of what is missing')
  await openDrawer(scene)
  await drawer(scene).getByRole('button', { name: 'Sign in' }).tap()
  await page.waitForURL(/\/login/)
  does('session.login')
}
