// What a screen reader is told of how many entries are selected.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { AnnouncedSelection, announceSelected } from '../../src-ui/listing/announced-selection.ts'
import { TrashItems, type TrashRow } from '../../src-ui/trash/trash-items.ts'
import { workspace } from './workspace.ts'

const { announcement } = workspace.use(noticesSlice)

/** Selects and takes entries away. `pass` lets milliseconds go by. */
function start(context: TestContext, count: number) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  announcement.value = ''
  const said: string[] = []
  context.after(announcement.subscribe((text) => void (text && said.push(text))))
  let entries = {}
  const announced = new AnnouncedSelection(workspace, count, entries)
  return {
    said,
    select: (wanted: number) => announced.note(wanted, entries),
    others: (left: number) => {
      entries = {}
      announced.note(left, entries)
    },
    pass: (milliseconds: number) => context.mock.timers.tick(milliseconds),
  }
}

test('what a person selects is announced at once, but for a single entry', (context) => {
  const { said, select } = start(context, 0)
  for (const count of [1, 2, 3, 1, 0]) select(count)
  assert.deepEqual(said, ['2 selected', '3 selected', '1 selected', '0 selected'])
})

test('while selected entries go nothing is announced, and once how many are left', (context) => {
  const { said, others, pass } = start(context, 5000)
  for (let left = 4999; left >= 4000; left -= 9) {
    others(left)
    pass(600)
  }
  assert.deepEqual(said, [])
  pass(5000)
  assert.deepEqual(said, ['4,000 selected'])
})

test('what a person selects while entries go is announced at once, and not again', (context) => {
  const { said, others, select, pass } = start(context, 50)
  others(49)
  select(48)
  pass(5000)
  assert.deepEqual(said, ['48 selected'])
})

test('when all that was selected is gone, what has removed it is told, and nothing of the selection', (context) => {
  const { said, others, pass } = start(context, 2)
  others(0)
  pass(5000)
  assert.deepEqual(said, [])
})

test('selected entries that come with a new listing are announced at once', (context) => {
  const { said, others } = start(context, 0)
  others(3)
  assert.deepEqual(said, ['3 selected'])
})

test('in the trash as well, while a job puts selected entries back; what was not said when the page is left is left out', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  announcement.value = ''
  const said: string[] = []
  context.after(announcement.subscribe((text) => void (text && said.push(text))))
  const items = new TrashItems(workspace)
  const rows = Array.from({ length: 100 }, (_, index) => ({ key: `${index}` }) as TrashRow)
  items.rows.value = rows
  const end = announceSelected(workspace, { selected: items.selected, shown: items.rows })
  items.selection.value = { keys: new Set(rows.map(({ key }) => key)), focus: undefined }
  const putBack = (left: number) => {
    items.rows.value = rows.slice(0, left)
    items.selection.value = { keys: new Set(items.rows.value.map(({ key }) => key)), focus: undefined }
  }
  for (let left = 99; left > 90; left -= 1) putBack(left)
  assert.deepEqual(said, ['100 selected'])
  context.mock.timers.tick(5000)
  assert.deepEqual(said, ['100 selected', '91 selected'])
  putBack(50)
  end()
  context.mock.timers.tick(5000)
  assert.equal(said.length, 2)
})
