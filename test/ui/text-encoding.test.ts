// The encoding of a text is guessed, and chosen when the guess was wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoDepth } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { describeEncoding, encodings } from '../../src-ui/editor/encodings.ts'
import { TextDocument } from '../../src-ui/editor/text-document.ts'
import { answering } from './answering.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)
const resource = { path: '/a.txt', name: 'a.txt', modified: '', size: 4, type: 'text', isDir: false }
const answer = (encoding: string, content: string, isLossy = false) => ({
  text: JSON.stringify({ ...resource, encoding, content, isLossy }),
  headers: { 'Content-Type': 'application/json', ETag: '"1"' },
})

/** A file that was read as Western. */
const guessed = (text: string) => ({
  ...resource,
  ...{ text, hasMark: false, encoding: 'windows-1252', isLossy: false, isWritable: true, version: '"1"' },
})

test('a text whose encoding was guessed wrong is read again in the chosen one, unless it is unsaved', async (context) => {
  const file = guessed('“ú–{')
  const document = new TextDocument(workspace, file)
  context.after(() => document.dispose())
  network.replies['GET /api/resources/a.txt?encoding=shift_jis'] = answer('shift_jis', '日本')
  await document.readAgainIn('shift_jis')
  assert.deepEqual([document.text, document.file.value.encoding, document.isDirty.value], ['日本', 'shift_jis', false])
  network.replies['GET /api/resources/a.txt?encoding=euc-kr'] = answer('euc-kr', '?', true)
  await document.readAgainIn('euc-kr')
  assert.deepEqual([document.file.value.encoding, document.mode.value], ['euc-kr', 'source'])
  document.isDirty.value = true
  await document.readAgainIn('shift_jis')
  assert.equal(document.file.value.encoding, 'euc-kr')
})

test('after a choice of encoding Undo brings back no text of the former one, and an older answer is dropped', async (context) => {
  const file = guessed('old')
  const document = new TextDocument(workspace, file)
  context.after(() => document.dispose())
  const late = Promise.withResolvers<void>()
  const answerLate = (encoding: string) => () => late.promise.then(() => answer(encoding, 'late'))
  network.replies['GET /api/resources/a.txt?encoding=windows-1252'] = answerLate('windows-1252')
  network.replies['GET /api/resources/a.txt?encoding=big5'] = answerLate('big5')
  network.replies['GET /api/resources/a.txt?encoding=shift_jis'] = answer('shift_jis', '日本')
  const updates = context.mock.method(EditorState.prototype, 'update').mock
  const earlier = [document.refresh(new AbortController().signal), document.readAgainIn('big5')]
  await document.readAgainIn('shift_jis')
  late.resolve()
  await Promise.all(earlier)
  assert.deepEqual([document.text, document.file.value.encoding], ['日本', 'shift_jis'])
  assert.equal(undoDepth(updates.calls.at(-1)?.result?.state ?? assert.fail('no change')), 0)
})

test('a text that cannot be read again stays, and a notice says so', async (context) => {
  const file = { ...resource, text: 'a', hasMark: false, encoding: 'utf-8', isLossy: false, isWritable: true, version: '"1"' }
  const document = new TextDocument(workspace, file)
  const notices = workspace.use(noticesSlice)
  context.after(() => {
    document.dispose()
    for (const { id } of notices.list.peek()) notices.dismiss(id)
  })
  await document.readAgainIn('big5')
  assert.equal(document.text, 'a')
  assert.match(notices.list.value.at(-1)?.text ?? '', /a\.txt.*was not read again/)
})

test('an encoding is listed with what it is used for', () => {
  assert.equal(describeEncoding('shift_jis'), 'Shift_JIS · Japanese')
  assert.equal(describeEncoding('windows-1251'), 'Windows-1251 · Cyrillic')
  for (const name of ['shift_jis', 'gb18030', 'big5', 'euc-kr', 'windows-1250', 'windows-1258'])
    assert.ok(encodings.includes(name), name)
})
