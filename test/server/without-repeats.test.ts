// What an act has noted twice, before a kill and after it, counts once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotedBefore } from '../../src-server/history/noted-before.ts'
import { withoutRepeats } from '../../src-server/history/without-repeats.ts'
import type { ActHead, Deed, DeedLine } from '../../src-server/state/history-store.ts'

const trace = (version: string, identity = '') => ({ identity, version })
const entry = (at: string, more: Partial<Extract<Deed, { what: 'entry' }>> = {}): Deed => ({
  ...{ what: 'entry', at, isDir: false, trace: trace('1'), ...more },
})
const move = (from: string, at: string): Deed => ({ what: 'move', from, at, isDir: false, trace: trace('1') })
const folder = (at: string, identity: string, isGone?: true): Deed => ({
  ...{ what: 'folder', at, trace: trace('', identity), ...(isGone && { isGone }) },
})
const content = (at: string, item: string, version = '1'): Deed => ({ what: 'content', at, item, trace: trace(version) })

/** @returns the numbers of those that count */
function kept(...deeds: readonly (Deed | Omit<DeedLine, 'deed'>)[]): number[] {
  const lines = deeds.map((is, deed): DeedLine => ('is' in is ? { deed, ...is } : { deed, is }))
  return withoutRepeats(lines, (was) => (was === 'before' ? 'now' : was)).map(({ deed }) => deed)
}
const undone = (is: Deed) => ({ is, isUndone: true })

const removed = entry('/a', { item: 'i' })

for (const [what, deeds, expected] of [
  ['a removal', [removed, removed], [0]],
  ['a restore', [entry('/a', { was: 'i' }), entry('/a', { was: 'i' })], [0]],
  ['a replaced file', [content('/a', 'i'), content('/a', 'i')], [1]],
  ['a file that was put back by hand and replaced again', [content('/a', 'i'), entry('/b'), content('/a', 'i', '2')], [1, 2]],
  ['a new file', [entry('/a'), entry('/b'), entry('/a')], [1, 2]],
  ['a new file that others have changed in between', [entry('/a'), entry('/a', { trace: trace('2') })], [1]],
  ['a move', [move('/a', '/b'), move('/a', '/b')], [1]],
  ['a move over a file', [removed, move('/b', '/a'), removed, move('/b', '/a')], [0, 3]],
  ['a folder, which comes before what is in it', [folder('/d', 'x'), entry('/d/a'), folder('/d', 'x')], [0, 1]],
  ['a folder that was made again by an undo', [folder('/d', 'now'), folder('/d', 'before')], [0]],
  ['a folder that others have removed in between', [folder('/d', 'x'), folder('/d', 'y')], [1]],
  ['what was undone once', [entry('/a'), undone(entry('/a', { item: 'i' }))], [1]],
  ['what was undone and done again', [entry('/a'), entry('/a', { was: 'i' })], [1]],
] as const) {
  test(`${what}, noted twice, is one change`, () => {
    assert.deepEqual(kept(...deeds), expected)
  })
}

for (const [what, deeds] of [
  ['made, removed and made again', [entry('/a'), entry('/a', { item: 'i' }), entry('/a')]],
  ['put back, deleted and put back', [entry('/a', { was: 'i' }), entry('/a', { item: 'i' }), entry('/a', { was: 'j' })]],
  ['moved there and back, and there again', [move('/a', '/b'), move('/b', '/a'), move('/a', '/b')]],
  ['made in a folder that was moved away since', [entry('/d/a'), move('/d', '/e'), entry('/d/a')]],
  ['made, lost and made again', [entry('/a'), { what: 'lost', at: '/a', why: 'forGood' } as const, entry('/a')]],
  ['replaced twice', [content('/a', 'i'), content('/a', 'j')]],
  ['made, removed when it was empty, and made again', [folder('/d', 'x'), folder('/d', 'x', true), folder('/d', 'x')]],
] as const) {
  test(`what was ${what} is all that`, () => {
    assert.deepEqual(
      kept(...deeds),
      deeds.map((_, index) => index),
    )
  })
}

test('a change that is noted again is known when the act counts it, and no other one', async () => {
  const lines = ['/a', '/b', '/c'].map((at, deed): DeedLine => ({ deed, is: entry(at) }))
  const before = new NotedBefore(async () => lines)
  const head = { id: 'h', deeds: 2 } as ActHead
  const note = async (isAgain: boolean, ...paths: string[]) => {
    const noted = paths.map((at) => ({ deed: entry(at), isAgain }))
    return (await before.fresh(head, noted, 0)).map(({ deed }) => deed.at)
  }
  assert.deepEqual(await note(false, '/a'), ['/a'])
  assert.deepEqual(await note(true, '/a', '/b', '/c', '/d'), ['/c', '/d'])
  assert.deepEqual(await note(true, '/c', '/d', '/e'), ['/e'])
  before.forget('h')
  assert.deepEqual(await note(true, '/b', '/e'), ['/e'])
})
