// The editor and what is read, in each state.
import { typeAtEnd, unsaved } from '../../test/support/editing.ts'
import { everywhere, onDesk } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'
import { rotaOfOthers } from './texts.ts'

async function open(stage: Stage, name: string): Promise<void> {
  await stage.go(`/files/Choir/Watering/${encodeURIComponent(name)}`)
  await stage.rest()
}

async function change(stage: Stage): Promise<void> {
  await open(stage, 'rota.yaml')
  await typeAtEnd(stage.page, 'watered: yesterday')
  await unsaved(stage.page).waitFor()
}

async function findInText(stage: Stage): Promise<void> {
  await change(stage)
  await stage.press('Control+f')
  await stage.page.locator('.cm-search input:focus').waitFor()
  await stage.page.keyboard.type('keeper')
  await stage.page.locator('.cm-searchMatch').first().waitFor()
}

async function goToLine(stage: Stage): Promise<void> {
  await change(stage)
  await stage.press('Alt+g')
  await stage.page.locator('.cm-goto-line input').waitFor()
}

/** Another person has saved the file meanwhile. */
async function conflict(stage: Stage): Promise<void> {
  await change(stage)
  await stage.page.route('**/api/resources/Choir/Watering/rota.yaml?encoding=*', async (route) => {
    if (route.request().method() === 'PUT') return route.fulfill({ status: 412, body: '412 Precondition Failed\n' })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), content: rotaOfOthers } })
  })
  await stage.press('Control+s')
  await stage.page.locator('.diff .cm-line').first().waitFor()
}

/** The page was left with unsaved text. */
async function offerDraft(stage: Stage): Promise<void> {
  await change(stage)
  await stage.page.reload()
  await stage.button('Restore').waitFor()
  await stage.rest()
}

async function openAsText(stage: Stage): Promise<void> {
  await open(stage, 'valves.log')
  await stage.button('Open as text').click()
  await stage.page.locator('.large-text').getByText('valve 0').first().waitFor()
}

export const textsOpened: State[] = statesOf('text', [
  ['changed', everywhere, change],
  ['find', everywhere, findInText],
  ['go-to-line', everywhere, goToLine],
  [
    'markdown',
    everywhere,
    async (stage) => {
      await open(stage, 'Guide.md')
      await stage.page.locator('.prose table').waitFor()
    },
  ],
  [
    'table',
    everywhere,
    async (stage) => {
      await open(stage, 'Harvest.csv')
      await stage.page.getByRole('cell').first().waitFor()
    },
  ],
  ['conflict', everywhere, conflict],
  ['draft', everywhere, offerDraft],
  ['large', everywhere, openAsText],
  [
    'read-only',
    onDesk,
    async (stage) => {
      await open(stage, 'old scales.txt')
      await stage.page.locator('.cm-line').first().waitFor()
    },
  ],
])
