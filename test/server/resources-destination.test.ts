// The destination of a copy or move in the address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/start-app.ts'

test('action and destination are query parameters', async (t) => {
  const app = await startApp(t, { files: { 'src/a.txt': 'a', 'dst/old.txt': 'old' } })
  const ann = await app.as('ann')
  const patch = async (query: string) => (await ann.ask('PATCH', `/api/resources/src/a.txt?${query}`)).status
  assert.equal(await patch('action=copy'), 400)
  assert.equal(await patch('action=copy&destination='), 400)
  assert.equal(await patch('action=copy&destination=relative'), 400)
  assert.equal(await patch('action=link&destination=/x'), 400)
  assert.equal(await patch('destination=/x'), 400)
  assert.deepEqual(await ann.list('/'), ['dst', 'src'])
})

test('a destination is a URL path inside the query: decoded per segment once more, and literally where that fails', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a' } })
  const ann = await app.as('ann')
  const copyTo = async (text: string) => (await ann.ask('PATCH', `/api/resources/a.txt?action=copy&destination=${text}`)).status
  for (const text of ['/pl%252Bus', '/pl%2Bboth', '/100%25', '/sp%2520ace', '/once%20only', '/sl%252Fash'])
    assert.equal(await copyTo(text), 200, text)
  assert.deepEqual(await ann.list('/'), ['sl', '100%', 'a.txt', 'once only', 'pl+both', 'pl+us', 'sp ace'])
})

test('a destination that is encoded twice as a whole is decoded twice', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a' } })
  const ann = await app.as('ann')
  const copyTo = async (text: string) => (await ann.ask('PATCH', `/api/resources/a.txt?action=copy&destination=${text}`)).status
  assert.equal(await copyTo('%252Fone%252Ftwo%252520words.txt'), 200)
  assert.equal(await copyTo('%252fbad%25'), 400)
  assert.deepEqual(await ann.list('/one'), ['two words.txt'])
})
