// The panel for commands.
import { line, openShell, runCommand, startCommand, terminalShows } from '../../support/shell-panel.ts'
import type { State } from './steps.ts'

export const shell: Record<string, State> = {
  shell: ({ page }) => openShell(page),
  'shell, ended': async ({ page }) => {
    await openShell(page)
    for (const text of [`sh -c 'echo words; exit 3'`, 'nothing']) await runCommand(page, text)
    await line(page).fill('draft')
  },
  'shell, running': async ({ page }) => {
    await openShell(page)
    const colours = [0, 1, 2, 3, 4, 5, 6, 7].map((one) => `\\033[3${one}mcolour\\033[9${one}mbright\\n`).join('')
    await startCommand(page, `sh -c 'printf "${colours}"; cat'`)
    await terminalShows(page, 'bright')
  },
}
