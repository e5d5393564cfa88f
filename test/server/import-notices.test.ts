// What an import has brought is shown to administrators until one of them takes note.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { planNotice } from '../../src-server/import/plan-text.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { importFolder, runImport } from '../support/import-folder.ts'
import { startApp } from '../support/start-app.ts'

const admin = { perm: allPermissions }

test('what an import has brought is kept until an administrator takes note, for all of them', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/public/a b#c.txt', '/bob/docs/plan.txt', '/carol/private2/x'] })
  await runImport(folder, 'filebrowser.db', '--root', 'root')
  const { imported = [] }: StateData = JSON.parse(readFileSync(at('holdall.json'), 'utf8'))
  const { look = [], changed = [], left = [], ...counts } = imported[0]?.notice ?? {}
  assert.deepEqual(counts, { users: 9, passwords: 9, rules: 10, links: 5, hasSettings: true, more: 0 })
  assert.ok([...look, ...changed].some((line) => line.includes('"/private" blocks "/private2" too')))
  assert.ok(look.length > 0 && left.length > 0)
  assert.ok(!/\$2[aby]\$/.test(JSON.stringify(imported)))
})

test('administrators alone see it, and a start keeps it', async (t) => {
  const app = await startApp(t, { users: { ann: {}, root: admin, boss: admin } })
  const [ann, root, boss] = [await app.as('ann'), await app.as('root'), await app.as('boss')]
  const seen = async (who: typeof ann) => (await (await who.ask('GET', '/api/imports')).json()).notices
  assert.deepEqual(await seen(root), [])
  const notice = {
    users: 1,
    passwords: 1,
    rules: 0,
    links: 0,
    hasSettings: true,
    look: ['the files: x'],
    changed: [],
    left: [],
    more: 0,
  }
  const from = { source: 'x', at: 7, root: app.root, rootIdentity: '', users: [] }
  await app.parts.state.change('other', (draft) => {
    draft.imported = [from, { ...from, notice }]
  })
  assert.deepEqual(await seen(boss), [{ at: 7, ...notice }])
  assert.equal((await ann.ask('GET', '/api/imports')).status, 403)
  assert.equal((await ann.ask('DELETE', '/api/imports')).status, 403)
  assert.deepEqual([(await seen(root)).length, (await root.ask('DELETE', '/api/imports')).status], [1, 200])
  assert.deepEqual([await seen(root), await seen(boss)], [[], []])
  assert.deepEqual(app.parts.state.data.imported, [from, from])
  assert.equal((await root.ask('DELETE', '/api/imports')).status, 200)
})

test('of very many notes some of each kind are kept, and none is endless', () => {
  const notes = Array.from({ length: 200 }, (_, index) => ({
    kind: 'left' as const,
    about: 'x'.repeat(600),
    text: String(index),
  }))
  const plan = { users: [], links: [], server: { options: {} }, source: '', lastUserId: 0, stops: [], notes }
  const { left, more } = planNotice(plan)
  assert.deepEqual([left.length, more, left[0]?.length], [50, 150, 501])
})
