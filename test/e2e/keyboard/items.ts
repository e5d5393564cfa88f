// Everything that is done with files and folders, by the keyboard.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { button, dialog, inRoot, type Scene } from './scene.ts'

export async function makeThings({ page, hands, does }: Scene) {
  for (const [label, id, name] of [
    ['New folder', 'newDir', 'Letters'],
    ['New file', 'newFile', 'notes.md'],
  ] as const) {
    await hands.enter(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: label }))
    await dialog(page, label).waitFor()
    await hands.type(name)
    await hands.press('Enter')
    await hands.areSelected(name)
    does(id)
  }
}

export async function renameAndInfo({ page, hands, does }: Scene) {
  await hands.goTo('notes.md')
  await hands.press('F2')
  await page.getByLabel('New name').waitFor()
  await hands.type('words')
  await hands.press('Enter')
  await hands.areSelected('words.md')
  does('rename')
  await hands.press('Alt+Enter')
  await dialog(page, 'Information').waitFor()
  await hands.press('Escape')
  await dialog(page, 'Information').waitFor({ state: 'detached' })
  await hands.isAt('words.md')
  does('info', 'overlay.close')
}

export async function paste(scene: Scene) {
  const { hands, page, does } = scene
  await hands.press('Control+c')
  await hands.goTo('Letters')
  await hands.press('Enter')
  await page.waitForURL(/Letters\/$/)
  does('grid.open', 'clipboard.copy')
  await page.getByText('This folder is empty').waitFor()
  await hands.press('Control+v')
  await hands.areSelected('words.md')
  does('clipboard.paste')
  await hands.press('Control+x', 'Alt+ArrowUp')
  await hands.isAt('Letters')
  await hands.goTo('Drawings')
  await hands.press('Enter')
  await hands.isThere('roof.txt')
  await hands.press('Control+v')
  await hands.areSelected('words.md')
  await hands.press('Backspace')
  await hands.isAt('Drawings')
  does('clipboard.cut', 'go.up')
  assert.deepEqual(readdirSync(inRoot(scene, 'Letters')), [])
}

export async function movePrompt(scene: Scene) {
  const { page, hands, does } = scene
  await hands.goTo('words.md')
  await hands.enter(page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }))
  const marked = (name: string) => page.getByRole('option', { name, selected: true }).waitFor()
  await page.getByRole('option', { name: 'Letters' }).waitFor()
  await hands.press('ArrowDown')
  await marked('Drawings')
  await hands.press('ArrowDown', 'ArrowDown', 'ArrowUp')
  await marked('Invoices')
  await hands.press('End')
  await marked('Letters')
  await hands.press('Home', 'ArrowDown')
  await marked('Invoices')
  for (const back of ['ArrowLeft', 'Backspace']) {
    await hands.press('ArrowRight')
    await page.getByRole('option', { name: '2026' }).waitFor()
    await hands.press(back)
    await marked('Invoices')
  }
  await hands.enter(button(page, 'New folder here'))
  await hands.type('Old')
  await hands.press('Enter')
  await marked('Old')
  await page.getByRole('listbox').and(page.locator(':focus')).waitFor()
  await hands.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await hands.isGone('words.md')
  assert.ok(existsSync(inRoot(scene, 'Old', 'words.md')))
  await hands.press('Control+z')
  await hands.areSelected('words.md')
  assert.ok(existsSync(inRoot(scene, 'words.md')))
  await hands.press('Control+z')
  await hands.isGone('words.md')
  does('undo')
  does('move', ...['Down', 'Up', 'Left', 'Right'].map((way) => `picker.Arrow${way}`))
  does('picker.Home', 'picker.End', 'picker.Backspace', 'picker.Enter')
}

export async function copyPrompt(scene: Scene) {
  const { page, hands, does } = scene
  await hands.goTo('a.txt')
  await hands.command('Copy to')
  await page.getByRole('option', { name: 'Letters' }).waitFor()
  await hands.press('End')
  await hands.enter(button(page, 'Copy here'))
  await page.getByText(/^1 item copied to .*Old/).waitFor()
  assert.ok(existsSync(inRoot(scene, 'Old', 'a.txt')))
  does('copy')
}

export async function removeOne(scene: Scene) {
  const { page, hands, does } = scene
  await hands.goTo('Letters')
  await hands.press('Delete')
  const asked = dialog(page, /^Delete .*Letters/)
  await asked.waitFor()
  await hands.enter(asked.getByRole('button', { name: 'Delete' }))
  await hands.isGone('Letters')
  await hands.areSelected('Old')
  assert.equal(existsSync(inRoot(scene, 'Letters')), false)
  does('delete')
}

export async function menus({ page, context, hands, does }: Scene) {
  await hands.goTo('c.txt')
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await hands.press(key)
    const [download] = await Promise.all([page.waitForEvent('download'), hands.choose(/^Download/)])
    assert.equal(download.suggestedFilename(), 'c.txt')
  }
  await hands.isAt('c.txt')
  does('menu.context')
  const [download] = await Promise.all([page.waitForEvent('download'), hands.press('Control+s')])
  assert.equal(download.suggestedFilename(), 'c.txt')
  does('download')
  await hands.goTo('Drawings')
  const [tab] = await Promise.all([context.waitForEvent('page'), hands.press('Control+Enter')])
  await tab.waitForURL(/Drawings\/$/)
  await tab.close()
  does('item.openTab')
  await hands.command('Copy address')
  await page.getByText('Address copied').waitFor()
  does('item.copyAddress')
  const refreshed = page.waitForResponse((response) => response.url().endsWith('/api/resources/'))
  await hands.command('Refresh')
  await refreshed
  does('refresh')
  await hands.press('Shift+F10')
  await hands.choose(/^Open ?↵?$/)
  await hands.isThere('roof.txt')
  await hands.press('Backspace')
  await hands.isAt('Drawings')
  does('item.open')
}
