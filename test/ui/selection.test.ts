import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clearSelection,
  focusOn,
  keepPresent,
  nothingSelected,
  type Selection,
  selectAll,
  selectedIn,
  selectOnly,
  selectRange,
  toggle,
} from '../../src-ui/listing/selection.ts'
import { orderOfNames } from './entries.ts'

const order = orderOfNames('a', 'b', 'c', 'd', 'e')
const chosen = (selection: Selection) => selectedIn(order, selection).map((entry) => entry.name)

test('a click selects only that item and moves the focus there', () => {
  const selection = selectOnly('/c')
  assert.deepEqual(chosen(selection), ['c'])
  assert.equal(selection.focus, '/c')
})

test('a click with Ctrl adds and removes', () => {
  const two = toggle(selectOnly('/a'), '/c')
  assert.deepEqual(chosen(two), ['a', 'c'])
  assert.deepEqual(chosen(toggle(two, '/a')), ['c'])
})

test('a click with Shift selects from the first selected item, upwards too', () => {
  assert.deepEqual(chosen(selectRange(selectOnly('/b'), order, '/d')), ['b', 'c', 'd'])
  assert.deepEqual(chosen(selectRange(selectOnly('/d'), order, '/b')), ['b', 'c', 'd'])
})

test('a second Shift extends from the same anchor', () => {
  const down = selectRange(selectOnly('/c'), order, '/e')
  assert.deepEqual(chosen(selectRange(down, order, '/a')), ['a', 'b', 'c'])
})

test('Shift without a selection begins at the focus, else at the item itself', () => {
  assert.deepEqual(chosen(selectRange(focusOn(nothingSelected, '/b'), order, '/c')), ['b', 'c'])
  assert.deepEqual(chosen(selectRange(nothingSelected, order, '/c')), ['c'])
})

test('Ctrl and Shift add the range to what was selected', () => {
  const two = toggle(selectOnly('/c'), '/a')
  assert.deepEqual(chosen(selectRange(two, order, '/d', { add: true })), ['a', 'c', 'd'])
})

test('selecting all or nothing keeps the focus', () => {
  const all = selectAll(selectOnly('/b'), order)
  assert.deepEqual(chosen(all), ['a', 'b', 'c', 'd', 'e'])
  const none = clearSelection(all)
  assert.deepEqual(chosen(none), [])
  assert.equal(none.focus, '/b')
})

test('a selection survives another order and loses what no longer exists', () => {
  const three = toggle(toggle(selectOnly('/b'), '/c'), '/e')
  const now = orderOfNames('e', 'd', 'b')
  const kept = keepPresent(three, order, now)
  assert.deepEqual(
    selectedIn(now, kept).map((entry) => entry.name),
    ['e', 'b'],
  )
})

test('when the focused item is gone the focus moves to the next one, at the end to the previous', () => {
  const at = (key: string, ...names: string[]) => keepPresent(selectOnly(key), order, orderOfNames(...names)).focus
  assert.equal(at('/c', 'a', 'b', 'd', 'e'), '/d')
  assert.equal(at('/e', 'a', 'b'), '/b')
  assert.equal(at('/c'), undefined)
  assert.equal(at('/c', 'c', 'x'), '/c')
})
