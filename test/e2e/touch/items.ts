// Operations on files and folders by touch.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { entry } from '../../support/listing.ts'
import { noticeShown } from '../../support/notices.ts'
import { longPress } from '../../support/touch.ts'
import {
  areSelected,
  bar,
  clear,
  dialog,
  drawer,
  fits,
  fromHeader,
  fromSelection,
  inRoot,
  openDrawer,
  type Scene,
  tapEntry,
} from './scene.ts'

export async function makeThings(scene: Scene) {
  const { page, does } = scene
  for (const [label, id, name] of [
    ['New folder', 'newDir', 'Letters'],
    ['New file', 'newFile', 'notes.md'],
  ] as const) {
    await openDrawer(scene)
    await drawer(scene).getByRole('button', { name: label }).tap()
    await dialog(page, label).waitFor()
    await fits(page, label)
    await page.keyboard.type(name)
    await dialog(page, label).getByRole('button', { name: 'Create' }).tap()
    await areSelected(page, name)
    await clear(page)
    does(id)
  }
}

export async function rename({ page, does }: Scene) {
  await longPress(page, 'notes.md')
  await bar(page).getByRole('button', { name: 'Rename' }).tap()
  const asked = dialog(page, 'Rename')
  await asked.waitFor()
  await fits(page, 'the rename dialog')
  await page.keyboard.type('words')
  await asked.getByRole('button', { name: 'Rename' }).tap()
  await areSelected(page, 'words.md')
  does('rename')
}

export async function shareOne({ page, does }: Scene) {
  await bar(page).getByRole('button', { name: 'Share' }).tap()
  await dialog(page, 'Share').getByRole('radio', { name: 'Never' }).waitFor()
  await fits(page, 'the form of a link')
  await dialog(page, 'Share').getByRole('button', { name: 'Create link' }).tap()
  const ready = dialog(page, 'The link is ready')
  await ready.waitFor()
  await fits(page, 'the link')
  await ready.getByRole('button', { name: 'Done' }).tap()
  await ready.waitFor({ state: 'detached' })
  await bar(page).getByRole('button', { name: 'Share' }).tap()
  const links = dialog(page, 'Share')
  await links.getByRole('button', { name: 'Show QR code' }).tap()
  await links.getByRole('button', { name: 'Delete link' }).tap()
  await fits(page, 'the links')
  await links.getByRole('button', { name: 'Done' }).tap()
  await links.waitFor({ state: 'detached' })
  does('share')
}

export async function paste(scene: Scene) {
  const { page, url, does } = scene
  await fromSelection(page, /^Copy\b(?! to| address)/)
  await clear(page)
  await tapEntry(page, 'Letters')
  await page.waitForURL(`${url}/files/Letters/`)
  await page.getByText('This folder is empty').waitFor()
  await fits(page, 'an empty folder')
  await fromHeader(page, /^Paste/)
  await areSelected(page, 'words.md')
  await noticeShown(page, '1 item copied to “\u2068Letters')
  does('clipboard.copy', 'clipboard.paste')
  await fromSelection(page, /^Cut/)
  await clear(page)
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }).tap()
  await entry(page, 'Drawings').waitFor()
  await areSelected(page)
  await tapEntry(page, 'Drawings')
  await entry(page, 'roof.txt').waitFor()
  await fromHeader(page, /^Paste/)
  await areSelected(page, 'words.md')
  assert.deepEqual([readdirSync(inRoot(scene, 'Letters')), existsSync(inRoot(scene, 'Drawings', 'words.md'))], [[], true])
  does('clipboard.cut')
  await fromHeader(page, /^Edit the path/)
  await page.getByRole('textbox', { name: 'Path' }).waitFor()
  await fits(page, 'the path')
  await page.keyboard.type('/')
  await page.keyboard.press('Enter')
  await entry(page, 'Letters').waitFor()
  does('path.edit')
}

export async function moveAndCopy(scene: Scene) {
  const { page, does } = scene
  for (const [verb, id, done] of [
    ['Move', 'move', 'moved'],
    ['Copy', 'copy', 'copied'],
  ] as const) {
    await longPress(page, id === 'move' ? 'words.md' : 'c.txt')
    await bar(page)
      .getByRole('button', { name: `${verb} to…` })
      .tap()
    const asked = dialog(page, new RegExp(`^${verb} `))
    await asked.getByRole('option', { name: 'Letters' }).tap()
    await fits(page, `${verb} to`)
    await asked.getByRole('button', { name: `${verb} here` }).tap()
    await noticeShown(page, `1 item ${done} to “\u2068Letters`)
    if (id === 'move') await undoAndRedo(scene)
    // After a move nothing is selected; what was copied stays selected.
    await areSelected(page, ...(id === 'move' ? [] : ['c.txt']))
    if (id === 'copy') await clear(page)
    does(id)
  }
  assert.deepEqual(readdirSync(inRoot(scene, 'Letters')).sort(), ['c.txt', 'words.md'])
}

/** Milliseconds, as the page has them, and some more. */
const doublePress = 700

/** With the buttons in the notices of the move and of its undo, and from the menu of the header. */
async function undoAndRedo(scene: Scene) {
  const { page, does } = scene
  await fits(page, 'the notice of a move')
  for (const verb of ['Undo', 'Redo']) {
    await page.getByRole('button', { name: `${verb} move of` }).tap()
    await noticeShown(page, `${verb}ne: move of`)
    // A press within this time would be taken for the second of a double click.
    await page.waitForTimeout(doublePress)
  }
  for (const verb of ['Undo', 'Redo']) {
    await fromHeader(page, verb)
    await noticeShown(page, `${verb}ne: move of`)
  }
  does('undo', 'redo')
}

export async function remove(scene: Scene) {
  const { page, does } = scene
  await longPress(page, 'Invoices')
  await bar(page).getByRole('button', { name: 'Delete' }).tap()
  const asked = dialog(page, /^Delete/)
  await asked.waitFor()
  await fits(page, 'the delete prompt')
  await asked.getByRole('button', { name: 'Delete', exact: true }).tap()
  await asked.waitFor({ state: 'detached' })
  await entry(page, 'Invoices').waitFor({ state: 'detached' })
  assert.equal(existsSync(inRoot(scene, 'Invoices')), false)
  await areSelected(page)
  does('delete')
}
