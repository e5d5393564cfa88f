// The panel for commands, with the keyboard.
import { line, output, panel } from '../../support/shell-panel.ts'
import type { Scene } from './scene.ts'

export async function shell({ page, keyboard, does }: Scene) {
  await keyboard.command('Shell')
  await line(page).and(page.locator(':focus')).waitFor()
  await keyboard.type('head -n1')
  await keyboard.press('Enter')
  await page.locator('.shell-terminal textarea:focus').waitFor({ state: 'attached' })
  await keyboard.type('words')
  await keyboard.press('Enter')
  await line(page).and(page.locator(':focus:enabled')).waitFor()
  await output(page).locator('pre').getByText('words').waitFor()
  await keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  does('shell')
}
