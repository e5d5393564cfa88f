// What a row shows besides its entry. A row renders when this changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals-core'
import { dragSlice } from '../../src-ui/core/drag.ts'
import { type EntryMarks, entryMarks } from '../../src-ui/listing/entry-marks.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { entries, type Folders, pick, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)
const drag = workspace.use(dragSlice)
const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']

let folders: Folders
beforeEach(async () => {
  folders = await startFolders({ '/': names })
})
afterEach(() => {
  drag.current.value = undefined
  workspace.use(listingSlice).clearSelected()
  folders.close()
})

/** The marks of each entry as often as they change, as a row reads them. */
function follow(): { marks: EntryMarks[][]; stop(): void } {
  const shown = entries(...names)
  const marks: EntryMarks[][] = shown.map(() => [])
  const stops = shown.map((entry, index) => {
    const followed = entryMarks(workspace, entry, { above: shown[index - 1], below: shown[index + 1] })
    return effect(() => void marks[index]?.push(followed.value))
  })
  return { marks, stop: () => stops.forEach((stop) => void stop()) }
}

test('a row does not render when another is selected', () => {
  const { marks, stop } = follow()
  pick('/a.txt')
  pick('/d.txt')
  assert.deepEqual(
    marks.map((all) => all.map(({ isSelected }) => isSelected)),
    [[false, true, false], [false], [false], [false, true]],
  )
  stop()
})

test('selected rows side by side join, and each renders only when its own block changes', () => {
  pick('/a.txt')
  const { marks, stop } = follow()
  pick('/a.txt', '/b.txt')
  pick('/a.txt', '/b.txt', '/c.txt')
  assert.deepEqual(
    marks.map((all) => all.map(({ joins }) => joins)),
    [[undefined, 'below'], [undefined, 'above', 'both'], [undefined, 'above'], [undefined]],
  )
  stop()
})

test('while entries are dragged, the others do not render with each move of the pointer', () => {
  const { marks, stop } = follow()
  const items = entries('b.txt')
  for (const x of [1, 2, 3]) drag.current.value = { items, at: { x, y: 0 }, drop: { kind: 'nothing' } }
  assert.deepEqual(
    marks.map((all) => all.map(({ isDragged }) => isDragged)),
    [[false], [false, true], [false], [false]],
  )
  stop()
})
