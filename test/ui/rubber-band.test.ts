import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, toSortedEntries } from '../../src-ui/core/entries.ts'
import { edgeSpeed } from '../../src-ui/listing/edge-scroll.ts'
import { listMeasures, type Measures, mosaicMeasures, spreadOf } from '../../src-ui/listing/measures.ts'
import { layoutRows } from '../../src-ui/listing/row-layout.ts'
import { bandSelection, type Rectangle, rectangleOf, touchedBy } from '../../src-ui/listing/rubber-band.ts'
import { nothingSelected, selectOnly } from '../../src-ui/listing/selection.ts'
import { file, folder, resourceOf } from './entries.ts'

const width = 1000

/** The layout of two folders and `files` files by the measures of a view. */
function layout(files: number, measures: Measures) {
  const names = Array.from({ length: files }, (_, index) => file(`f${index}`))
  const order = toSortedEntries(entriesOf(resourceOf([folder('a'), folder('b'), ...names])))
  const lines = layoutRows(order, measures.columns)
  const tops = [0]
  for (let line = 0; line < lines.count; line++) tops.push((tops[line] ?? 0) + measures.heightOf(lines.at(line)))
  return {
    lines,
    edgesOf: (line: number) => ({ top: tops[line] ?? 0, bottom: tops[line + 1] ?? 0 }),
    width,
    spreadOf: (section: 'folders' | 'files') => spreadOf(section, measures, false),
  }
}

const list = layout(3, listMeasures(40, false))
const band = (left: number, right: number, top: number, bottom: number): Rectangle => ({ left, right, top, bottom })

test('in the list the band touches the rows that it crosses, and no headings', () => {
  // px: heading 0-39, folders 39-79 and 79-119, heading 119-158, files from 158 on.
  assert.deepEqual(touchedBy(band(0, 10, 0, 38), list), [])
  assert.deepEqual(touchedBy(band(0, 10, 60, 61), list), [0])
  assert.deepEqual(touchedBy(band(0, 10, 100, 160), list), [1, 2])
  assert.deepEqual(touchedBy(band(0, 10, 0, 10_000), list), [0, 1, 2, 3, 4])
  assert.deepEqual(touchedBy(band(0, 10, 9000, 10_000), list), [])
})

test('in the mosaic it touches the tiles that it crosses, not those beside it', () => {
  const measures = mosaicMeasures(width, false, 'medium')
  assert.deepEqual(measures.columns, { folders: 3, files: 3 })
  const mosaic = layout(5, measures)
  const top = mosaic.edgesOf(3).top + 5
  assert.deepEqual(touchedBy(band(10, 20, top, top + 5), mosaic), [2])
  assert.deepEqual(touchedBy(band(10, 400, top, top + 5), mosaic), [2, 3])
  assert.deepEqual(touchedBy(band(700, 990, top, top + 5), mosaic), [4])
  // The last row holds two tiles; beside them there is empty space.
  const last = mosaic.edgesOf(4).top + 5
  assert.deepEqual(touchedBy(band(700, 990, last, last + 5), mosaic), [])
  assert.deepEqual(touchedBy(band(0, 990, top, last), mosaic), [2, 3, 4, 5, 6])
})

test('among 100,000 entries it looks only at those near the band', () => {
  const many = layout(100_000, listMeasures(40, false))
  let looked = 0
  const at = (line: number) => {
    looked += 1
    return many.lines.at(line)
  }
  const counted = { ...many, lines: { ...many.lines, at } }
  const top = many.edgesOf(90_000).top
  assert.equal(touchedBy(band(0, 10, top + 1, top + 79), counted).length, 2)
  assert.ok(looked < 10, `${looked} rows were examined`)
})

test('the band is drawn from its start, in every direction', () => {
  assert.deepEqual(rectangleOf({ x: 30, y: 5 }, { x: 10, y: 50 }), band(10, 30, 5, 50))
})

test('the band selects what it touches and, with Ctrl, keeps what was selected', () => {
  const before = selectOnly('/a')
  assert.deepEqual([...bandSelection(before, ['/b', '/c'], { add: false }).keys], ['/b', '/c'])
  assert.deepEqual([...bandSelection(before, ['/b'], { add: true }).keys], ['/a', '/b'])
  assert.deepEqual(bandSelection(nothingSelected, [], { add: false }), nothingSelected)
})

test('near an edge it scrolls, the faster the nearer', () => {
  const pane = { top: 100, bottom: 500 }
  assert.equal(edgeSpeed(300, pane), 0)
  assert.ok(edgeSpeed(110, pane) < 0)
  assert.ok(edgeSpeed(105, pane) < edgeSpeed(130, pane))
  assert.ok(edgeSpeed(495, pane) > edgeSpeed(470, pane))
  assert.equal(edgeSpeed(900, pane), edgeSpeed(2000, pane))
})
