// What ends while a link is in use, and how much one address may ask for at once.

import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Operation } from '../../src-server/base/operation.ts'
import type { LimitedKind } from '../../src-server/contract/endpoint.ts'
import type { StateDraft } from '../../src-server/state/state-data.ts'
import { openDownload } from '../support/open-download.ts'
import { picture } from '../support/pictures.ts'
import { rawRequest } from '../support/raw-request.ts'
import { share } from '../support/share-calls.ts'
import { deny, only, startApp, type TestApp } from '../support/start-app.ts'
import { changeUser } from '../support/start-state.ts'

/** Far more than the system buffers for a client that does not read. */
const large = 256 << 20

async function withLargeFile(t: TestContext) {
  const app = await startApp(t, { files: { 'd/small.txt': 'small' }, users: { ann: {}, bob: {} } })
  await writeFile(join(app.root, 'd/large.bin'), '')
  await truncate(join(app.root, 'd/large.bin'), large)
  const ann = await app.as('ann')
  const made = await share(ann, '/d')
  return { app, ann, made, hash: made.hash }
}

const change = (app: TestApp, edit: (draft: StateDraft) => void) => app.parts.state.change('other', edit)

describe('a running download ends at once', () => {
  const withdrawals: Record<string, (app: TestApp, link: { hash: string; userID: number }) => Promise<unknown>> = {
    'when its link is deleted': async (app, { hash }) => (await app.as('ann')).ask('DELETE', `/api/share/${hash}`),
    'when it gets a password': async (app, { hash }) =>
      (await app.as('ann')).ask('PATCH', `/api/share/${hash}`, { body: '{"password":"a new password"}' }),
    'when its owner is deleted': (app, { userID }) => app.parts.accounts.remove(userID),
    'when its owner may no longer share': (app, { userID }) =>
      changeUser(app.parts, userID, (user) => {
        user.perm = only('download')
      }),
    'when a rule blocks it': (app) =>
      change(app, (draft) => {
        draft.settings = { ...draft.settings, rules: [deny('/d')] }
      }),
    'when it leaves the scope of its owner': (app, { userID }) =>
      changeUser(app.parts, userID, (user) => {
        user.scope = '/elsewhere'
      }),
  }
  for (const [what, withdraw] of Object.entries(withdrawals)) {
    for (const kind of ['/large.bin', '?algo=tar'])
      test(`${what}: ${kind}`, async (t) => {
        const { app, made } = await withLargeFile(t)
        const download = await openDownload({ port: app.port, address: `/api/public/dl/${made.hash}${kind}` })
        assert.equal(download.status, 200)
        await withdraw(app, made)
        assert.ok((await download.rest()) < large)
      })
  }

  test('and goes on when other things change, when the link expires and when the file is saved', async (t) => {
    const { app, ann } = await withLargeFile(t)
    const { hash } = await share(ann, '/d/large.bin', { expires: 10, unit: 'seconds' })
    const download = await openDownload({ port: app.port, address: `/api/public/dl/${hash}` })
    await share(ann, '/d/small.txt')
    await change(app, (draft) => {
      draft.settings = { ...draft.settings, rules: [deny('/elsewhere')] }
    })
    app.clock.advance({ seconds: 20 })
    // This removes the expired one.
    await share(ann, '/d/small.txt', { expires: 1, unit: 'hours' })
    await ann.save('/d/large.bin', 'saved')
    assert.ok((await download.rest()) > large)
  })
})

describe('one address may have at once', () => {
  const kinds: Record<string, { kind: LimitedKind; atOnce: number; waiting: number; address: string }> = {
    'one search': { kind: 'linkSearches', atOnce: 1, waiting: 1, address: '/api/public/search/:hash?query=s' },
    'one archive': { kind: 'linkArchives', atOnce: 1, waiting: 1, address: '/api/public/dl/:hash?algo=zip' },
    'two previews': {
      kind: 'linkPreviews',
      atOnce: 2,
      waiting: 64,
      address: '/api/public/preview/thumb/:hash/red.png?inline=true',
    },
  }
  for (const [what, { kind, atOnce, waiting, address }] of Object.entries(kinds)) {
    test(`${what}, and others are not kept from theirs`, async (t) => {
      const red = await picture('png', 20, 20)
      const app = await startApp(t, { files: { 'd/red.png': red, 'd/s.txt': '' } })
      const { hash } = await share(await app.as('ann'), '/d')
      const operation = new Operation()
      const { limits } = app.parts.api
      const enter = () => limits.enter(kind, '127.0.0.1', operation)
      for (let count = 0; count < atOnce; count++) await enter()
      const queued = Array.from({ length: waiting }, () => enter().catch(() => {}))
      const ask = () => rawRequest({ port: app.port, method: 'GET', address: address.replace(':hash', hash) })
      assert.equal((await ask()).status, 503)
      const other = await openDownload({ port: app.port, address: address.replace(':hash', hash), from: '127.0.0.2' })
      assert.equal(other.status, 200)
      other.close()
      operation.abort()
      await Promise.all(queued)
      await operation.end()
      assert.equal((await ask()).status, 200)
    })
  }

  test('what it likes besides as a user: their limits are their own', async (t) => {
    const app = await startApp(t, { files: { 'd/s.txt': '' } })
    const operation = new Operation()
    t.after(() => operation.end())
    await app.parts.api.limits.enter('linkSearches', '127.0.0.1', operation)
    const ann = await app.as('ann')
    assert.equal((await ann.ask('GET', '/api/search/?query=s')).status, 200)
  })
})
