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
  await keyboard.press('Control+f')
  await page.locator('.cm-search').waitFor()
  await keyboard.press('Escape')
  does('editor.find')
  await page.goto(`${url}/files/`)
  await keyboard.isThere('Texts')
}
