// The text editor with the keyboard.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf, typeAtEnd } from '../../support/editing.ts'
import { until } from '../../support/until.ts'
import type { Scene } from './scene.ts'

/** Reads a document, edits and saves it, and looks for something in it. */
export async function edit({ page, url, root, keyboard, does }: Scene) {
  mkdirSync(join(root, 'Texts'), { recursive: true })
  const file = join(root, 'Texts/notes.md')
  writeFileSync(file, '# Roof\n\nslate\n')
  writeFileSync(join(root, 'Texts/plan.zip'), 'PK\u0003\u0004\0 no archive')
  await page.goto(`${url}/files/Texts/`)
  await keyboard.goTo('notes.md')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Roof' }).waitFor()
  await keyboard.command('Text')
  await textOf(page).waitFor()
  does('editor.source')
  await keyboard.command('Read')
  await page.getByRole('heading', { name: 'Roof' }).waitFor()
  does('editor.read')
  await keyboard.press('Control+e')
  await textOf(page).and(page.locator('[contenteditable="true"]')).waitFor()
  does('editor.edit')
  await typeAtEnd(page, 'lead')
  await keyboard.press('Control+s')
  await until(() => readFileSync(file, 'utf8') === '# Roof\n\nslate\nlead', 'the text is saved')
  does('editor.save')
  // The text itself takes the key while it has the focus.
  for (const find of [() => keyboard.press('Control+f'), () => keyboard.command('Find in file')]) {
    await find()
    await page.locator('.cm-search').waitFor()
    await keyboard.press('Escape')
    await page.locator('.cm-search').waitFor({ state: 'detached' })
  }
  does('editor.find')
  await lineAndWrap({ page, keyboard, does })
  await closeAndOpenAsText({ page, keyboard, does })
  await page.goto(`${url}/files/`)
  await keyboard.isThere('Texts')
}

async function lineAndWrap({ page, keyboard, does }: Pick<Scene, 'page' | 'keyboard' | 'does'>) {
  const field = page.locator('.cm-goto-line input')
  await keyboard.press('Alt+g')
  await field.and(page.locator(':focus')).waitFor()
  await keyboard.press('Control+a')
  await keyboard.type('1')
  await keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
  await page.locator('.cm-activeLine').filter({ hasText: 'Roof' }).waitFor()
  does('editor.goToLine')
  await keyboard.press('Alt+z')
  await page.locator('.cm-lineWrapping').waitFor()
  await keyboard.press('Alt+z')
  await page.locator('.cm-lineWrapping').waitFor({ state: 'detached' })
  does('editor.wrap')
}

/** Closes a document with its key, and shows a file of another kind as text. */
async function closeAndOpenAsText({ page, keyboard, does }: Pick<Scene, 'page' | 'keyboard' | 'does'>) {
  await keyboard.command('Read')
  await page.getByRole('heading', { name: 'Roof' }).waitFor()
  await keyboard.press('Escape')
  await keyboard.isAt('notes.md')
  does('editor.close')
  await keyboard.goTo('plan.zip')
  await keyboard.press('Enter')
  await page.locator('.viewer-card').waitFor()
  await keyboard.command('Open as text')
  await textOf(page).filter({ hasText: 'no archive' }).waitFor()
  does('editor.openAsText')
}
