// What an open text does when an administrator changes the permissions of its reader.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { user } from '../../src-ui/core/session.ts'
import { TextDocument } from '../../src-ui/editor/text-document.ts'
import { ann } from './folder-of.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const said = () => notices.list.value.map(({ text, detail }) => `${text}: ${detail}`.replace(/[\u2068\u2069]/g, ''))

function open(context: TestContext) {
  user.value = ann
  notices.list.value = []
  const file = { path: '/a.txt', modified: '', size: 1, text: 'a', hasMark: false, encoding: 'utf-8' }
  const document = new TextDocument(workspace, { ...file, isLossy: false, isWritable: true, version: '"1"' })
  context.after(() => {
    document.dispose()
    notices.list.value = []
    user.value = null
  })
  return document
}

const mayModify = (modify: boolean) => {
  user.value = { ...ann, perm: { ...ann.perm, modify } }
}

test('a text whose editor loses the permission to edit becomes read-only and says so, until it is given again', (context) => {
  const document = open(context)
  assert.deepEqual([document.mode.value, document.mayEdit()], ['edit', true])
  mayModify(false)
  assert.deepEqual([document.mode.value, document.mayEdit()], ['source', false])
  assert.deepEqual(said(), ['Read-only: You don’t have permission to do this here.'])
  document.setMode('edit')
  assert.equal(document.mode.value, 'source')
  mayModify(true)
  assert.equal(document.mayEdit(), true)
})

test('a text that is not saved stays when the permission to edit is taken away', (context) => {
  const document = open(context)
  document.isDirty.value = true
  mayModify(false)
  assert.deepEqual([document.mode.value, document.isDirty.value, document.text], ['source', true, 'a'])
  assert.deepEqual(said(), ['“a.txt” was not saved: You don’t have permission to do this here.'])
})
