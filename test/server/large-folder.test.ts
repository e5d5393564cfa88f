import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../support/start-app.ts'

const names = Array.from({ length: 1201 }, (_, index) => `scan ${index + 1} "é" },{.tif`)
const app = await startApp(
  { after },
  { files: { ...Object.fromEntries(names.map((name) => [`many/${name}`, ''])), 'many/box/': '', 'few/a.txt': 'a' } },
)

test('a large folder is the same answer as a small one: every entry, in order, with all its fields', async () => {
  const ann = await app.as('ann')
  const many = await ann.read('/many')
  assert.deepEqual(
    many.items?.map(({ name }) => name),
    ['box', ...names],
  )
  const few = await ann.read('/few')
  assert.deepEqual(Object.keys(many).sort(), Object.keys(few).sort())
  assert.deepEqual(Object.keys(many.items?.at(-1) ?? {}), Object.keys(few.items?.[0] ?? {}))
  assert.deepEqual([many.numDirs, many.numFiles], [1, 1201])
})

test('in the answer for a large folder the entries come last', async () => {
  const ann = await app.as('ann')
  const answer = await ann.get('/many')
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const { items, ...folder } = JSON.parse(await answer.clone().text())
  assert.ok((await answer.text()).startsWith(`${JSON.stringify(folder).slice(0, -1)},"items":[`))
  const head = await ann.ask('HEAD', '/api/resources/many/')
  assert.deepEqual([head.status, await head.text()], [200, ''])
})
