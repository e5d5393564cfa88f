// Menus, the palette and help.
import { almostAll, everywhere, inForced, onDesk } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const headerMenu = (label: string) => async (stage: Stage) => {
  await stage.folder()
  await stage.button(label).first().click()
  await stage.page.getByRole('menu').waitFor()
  await stage.rest()
}

const menuOf =
  (...names: string[]) =>
  async (stage: Stage) => {
    await stage.folder()
    await stage.select(...names)
    if (stage.look.touch) await stage.toolbar('More')
    else await stage.entry(names[0] ?? '').click({ button: 'right' })
    await stage.page.getByRole('menu').waitFor()
  }

async function menuOfFolder(stage: Stage) {
  await stage.folder('Taxes')
  await stage.page.locator('.pane').click({ button: 'right', position: { x: 500, y: 400 } })
  await stage.page.getByRole('menu').waitFor()
}

async function menuOfDots(stage: Stage) {
  await stage.folder()
  const row = stage.entry('What to sow when.md')
  await row.hover()
  await row.locator('[data-more]').click()
  await stage.page.getByRole('menu').waitFor()
}

/** The beginning of the commands for sorting. */
const sorting = { en: 'so', ar: 'فرز' }

const palette = (typed: string, selected?: string) => async (stage: Stage) => {
  await stage.folder()
  if (selected) await stage.select(selected)
  await stage.press('Control+k')
  await stage.page.getByRole('combobox').fill(stage.look.mirrored && typed === sorting.en ? sorting.ar : typed)
}

const search = (typed: string) => async (stage: Stage) => {
  await stage.folder('Allotment')
  if (stage.look.touch) await stage.button('Search my files').tap()
  else await stage.press('Control+f')
  await stage.page.getByRole('combobox').fill(typed)
  await stage.page.locator('.result, .finder-none').first().waitFor()
  await stage.page.locator('[role="listbox"][aria-busy="false"]').waitFor({ state: 'attached' })
  if ((await stage.page.locator('.result').count()) > 0) await stage.press('ArrowDown')
}

const found = (name: string) => ({ name, path: `Allotment/${name}`, size: 51_200, modified: '2026-11-02T09:00:00Z', dir: false })

const moreExist = `${['Weir from the bridge.jpg', 'Licence for the weir.pdf'].map((name) => JSON.stringify(found(name))).join('\n')}
{"more":"time"}
`

/** A search that the server answers in its own way. */
const searchAnswered = (answer: { status?: number; contentType?: string; body: string }) => async (stage: Stage) => {
  await stage.page.route('**/api/search/**', (route) => route.fulfill(answer))
  await stage.folder('Allotment')
  if (stage.look.touch) await stage.button('Search my files').tap()
  else await stage.press('Control+f')
  await stage.page.getByRole('combobox').fill('weir')
  await stage.page.locator('.finder-note, .finder-none button').first().waitFor()
}

export const menus: State[] = [
  ...statesOf('menu', [
    ['new', onDesk, headerMenu('New')],
    ['more', almostAll, headerMenu('More')],
    [
      'sort',
      everywhere,
      async (stage) => {
        await stage.folder('Allotment', 'Tiles')
        await stage.page.locator('.sort-button').click()
        await stage.page.getByRole('menu').waitFor()
      },
    ],
    ['item', everywhere, menuOf('Robin on the fork handle.png')],
    ['folder-item', almostAll, menuOf('Receipts')],
    ['several', inForced(almostAll), menuOf('Robin on the fork handle.png', 'Receipts')],
    ['folder', onDesk, menuOfFolder],
    ['dots', everywhere, menuOfDots],
  ]),
  ...statesOf('palette', [
    ['plain', onDesk, palette('')],
    ['selected', inForced(onDesk), palette('', 'Robin on the fork handle.png')],
    ['filtered', onDesk, palette(sorting.en)],
    ['nothing', onDesk, palette('greenhouse')],
  ]),
  ...statesOf('search', [
    ['plain', almostAll, search('')],
    ['found', inForced(everywhere), search('e')],
    ['refused', onDesk, search('size:large')],
    ['nothing', almostAll, search('greenhouse')],
    ['failed', almostAll, searchAnswered({ status: 503, body: '503 Service Unavailable\n' })],
    ['more', almostAll, searchAnswered({ contentType: 'application/x-ndjson', body: moreExist })],
  ]),
]
