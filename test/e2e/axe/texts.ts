// The states of the editor and of folders that change, with the steps to reach them.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf, typeAtEnd, unsaved } from '../../support/editing.ts'
import { callResource, openFollowed } from '../../support/followed.ts'
import type { State, Target } from './steps.ts'

const markdown = `# Title

Text with [a link](a.txt) and \`code\`.

> A quotation

- [x] done
- [ ] to do

| Crop | Sow |
| --- | --- |
| Leeks | March |

\`\`\`js
const one = 'text' // and a comment
\`\`\`
`

async function open({ page, url, root }: Target, name: string, content: string | Buffer): Promise<void> {
  await mkdir(join(root, 'Texts'), { recursive: true })
  await writeFile(join(root, 'Texts', name), content)
  await page.goto(`${url}/files/Texts/${name}`)
}

async function change(target: Target): Promise<void> {
  await open(target, 'rota.yaml', 'season: 2027\nopens: april\n')
  await textOf(target.page).waitFor()
  await typeAtEnd(target.page, 'mine')
  await unsaved(target.page).waitFor()
}

async function conflict(target: Target): Promise<void> {
  await change(target)
  await writeFile(join(target.root, 'Texts/rota.yaml'), 'season: 2027\nopens: in the middle of may\n')
  await target.page.keyboard.press('Control+s')
  await target.page.locator('.diff .cm-line').first().waitFor()
}

/** Opens a folder of which the server reports the changes. */
async function openFolder({ page, url, root }: Target): Promise<void> {
  await mkdir(join(root, 'Deep/followed'), { recursive: true })
  await openFollowed(page, `${url}/files/Deep/followed/`)
  await page.locator('.empty').waitFor()
}

export const texts: Record<string, State> = {
  'a text that is edited, with a search in it': async (target) => {
    await change(target)
    await target.page.keyboard.press('Control+f')
    await target.page.locator('.cm-search input:focus').waitFor()
    await target.page.keyboard.type('season')
    await target.page.locator('.cm-searchMatch').first().waitFor()
  },
  'a text that is edited, with a line asked for': async (target) => {
    await change(target)
    await target.page.keyboard.press('Alt+g')
    await target.page.locator('.cm-goto-line input').waitFor()
  },
  'Markdown to read': async (target) => {
    await open(target, 'read.md', markdown)
    await target.page.locator('.prose table').waitFor()
  },
  'a table': async (target) => {
    await open(target, 'table.csv', 'Year,Plot,Remarks\n2026,lower,dry\n2025,orchard,\n')
    await target.page.getByRole('cell').first().waitFor()
  },
  'a file that was changed meanwhile': conflict,
  'a file that was changed meanwhile, on a phone': async (target) => {
    await target.page.setViewportSize({ width: 390, height: 844 })
    await conflict(target)
  },
  'a draft that is offered': async (target) => {
    await change(target)
    await target.page.reload()
    await target.page.getByRole('button', { name: 'Restore' }).waitFor()
  },
  'a large file as text': async (target) => {
    await open(target, 'large.log', 'a line of a long report\n'.repeat(460_000))
    await target.page.getByRole('button', { name: 'Open as text' }).click()
    await target.page.locator('.large-text').getByText('a line').first().waitFor()
  },
  'a text that cannot be saved': async (target) => {
    await open(target, 'torn.txt', Buffer.concat([Buffer.from('½ and ¼\n'.repeat(30)), Buffer.of(0xe2, 0x82, 0x0a)]))
    await textOf(target.page).waitFor()
  },
  'a folder that was removed': async (target) => {
    await openFolder(target)
    await rm(join(target.root, 'Deep/followed'), { recursive: true })
    await target.page.getByRole('heading', { name: 'This folder is no longer here.' }).waitFor()
  },
  'a folder that was moved': async (target) => {
    await openFolder(target)
    await callResource(target.page, 'PATCH', 'Deep/followed?action=rename&destination=/Deep/moved')
    await target.page.getByRole('heading', { name: 'This folder was moved.' }).waitFor()
  },
}
