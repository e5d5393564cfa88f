// The line endings of a text are kept, whatever is changed between them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import { endingRanges, joinEndings, otherEndings, splitEndings, writeDocument } from '../../src-ui/editor/line-endings.ts'

const sources = ['', 'one', 'a\nb\n', 'a\r\nb\r\n', 'a\rb\r', 'a\r\nb\nc\rd', '\n\r\n\r\r\n', 'a\r\n\r\nb\n\nc', '\r\r\n\n']

test('a text that is split and joined again is the same', () => {
  for (const source of sources) assert.equal(joinEndings(splitEndings(source)), source, JSON.stringify(source))
})

/** What is written after a change of a text. */
function changed(source: string, change: TransactionSpec['changes']): string {
  const { text, usual, others } = splitEndings(source)
  const state = EditorState.create({ doc: text, extensions: [otherEndings.init(() => endingRanges(others))] })
  const next = state.update({ changes: change ?? [] }).state
  return writeDocument(next.doc, usual, next.field(otherEndings))
}

test('the ending of most lines is that of new lines', () => {
  assert.equal(changed('a\r\nb\r\nc\n', { from: 0, insert: 'new\n' }), 'new\r\na\r\nb\r\nc\n')
  assert.equal(changed('a\rb\r', { from: 4, insert: '\nnew' }), 'a\rb\r\rnew')
})

test('a changed line leaves the endings of all lines as they were', () => {
  const source = 'one\r\ntwo\nthree\r\nfour\rfive\r\n'
  assert.equal(changed(source, { from: 4, to: 7, insert: 'two more' }), 'one\r\ntwo more\nthree\r\nfour\rfive\r\n')
  assert.equal(changed(source, { from: 7, insert: '!' }), 'one\r\ntwo!\nthree\r\nfour\rfive\r\n')
  assert.equal(changed(source, { from: 8, insert: '!' }), 'one\r\ntwo\n!three\r\nfour\rfive\r\n')
})

test('a line break that is removed takes its ending with it', () => {
  assert.equal(changed('one\r\ntwo\nthree\r\nfour\r\n', { from: 7, to: 8 }), 'one\r\ntwothree\r\nfour\r\n')
  assert.equal(changed('one\r\ntwo\nthree\r\nfour\r\n', { from: 4, to: 13 }), 'one\r\n\r\nfour\r\n')
})
