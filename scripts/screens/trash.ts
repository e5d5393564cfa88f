// What was deleted and replaced, and what is asked before it goes for good.
import type { TrashItem } from '../../src-server/contract/trash.ts'
import { almostAll, everywhere } from './looks.ts'
import { now } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const day = 86_400_000

const item = (path: string, left: number, rest: Partial<TrashItem> = {}): TrashItem => ({
  ...{ id: path, path, name: path.slice(path.lastIndexOf('/') + 1), isDir: false, size: 12_345, type: 'others' },
  ...{ deletedAt: now.getTime() - (30 - left) * day, dueAt: now.getTime() + left * day },
  ...{ by: 'amira', why: 'delete', mayPurge: true },
  ...rest,
})

const items: readonly TrashItem[] = [
  item('/Allotment/Seed trials/Labels, old.csv', 30, { by: 'letícia' }),
  item('/Allotment/Autumn show/Show 2024, drafts', 29, { isDir: true, size: null, type: '' }),
  item('/Allotment/Turning the compost, first try.mp4', 27, { by: 'jonas', size: 112_000_000, type: 'video' }),
  item('/Allotment/Blurred robin.jpg', 27, { size: 9_000_000, type: 'image' }),
  item('/Allotment/Notes from the site.md', 22, { why: 'replace', type: 'text' }),
  item('/Allotment/Committee/Minutes of the October meeting, which nobody has sent to the others yet.md', 22, { type: 'text' }),
  item('/Accounts 2023.ods', 12, { by: 'admin', dueAt: null, isOthers: true }),
  item('/Family photographs/photographs-2019.zip', 3, { by: 'نور', size: 2_200_000_000 }),
  item('/Allotment/Plot plans/plan-lower-plots.dwg', 0.5, { by: 'jonas', mayPurge: false }),
]

/** Answered by the stage, so that times are the same in every run. */
const open = (some: readonly TrashItem[]) => async (stage: Stage) => {
  const bytes = some.reduce((sum, { size }) => sum + (size ?? 0), 0)
  const json = { items: some, total: some.length, bytes, own: { items: some.length, bytes }, days: 30, isOn: true }
  await stage.page.route('**/api/trash?*', (route) => route.fulfill({ json }))
  await stage.go('/trash')
  await stage.page.locator('[data-entry], .empty').first().waitFor()
}

async function select(stage: Stage): Promise<void> {
  const rows = stage.page.locator('[data-entry]')
  await rows.nth(2).click()
  await rows.nth(3).click({ modifiers: ['ControlOrMeta'] })
  await stage.page.locator('.selection').waitFor()
}

export const trash: readonly State[] = statesOf('trash', [
  ['list', everywhere, open(items)],
  ['none', almostAll, open([])],
  [
    'selected',
    almostAll,
    async (stage) => {
      await open(items)(stage)
      await select(stage)
    },
  ],
  [
    'purge',
    almostAll,
    async (stage) => {
      await open(items)(stage)
      await select(stage)
      await stage.page.locator('.selection .button-danger-quiet').click()
      await stage.dialog()
    },
  ],
])
