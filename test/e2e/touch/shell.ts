// The panel for commands, by touch.
import { line, output, panel } from '../../support/shell-panel.ts'
import { fits, fromHeader, type Scene } from './scene.ts'

export async function shell({ page, does }: Scene) {
  await fromHeader(page, /^Shell/)
  await line(page).waitFor()
  await fits(page, 'the shell')
  await line(page).tap()
  await page.keyboard.type('echo words')
  await page.keyboard.press('Enter')
  await output(page).locator('pre').getByText('words').waitFor()
  await fits(page, 'the shell with output')
  await panel(page).getByRole('button', { name: 'Previous command' }).tap()
  await page.locator('.shell-input[value="echo words"]').waitFor()
  await line(page).fill('cat')
  await page.keyboard.press('Enter')
  await panel(page).getByRole('button', { name: 'Stop' }).waitFor()
  await fits(page, 'the shell with a program')
  await panel(page).getByRole('button', { name: 'Stop' }).tap()
  await line(page).and(page.locator(':enabled')).waitFor()
  await panel(page).getByRole('button', { name: 'Clear' }).tap()
  await panel(page).getByRole('button', { name: 'Close' }).tap()
  await panel(page).waitFor({ state: 'detached' })
  does('shell')
}
