// Which lines of the listing are near the window.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMeasures } from '../../src-ui/listing/measures.ts'
import { layoutRows } from '../../src-ui/listing/row-layout.ts'
import { VirtualRows } from '../../src-ui/listing/virtual-rows.ts'

/** A heading of 39 pixels, and files of 40. */
function filesAt(scrollOffset: number, files = 100_000): VirtualRows {
  const virtual = new VirtualRows(scrollOffset)
  virtual.layOut(layoutRows({ entries: { length: files }, folders: 0 }, { folders: 1, files: 1 }), listMeasures(40, false))
  virtual.height = 400
  virtual.margin = 33
  virtual.update()
  return virtual
}

const edges = (drawn: readonly number[]) => [drawn[0], drawn.at(-1), drawn.length]

test('at the top the first lines are drawn, and six below the window', () => {
  const virtual = filesAt(0)
  assert.deepEqual(virtual.range, { first: 0, last: 9 })
  assert.deepEqual(edges(virtual.drawn(undefined)), [0, 15, 16])
  assert.deepEqual(virtual.edgesOf(0), { start: 33, end: 72 })
  assert.deepEqual(virtual.edgesOf(1), { start: 72, end: 112 })
})

test('in the middle and at the end of 100,000 files only the lines near the window are drawn', () => {
  const virtual = filesAt(33 + 39 + 40 * 50_000)
  assert.deepEqual(virtual.range, { first: 50_001, last: 50_010 })
  assert.deepEqual(edges(virtual.drawn(undefined)), [49_995, 50_016, 22])
  virtual.scrollOffset = 33 + virtual.totalSize - 400
  assert.equal(virtual.update(), true)
  assert.equal(virtual.update(), false)
  assert.deepEqual(virtual.range, { first: 99_991, last: 100_000 })
  assert.deepEqual(edges(virtual.drawn(undefined)), [99_985, 100_000, 16])
})

test('the line with the tab stop is drawn wherever it is, once and in order', () => {
  const virtual = filesAt(33 + 39 + 40 * 100)
  assert.deepEqual(virtual.drawn(3).slice(0, 2), [3, 95])
  assert.deepEqual(edges(virtual.drawn(500)), [95, 500, 23])
  assert.equal(virtual.drawn(100).filter((line) => line === 100).length, 1)
  assert.equal(virtual.drawn(100_001).includes(100_001), false)
})

test('a position beyond the lines shows the last ones, and without lines there is nothing', () => {
  assert.deepEqual(filesAt(1e9, 5).range, { first: 5, last: 5 })
  assert.deepEqual(filesAt(0, 0).drawn(0), [])
  assert.equal(filesAt(0, 0).edgesOf(0), undefined)
})

test('a line is brought into view above what covers the end, as far as that leaves room for it', () => {
  const virtual = filesAt(0)
  const tenth = { start: 352, end: 392 }
  assert.equal(virtual.nearest(tenth), undefined)
  assert.equal(virtual.nearest(tenth, 100), 92)
  assert.equal(virtual.nearest(tenth, 390), 319)
  virtual.scrollOffset = 330
  assert.equal(virtual.nearest(tenth, 100), 319)
})
