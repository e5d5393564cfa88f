// The panel for commands. The server of the pictures runs none: the page is told otherwise, and its commands are answered here.
import type { TerminalMessage } from '../../src-server/contract/commands.ts'
import { everywhere } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

/** What the commands write. One without an end goes on. */
const answers: Readonly<Record<string, readonly TerminalMessage[]>> = {
  'du -sh Receipts': [
    { kind: 'output', text: '2.1M\tReceipts\r\n' },
    { kind: 'ended', code: 0 },
  ],
  'git log -1': [
    { kind: 'output', text: 'fatal: not a git repository\r\n' },
    { kind: 'ended', code: 128 },
  ],
  rm: [{ kind: 'refused', reason: 'Command not allowed.' }],
  'read-card --all': [{ kind: 'output', text: '\u001b[32mFound 2 cards.\u001b[0m\r\n\u001b[33mCopy both?\u001b[0m [y/n] ' }],
}

async function openShell(stage: Stage) {
  const { page } = stage
  await page.addInitScript(() => {
    const { parse } = JSON
    JSON.parse = (text: string) => parse(`${text}`.replace('"EnableExec":false', '"EnableExec":true'))
  })
  await page.routeWebSocket(/\/api\/command\//, (socket) =>
    socket.onMessage((text) => {
      const { line } = JSON.parse(String(text)) as { line?: string }
      for (const message of answers[line ?? ''] ?? []) socket.send(JSON.stringify(message))
      if (line && line !== 'read-card --all') void socket.close()
    }),
  )
  await stage.folder()
  await stage.button('More').click()
  await page.getByRole('menuitem', { name: stage.say('Shell') }).click()
  await page.locator('.shell-input:focus').waitFor()
}

async function run(stage: Stage, ...lines: string[]) {
  for (const line of lines) {
    await stage.page.locator('.shell-input:enabled').fill(line)
    await stage.page.keyboard.press('Enter')
    await stage.page.locator('.shell-output .shell-command', { hasText: line }).waitFor()
  }
}

const ended = ['du -sh Receipts', 'git log -1', 'rm']

export const shell: State[] = statesOf('shell', [
  ['open', everywhere, openShell],
  [
    'ended',
    everywhere,
    async (stage) => {
      await openShell(stage)
      await run(stage, ...ended)
      await stage.page.locator('.shell-input:enabled').waitFor()
    },
  ],
  [
    'running',
    everywhere,
    async (stage) => {
      await openShell(stage)
      await run(stage, ...ended, 'read-card --all')
      await stage.page.locator('.xterm-rows').getByText('[y/n]').waitFor()
    },
  ],
])
