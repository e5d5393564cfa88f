// What scripts for File Browser send to /api/users and /api/settings, as its clients and its own answers have it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Settings } from '../../src-server/contract/settings.ts'
import { startApp } from '../support/start-app.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'a', 'b.txt': 'b' }, users: { root: { perm: allPermissions }, ann: {} } },
)
const root = await app.as('root')
const stored = (name: string) => app.parts.accounts.byName(name)
const idOf = (name: string) => stored(name)?.id ?? 0

async function send(method: string, address: string, body: unknown) {
  const answer = await root.ask(method, address, { body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}

const post = (data: object) => send('POST', '/api/users', { what: 'user', which: [], data })
const put = (which: readonly string[], data: object, id = idOf('ann')) =>
  send('PUT', `/api/users/${id}`, { what: 'user', which, data: { id, ...data } })
const set = (settings: object) => send('PUT', '/api/settings', settings)
const read = async () => (await (await root.ask('GET', '/api/settings')).json()) as Settings

/** @throws unless the answer is the expected status */
async function is(status: number, asked: Promise<{ status: number; text: string }>) {
  const answer = await asked
  assert.equal(answer.status, status, answer.text)
}

let made = 0
/** The record of a new user, made with these fields. */
async function created(fields: object) {
  const username = `made ${++made}`
  await is(201, post({ username, password: 'a long and easy password', ...fields }))
  return stored(username)
}

test('a sorting that names nothing is the usual one, A to Z', async () => {
  const usual = { by: 'name', asc: true }
  for (const asc of [false, true]) {
    const sorting = { by: '', asc }
    await put(['sorting'], { sorting: { by: 'size', asc: false } })
    await is(200, put(['sorting'], { sorting }))
    assert.deepEqual(stored('ann')?.sorting, usual)
    assert.deepEqual((await created({ sorting }))?.sorting, usual)
    await set({ defaults: { sorting: { by: 'size', asc: false } } })
    await is(200, set({ defaults: { sorting } }))
    assert.deepEqual((await read()).defaults.sorting, usual)
  }
  await is(400, put(['sorting'], { sorting: { by: '', asc: 'false' } }))
  await is(400, put(['sorting'], { sorting: { by: '' } }))
})

test('an empty view is the list of a user, and the mosaic of the settings', async () => {
  await is(200, put(['viewMode'], { viewMode: '' }))
  assert.equal(stored('ann')?.viewMode, 'list')
  assert.equal((await created({ viewMode: '' }))?.viewMode, 'list')
  await is(200, set({ defaults: { viewMode: '' } }))
  assert.equal((await read()).defaults.viewMode, 'mosaic')
})
