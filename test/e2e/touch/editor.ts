// The text editor by touch.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf, unsaved } from '../../support/editing.ts'
import { entry } from '../../support/listing.ts'
import { until } from '../../support/until.ts'
import { areSelected, choose, fits, type Scene, tapEntry } from './scene.ts'

/** Reads a document, edits and saves it, looks for something in it, and shows a file of another kind as text. */
export async function edit({ page, url, root, does }: Scene) {
  const file = join(root, 'Texts/notes.md')
  mkdirSync(join(root, 'Texts'), { recursive: true })
  writeFileSync(file, '# Roof\n\nslate\n')
  writeFileSync(join(root, 'Texts/plan.zip'), 'PK\u0003\u0004\0 no archive')
  await page.goto(`${url}/files/Texts/`)
  await tapEntry(page, 'notes.md')
  const heading = page.getByRole('heading', { name: 'Roof' })
  const button = (name: string) => page.locator('main, .viewer').getByRole('button', { name, exact: true })
  const fromMenu = (name: string | RegExp) => choose(page, button('More'), name)
  await heading.waitFor()
  await fits(page, 'a document')
  await fromMenu('Text')
  await textOf(page).waitFor()
  await fits(page, 'the text of a document')
  does('editor.source')
  await fromMenu('Read')
  await heading.waitFor()
  does('editor.read')
  await button('Edit').tap()
  await textOf(page).and(page.locator('[contenteditable="true"]')).waitFor()
  await fits(page, 'the editor')
  await typeInto({ page, file, button })
  does('editor.edit', 'editor.save')
  await find({ page, fromMenu, does })
  await button('Close').tap()
  // Selected, the next tap would select too.
  await entry(page, 'notes.md').waitFor()
  await areSelected(page)
  await openAsText({ page, fromMenu, does })
  rmSync(join(root, 'Texts'), { recursive: true })
  await page.goto(`${url}/files/`)
  await entry(page, 'a.txt').waitFor()
}

type Editing = Pick<Scene, 'page' | 'does'> & {
  button(name: string): { tap(): Promise<void> }
  fromMenu(name: string | RegExp): Promise<void>
}

async function typeInto({ page, file, button }: Pick<Editing, 'page' | 'button'> & { file: string }) {
  await page.locator('.cm-line').filter({ hasText: 'slate' }).tap()
  await page.keyboard.type('lead ')
  await unsaved(page).waitFor()
  await fits(page, 'an unsaved text')
  await button('Save').tap()
  await until(() => /lead/.test(readFileSync(file, 'utf8')), 'the text is saved')
  await unsaved(page).waitFor({ state: 'detached' })
}

async function find({ page, fromMenu, does }: Omit<Editing, 'button'>) {
  const panel = page.locator('.cm-search')
  await fromMenu('Find in file')
  await panel.waitFor()
  await fits(page, 'the search in a text')
  await panel.getByRole('button', { name: 'Close' }).tap()
  await panel.waitFor({ state: 'detached' })
  does('editor.find')
  await fromMenu(/^Go to line/)
  await page.locator('.cm-goto-line').waitFor()
  await fits(page, 'the field for a line')
  await page.keyboard.type('1')
  await page.locator('.cm-goto-line').getByRole('button', { name: 'Go' }).tap()
  await page.locator('.cm-goto-line').waitFor({ state: 'detached' })
  await page.locator('.cm-activeLine').filter({ hasText: 'Roof' }).waitFor()
  does('editor.goToLine')
  await fromMenu(/^Wrap/)
  await page.locator('.cm-lineWrapping').waitFor()
  await fromMenu(/^Wrap/)
  await page.locator('.cm-lineWrapping').waitFor({ state: 'detached' })
  does('editor.wrap')
}

async function openAsText({ page, fromMenu, does }: Omit<Editing, 'button'>) {
  await tapEntry(page, 'plan.zip')
  await page.locator('.viewer-card').waitFor()
  await fits(page, 'a file without a preview')
  await fromMenu('Open as text')
  await textOf(page).filter({ hasText: 'no archive' }).waitFor()
  await fits(page, 'a file as text')
  does('editor.openAsText')
  await page.getByRole('button', { name: 'Close' }).tap()
}
