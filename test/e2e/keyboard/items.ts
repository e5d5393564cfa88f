// Operations on files and folders with the keyboard.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { noticeShown } from '../../support/notices.ts'
import { button, dialog, inRoot, type Scene } from './scene.ts'

export async function makeThings({ page, keyboard, does }: Scene) {
  for (const [label, id, name] of [
    ['New folder', 'newDir', 'Letters'],
    ['New file', 'newFile', 'notes.md'],
  ] as const) {
    await keyboard.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: label }))
    await dialog(page, label).waitFor()
    await keyboard.type(name)
    await keyboard.press('Enter')
    await keyboard.areSelected(name)
    does(id)
  }
}

export async function renameAndInfo({ page, keyboard, does }: Scene) {
  await keyboard.goTo('notes.md')
  await keyboard.press('F2')
  await page.getByLabel('New name').waitFor()
  await keyboard.type('words')
  await keyboard.press('Enter')
  await keyboard.areSelected('words.md')
  does('rename')
  await keyboard.press('Alt+Enter')
  await dialog(page, 'Information').waitFor()
  await keyboard.press('Escape')
  await dialog(page, 'Information').waitFor({ state: 'detached' })
  await keyboard.isAt('words.md')
  does('info')
  await keyboard.press('Shift+F10')
  await keyboard.choose(/^Share/)
  await dialog(page, 'Share').getByRole('radio', { name: 'Never' }).and(page.locator(':focus')).waitFor()
  await keyboard.press('Enter')
  await dialog(page, 'The link is ready').waitFor()
  await keyboard.press('Escape')
  await dialog(page, 'The link is ready').waitFor({ state: 'detached' })
  await keyboard.isAt('words.md')
  does('share')
}

export async function paste(scene: Scene) {
  const { keyboard, page, does } = scene
  await keyboard.press('Control+c')
  await keyboard.goTo('Letters')
  await keyboard.press('Enter')
  await page.waitForURL(/Letters\/$/)
  does('grid.open', 'clipboard.copy')
  await page.getByText('This folder is empty').waitFor()
  await keyboard.press('Control+v')
  await keyboard.areSelected('words.md')
  does('clipboard.paste')
  await keyboard.press('Control+x', 'Alt+ArrowUp')
  await keyboard.isAt('Letters')
  await keyboard.goTo('Drawings')
  await keyboard.press('Enter')
  await keyboard.isThere('roof.txt')
  await keyboard.press('Control+v')
  await keyboard.areSelected('words.md')
  await keyboard.press('Backspace')
  await keyboard.isAt('Drawings')
  does('clipboard.cut', 'go.up')
  assert.deepEqual(readdirSync(inRoot(scene, 'Letters')), [])
}

export async function movePrompt(scene: Scene) {
  const { page, keyboard, does } = scene
  await keyboard.goTo('words.md')
  await keyboard.enterInToolbar('Move to…')
  const marked = (name: string) => page.getByRole('option', { name, selected: true }).waitFor()
  await page.getByRole('option', { name: 'Letters' }).waitFor()
  await keyboard.press('ArrowDown')
  await marked('Drawings')
  await keyboard.press('ArrowDown', 'ArrowDown', 'ArrowUp')
  await marked('Invoices')
  await keyboard.press('End')
  await marked('Letters')
  await keyboard.press('Home', 'ArrowDown')
  await marked('Invoices')
  for (const back of ['ArrowLeft', 'Backspace']) {
    await keyboard.press('ArrowRight')
    await page.getByRole('option', { name: '2026' }).waitFor()
    await keyboard.press(back)
    await marked('Invoices')
  }
  await keyboard.enter(button(page, 'New folder here'))
  await page.getByLabel('Name of the new folder').and(page.locator(':focus')).waitFor()
  await keyboard.type('Old')
  await keyboard.press('Enter')
  await marked('Old')
  await page.getByRole('listbox').and(page.locator(':focus')).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.isGone('words.md')
  // It can be undone when the page has the answer, which may come later than the change of the folder.
  const isMoved = (where: RegExp) => page.getByText(where).first().waitFor()
  await isMoved(/^1 item moved to .*Old/)
  assert.ok(existsSync(inRoot(scene, 'Old', 'words.md')))
  await keyboard.press('Control+z')
  await keyboard.areSelected('words.md')
  await isMoved(/^Undone: move of .*words/)
  assert.ok(existsSync(inRoot(scene, 'words.md')))
  await keyboard.press('Control+Shift+z')
  await keyboard.isGone('words.md')
  await isMoved(/^Redone: move of .*words/)
  does('undo', 'redo')
  does('move', ...['Down', 'Up', 'Left', 'Right'].map((way) => `picker.Arrow${way}`))
  does('picker.Home', 'picker.End', 'picker.Backspace', 'picker.Enter')
}

export async function copyPrompt(scene: Scene) {
  const { page, keyboard, does } = scene
  await keyboard.goTo('a.txt')
  await keyboard.command('Copy to')
  await page.getByRole('option', { name: 'Letters' }).waitFor()
  await keyboard.press('End')
  await keyboard.enter(button(page, 'Copy here'))
  await noticeShown(page, '1 item copied to “\u2068Old')
  assert.ok(existsSync(inRoot(scene, 'Old', 'a.txt')))
  does('copy')
}

export async function removeOne(scene: Scene) {
  const { page, keyboard, does } = scene
  await keyboard.goTo('Letters')
  await keyboard.press('Delete')
  const asked = dialog(page, /^Delete .*Letters/)
  await asked.waitFor()
  await keyboard.enter(asked.getByRole('button', { name: 'Delete', exact: true }))
  await keyboard.isGone('Letters')
  await keyboard.isAt('Old')
  assert.equal(existsSync(inRoot(scene, 'Letters')), false)
  does('delete')
}

export async function menus({ page, context, keyboard, does }: Scene) {
  await keyboard.goTo('c.txt')
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await keyboard.press(key)
    const [download] = await Promise.all([page.waitForEvent('download'), keyboard.choose(/^Download/)])
    assert.equal(download.suggestedFilename(), 'c.txt')
  }
  await keyboard.isAt('c.txt')
  does('menu.context')
  const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Control+s')])
  assert.equal(download.suggestedFilename(), 'c.txt')
  does('download')
  await keyboard.command('Download this folder')
  await page.getByRole('dialog', { name: /^Download/ }).waitFor()
  const [archive] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')])
  assert.match(archive.suggestedFilename(), /\.zip$/)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  does('download.folder')
  await keyboard.goTo('Drawings')
  const [tab] = await Promise.all([context.waitForEvent('page'), keyboard.press('Control+Enter')])
  await tab.waitForURL(/Drawings\/$/)
  await tab.close()
  does('item.openTab')
  await keyboard.command('Copy address')
  await noticeShown(page, 'Address copied')
  does('item.copyAddress')
  const refreshed = page.waitForResponse((response) => response.url().endsWith('/api/resources/?content=false'))
  await keyboard.command('Refresh')
  await refreshed
  does('refresh')
  await keyboard.press('Shift+F10')
  await keyboard.choose(/^Open ?↵?$/)
  await keyboard.isThere('roof.txt')
  await keyboard.press('Backspace')
  await keyboard.isAt('Drawings')
  does('item.open')
}
