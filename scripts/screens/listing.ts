// The listing: views, selection, focus, renaming, clipboard.
import { almostAll, everywhere, inForced, onDesk, onPhone } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const one = 'Robin on the fork handle.png'
const several = ['Receipts', 'First frost on the leeks.jpg', one]

const folder =
  (name: string, view: 'List' | 'Tiles' = 'List') =>
  (stage: Stage) =>
    stage.folder(name, view)

const withSelected =
  (names: readonly string[], view: 'List' | 'Tiles' = 'List') =>
  async (stage: Stage) => {
    await stage.folder('Allotment', view)
    await stage.select(...names)
  }

export const listing: State[] = statesOf('listing', [
  ['list-few', everywhere, folder('Allotment')],
  ['list-empty', everywhere, folder('Empty box')],
  ['list-thousands', almostAll, folder('Archive')],
  ['mosaic-few', everywhere, folder('Allotment', 'Tiles')],
  ['mosaic-empty', ['light', 'dark', 'phone'], folder('Empty box', 'Tiles')],
  ['mosaic-thousands', almostAll, folder('Archive', 'Tiles')],
  ['deep-path', everywhere, folder('Taxes/2025/Receipts/Allotment/Water')],
  ['selected-one', everywhere, withSelected([one])],
  ['selected-many', inForced(everywhere), withSelected(several)],
  ['mosaic-selected', inForced(almostAll), withSelected(several, 'Tiles')],
  [
    'focus',
    inForced(onDesk),
    async (stage) => {
      await stage.folder()
      await stage.entry('Receipts').focus()
      await stage.press('ArrowDown', 'Control+ArrowDown', 'Control+ArrowDown')
    },
  ],
  [
    'row-hovered',
    ['light', 'dark', 'rtl'],
    async (stage) => {
      await stage.folder()
      await stage.entry(one).hover()
    },
  ],
  [
    'sidebar-closed',
    onDesk,
    async (stage) => {
      await stage.folder()
      await stage.button('Hide sidebar').click()
      await stage.rest()
      await stage.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    },
  ],
  [
    'drawer',
    onPhone,
    async (stage) => {
      await stage.folder()
      await stage.button('Open sidebar').tap()
      await stage.page.locator('.scrim').waitFor()
    },
  ],
  [
    'renaming',
    onDesk,
    async (stage) => {
      await withSelected([one])(stage)
      await stage.press('F2')
      await stage.page.locator('.rename').waitFor()
    },
  ],
  [
    'renaming-refused',
    onDesk,
    async (stage) => {
      await withSelected([one])(stage)
      await stage.press('F2')
      await stage.page.locator('.rename input').fill('What to sow when.md')
      await stage.press('Enter')
      await stage.page.locator('.field-error').waitFor()
    },
  ],
  [
    'renaming-mosaic',
    onDesk,
    async (stage) => {
      await withSelected([one], 'Tiles')(stage)
      await stage.press('F2')
      await stage.page.locator('.rename input').fill('What to sow when.md')
      await stage.press('Enter')
      await stage.page.locator('.field-error').waitFor()
    },
  ],
  [
    'several',
    everywhere,
    async (stage) => {
      await stage.folder()
      await stage.button('More').click()
      await stage.page.getByRole('menuitem', { name: stage.say('Select several') }).click()
      await stage.page.getByRole('toolbar').waitFor()
      await stage.rest()
    },
  ],
  [
    'editing-path',
    onDesk,
    async (stage) => {
      await stage.folder()
      await stage.entry('Receipts').focus()
      await stage.press('Control+l')
      await stage.page.locator('.pathbar input').waitFor()
    },
  ],
  [
    'cut',
    inForced(almostAll),
    async (stage) => {
      await withSelected(several)(stage)
      await stage.press('Control+x')
      await stage.page.locator('.is-cut').first().waitFor()
    },
  ],
])
