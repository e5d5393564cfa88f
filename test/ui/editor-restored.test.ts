// A text that is not saved stands against an earlier version of its file that was restored meanwhile.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { user } from '../../src-ui/core/session.ts'
import { TextDocument } from '../../src-ui/editor/text-document.ts'
import { answering } from './answering.ts'
import { ann } from './folder-of.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)

function open(context: TestContext) {
  user.value = ann
  const file = { path: '/a.txt', modified: '', size: 1, text: 'a', hasMark: false, encoding: 'utf-8' }
  const document = new TextDocument(workspace, { ...file, isLossy: false, isWritable: true, version: '"1"' })
  context.after(() => {
    document.dispose()
    user.value = null
  })
  return document
}

/** The server has this content. */
function serve(content: string, version: string) {
  const resource = { path: '/a.txt', name: 'a.txt', content, encoding: 'utf-8', modified: '', size: 1, type: 'text' }
  const headers = { 'Content-Type': 'application/json', ETag: version }
  network.replies['GET /api/resources/a.txt?encoding=utf-8'] = { text: JSON.stringify(resource), headers }
}

test('a version that was restored beside a text that is not saved is asked about at once', async (context) => {
  const document = open(context)
  serve('old', '"2"')
  await document.saveState.compare()
  const asked = () => document.saveState.conflict.value?.text
  assert.equal(asked(), undefined, 'nothing is unsaved')
  document.isDirty.value = true
  await document.saveState.compare()
  assert.equal(asked(), 'old')
})

test('a file that is as it was opened, or as the text, is not asked about, nor one that cannot be read', async (context) => {
  const document = open(context)
  document.isDirty.value = true
  await document.saveState.compare()
  serve('other', '"1"')
  await document.saveState.compare()
  serve('a', '"2"')
  await document.saveState.compare()
  assert.equal(document.saveState.conflict.value, undefined)
})
