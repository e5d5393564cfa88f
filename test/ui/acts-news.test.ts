// News that something was done: the page asks what, and never twice at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsSlice } from '../../src-ui/acts/acts.ts'
import { actsLater } from '../../src-ui/acts/feature-later.ts'
import { CommandTable, commandTableSlice } from '../../src-ui/core/command.ts'
import { user } from '../../src-ui/core/session.ts'
import { answering, type Reply } from './answering.ts'
import { startLive } from './fake-live.ts'
import { ann, settled } from './folder-of.ts'

const network = answering(import.meta.filename)

test('news that come while the acts are asked for are one more question, after the answer', async (context) => {
  user.value = ann
  const { workspace, last } = startLive()
  context.after(() => {
    workspace.dispose()
    user.value = null
  })
  workspace.provide(commandTableSlice, new CommandTable(workspace, []))
  const none: Reply = { text: JSON.stringify({ acts: [] }), headers: { 'Content-Type': 'application/json' } }
  network.replies['GET /api/history'] = none
  actsLater.follow(workspace)
  last().tell({ kind: 'hello', user: ann.id })
  workspace.use(actsSlice).isShown.value = true
  await settled()
  const held = Promise.withResolvers<Reply>()
  network.replies['GET /api/history'] = () => held.promise
  network.calls.length = 0
  const asked = () => network.calls.filter(({ name }) => name === 'GET /api/history').length
  for (let news = 0; news < 5; news++) last().tell({ kind: 'acts' })
  await settled()
  assert.equal(asked(), 1)
  held.resolve(none)
  await settled()
  assert.equal(asked(), 2)
})
