import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePath } from '../../src-ui/api/addresses.ts'
import { historyKey, makeScrollState, ScrollStates, scrollStatesSlice } from '../../src-ui/core/history.ts'
import { breadcrumbsOf, normalizePath } from '../../src-ui/core/paths.ts'
import { filePathOf } from '../../src-ui/core/routes.ts'
import { layoutRows, type RowLayout } from '../../src-ui/listing/row-layout.ts'
import { workspace } from './workspace.ts'

const scrollStates = workspace.use(scrollStatesSlice)

test('breadcrumbs: the root, and the last three folders', () => {
  assert.deepEqual(breadcrumbsOf('/'), [{ name: '', path: '/' }])
  assert.deepEqual(breadcrumbsOf('/a/b/c'), [
    { name: '', path: '/' },
    { name: 'a', path: '/a' },
    { name: 'b', path: '/a/b' },
    { name: 'c', path: '/a/b/c' },
  ])
})

test('breadcrumbs: a longer path has an ellipsis that leads to the last folder it hides', () => {
  assert.deepEqual(breadcrumbsOf('/a/b/c/d/e'), [
    { name: '', path: '/' },
    { name: 'b', path: '/a/b', isEllipsis: true },
    { name: 'c', path: '/a/b/c' },
    { name: 'd', path: '/a/b/c/d' },
    { name: 'e', path: '/a/b/c/d/e' },
  ])
})

test('every name can be read back from its address', () => {
  for (const name of [
    'a#b',
    'a%23b',
    '😀',
    '..%5c',
    'new\nline',
    'what?',
    '100%',
    'a+b',
    'a b',
    '-leading',
    'é',
    'é',
    '%2e%2e',
  ]) {
    const url = new URL(`/files${encodePath(`/folder/${name}`)}/`, 'http://holdall.test')
    assert.equal(normalizePath(filePathOf(url.pathname, '')), `/folder/${name}`)
  }
})

test('an address of the page below a base URL, with slashes too many', () => {
  assert.equal(normalizePath(filePathOf('/prefix/files//a%20b//c/', '/prefix')), '/a b/c')
  assert.equal(normalizePath(filePathOf('/files/', '')), '/')
})

const shape = (folders: number, files: number, columns = { folders: 1, files: 1 }): RowLayout =>
  layoutRows({ entries: new Array(folders + files), folders }, columns)
const drawn = (lines: RowLayout) =>
  Array.from({ length: lines.count }, (_, index) => {
    const line = lines.at(index)
    return line.kind === 'heading' ? `${line.section} ${line.count}` : `${line.from}-${line.to - 1}`
  })

test('a list has a row for each entry and a heading for each section that is not empty', () => {
  assert.deepEqual(drawn(shape(2, 1)), ['folders 2', '0-0', '1-1', 'files 1', '2-2'])
  assert.deepEqual(drawn(shape(0, 2)), ['files 2', '0-0', '1-1'])
  assert.deepEqual(drawn(shape(1, 0)), ['folders 1', '0-0'])
  assert.deepEqual(drawn(shape(0, 0)), [])
})

test('a mosaic has as many side by side as fit, and begins each section on a new line', () => {
  const lines = shape(4, 5, { folders: 3, files: 3 })
  assert.deepEqual(drawn(lines), ['folders 4', '0-2', '3-3', 'files 5', '4-6', '7-8'])
  assert.deepEqual(
    [0, 2, 3, 4, 8].map((index) => lines.lineOf(index)),
    [1, 1, 2, 4, 5],
  )
})

test('the arrows follow the order, skip the headings and stop at the edges', () => {
  const lines = shape(2, 2)
  assert.deepEqual([lines.step(1, 'down'), lines.step(2, 'up')], [2, 1])
  assert.deepEqual([lines.step(0, 'up'), lines.step(3, 'down'), lines.step(0, 'previous'), lines.step(3, 'next')], [0, 3, 0, 3])
})

test('in a mosaic up and down keep the column, or take the last of a shorter line', () => {
  const lines = shape(4, 5, { folders: 3, files: 3 })
  assert.equal(lines.step(0, 'down'), 3)
  assert.equal(lines.step(2, 'down'), 3)
  assert.equal(lines.step(3, 'down'), 4)
  assert.equal(lines.step(6, 'up'), 3)
  assert.equal(lines.step(6, 'down'), 8)
  assert.equal(lines.step(8, 'down'), 8)
  assert.equal(lines.step(3, 'next'), 4)
})

test('100,000 entries are laid out without being looked at', () => {
  const lines = shape(50_000, 50_000)
  assert.equal(lines.count, 100_002)
  assert.deepEqual(lines.at(100_001), { kind: 'entries', section: 'files', from: 99_999, to: 100_000 })
  assert.equal(lines.step(49_999, 'down'), 50_000)
})

test('each entry of the history has its own key and keeps its scroll state; a large selection is not kept', () => {
  const history = {
    state: { other: 1 } as unknown,
    replaceState(state: unknown) {
      this.state = state
    },
  }
  const name = historyKey(history)
  assert.equal(historyKey(history), name)
  assert.equal((history.state as { other: number }).other, 1)
  scrollStates.save(name, makeScrollState(420, { keys: new Set(['/a']), focus: '/a' }))
  assert.deepEqual(scrollStates.get(name), { scroll: 420, focus: '/a', selected: ['/a'] })
  assert.deepEqual(
    makeScrollState(0, { keys: new Set(Array.from({ length: 1001 }, (_, index) => String(index))), focus: '1' }).selected,
    [],
  )
  assert.equal(scrollStates.get('another'), undefined)
})

test('scroll states are stored for a reload of the tab, and a broken store is ignored', () => {
  const kept = new Map<string, string>()
  const tab = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const before = new ScrollStates()
  before.save('first', makeScrollState(7, { keys: new Set(), focus: undefined }))
  before.store(tab)
  const reloaded = new ScrollStates()
  reloaded.restore(tab)
  assert.equal(reloaded.get('first')?.scroll, 7)
  kept.set([...kept.keys()][0] ?? '', 'not JSON')
  reloaded.restore(tab)
  assert.equal(reloaded.get('first')?.scroll, 7)
})
