// What a signed-in person has begun ends when the session or the rights do.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { UserDraft } from '../../src-server/state/state-data.ts'
import { openDownload } from '../support/open-download.ts'
import { deny, only, password, startApp, type TestApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

/** Far more than the system buffers for a client that does not read. */
const large = 256 << 20

async function withLargeFile(t: TestContext) {
  const app = await startApp(t, { files: { 'd/small.txt': 'small' }, users: { ann: {}, bob: {} } })
  await writeFile(join(app.root, 'd/large.bin'), '')
  await truncate(join(app.root, 'd/large.bin'), large)
  return app
}

const idOf = ({ parts }: TestApp, name: string) => userIn(parts.state, name)?.id ?? 0
const change = (app: TestApp, edit: (user: UserDraft) => void) => changeUser(app.parts, idOf(app, 'ann'), edit)
const rule = (app: TestApp, path: string) =>
  app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules: [deny(path)] }
  })

const withdrawals: Record<string, (app: TestApp, signOut: () => Promise<unknown>) => Promise<unknown>> = {
  'the session ends': (_app, signOut) => signOut(),
  'the person is deleted': (app) => app.parts.accounts.remove(idOf(app, 'ann')),
  'a permission is withdrawn': (app) =>
    change(app, (user) => {
      user.perm = only('share')
    }),
  'the scope changes': (app) =>
    change(app, (user) => {
      user.scope = '/elsewhere'
    }),
  'a rule of the person is added': (app) =>
    change(app, (user) => {
      user.rules = [deny('/d')]
    }),
  'a rule for everybody is added': (app) => rule(app, '/d'),
}

describe('a running download ends at once', () => {
  for (const [what, withdraw] of Object.entries(withdrawals)) {
    for (const address of ['/api/raw/d/large.bin', '/api/raw/d/?algo=tar'])
      test(`when ${what}: ${address}`, async (t) => {
        const app = await withLargeFile(t)
        const ann = await app.as('ann')
        const download = await openDownload({ port: app.port, address, headers: { 'X-Auth': ann.token ?? '' } })
        assert.equal(download.status, 200)
        await withdraw(app, () => ann.ask('POST', '/api/logout'))
        assert.ok((await download.rest()) < large)
      })
  }

  test('and goes on when nothing is taken away', async (t) => {
    const app = await withLargeFile(t)
    await change(app, (user) => {
      user.perm = only('download')
    })
    const [ann, again, bob] = [await app.as('ann'), await app.as('ann'), await app.as('bob')]
    const headers = { 'X-Auth': ann.token ?? '' }
    const download = await openDownload({ port: app.port, address: '/api/raw/d/large.bin', headers })
    await again.ask('POST', '/api/logout')
    await bob.ask('POST', '/api/logout')
    await app.parts.accounts.remove(idOf(app, 'bob'))
    await change(app, (user) => {
      user.perm = usual
      user.locale = 'de'
    })
    assert.ok((await download.rest()) > large)
  })

  test('and goes on when the session ends by time, also when somebody signs in later', async (t) => {
    const app = await withLargeFile(t)
    const headers = { 'X-Auth': (await app.as('ann')).token ?? '' }
    const download = await openDownload({ port: app.port, address: '/api/raw/d/large.bin', headers })
    app.clock.advance({ hours: 3 })
    await app.as('bob')
    assert.equal((await app.principal().ask('GET', '/api/resources/', { headers })).status, 401)
    assert.ok((await download.rest()) > large)
  })

  for (const [what, withdraw] of [
    ['a right is withdrawn', (app: TestApp) => withdrawals['a permission is withdrawn']?.(app, async () => {})],
    ['everybody is signed out', (app: TestApp) => app.parts.accounts.signOutEverywhere(idOf(app, 'ann'))],
    ['the password is changed', (app: TestApp) => app.parts.accounts.changePassword(idOf(app, 'ann'), 'a new long password')],
  ] as const) {
    test(`but not when ${what} after that`, async (t) => {
      const app = await withLargeFile(t)
      const headers = { 'X-Auth': (await app.as('ann')).token ?? '' }
      const download = await openDownload({ port: app.port, address: '/api/raw/d/large.bin', headers })
      app.clock.advance({ hours: 3 })
      await app.as('bob')
      await withdraw(app)
      assert.ok((await download.rest()) < large)
    })
  }
})

describe('a request that withdraws its own rights is answered', () => {
  const admin = { users: { root: { perm: allPermissions }, ann: {} } }
  const asRoot = async (t: TestContext) => {
    const app = await startApp(t, { ...admin, files: { 'd/a.txt': '' } })
    const root = await app.as('root')
    const send = async (method: string, address: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await root.ask(method, address, { headers, body: JSON.stringify({ ...body, current_password: password }) })
      await answer.text()
      return answer
    }
    return { app, root, send }
  }

  test('a sign-out, with the cookie of the browser removed', async (t) => {
    const { root } = await asRoot(t)
    const answer = await root.ask('POST', '/api/logout')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('set-cookie') ?? '', /Max-Age=0/)
  })

  test('a rule for everybody', async (t) => {
    const { send } = await asRoot(t)
    assert.equal((await send('PUT', '/api/settings', { rules: [deny('/d')] })).status, 200)
  })

  test('own permissions', async (t) => {
    const { app, send } = await asRoot(t)
    await changeUser(app.parts, idOf(app, 'ann'), (user) => {
      user.perm = allPermissions
    })
    const data = { id: idOf(app, 'root'), perm: only('download') }
    const answer = await send('PUT', `/api/users/${data.id}`, { what: 'user', which: ['perm'], data })
    assert.equal(answer.status, 200)
  })

  test('the other sessions, of which one downloads', async (t) => {
    const { app, root } = await asRoot(t)
    await writeFile(join(app.root, 'd/large.bin'), '')
    await truncate(join(app.root, 'd/large.bin'), large)
    const headers = { 'X-Auth': (await app.as('root')).token ?? '' }
    const download = await openDownload({ port: app.port, address: '/api/raw/d/large.bin', headers })
    assert.equal((await root.ask('DELETE', '/api/sessions')).status, 200)
    assert.ok((await download.rest()) < large)
    assert.equal((await root.get('/')).status, 200)
  })
})

/** An upload whose content is sent by and by. */
async function beginUpload(app: TestApp, token: string | undefined) {
  let hasBegun = false
  app.parts.events.before(() => {
    hasBegun = true
  })
  const headers = { 'X-Auth': token ?? '', 'Content-Type': 'application/octet-stream', 'Content-Length': 10 }
  const sent = request(`${app.url}/api/resources/new.txt`, { method: 'POST', headers })
  const status = new Promise<number | string>((resolve) => {
    sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', () => resolve('cut'))
  })
  sent.write('12345')
  await until(() => hasBegun, 'it is authorised')
  return { status, finish: () => void sent.end('67890') }
}

describe('an upload whose right is withdrawn gets no name', () => {
  for (const what of ['the session ends', 'a permission is withdrawn', 'a rule for everybody is added']) {
    test(`when ${what} while it arrives, it is cut off`, async (t) => {
      const app = await withLargeFile(t)
      const ann = await app.as('ann')
      const upload = await beginUpload(app, ann.token)
      await withdrawals[what]?.(app, () => ann.ask('POST', '/api/logout'))
      upload.finish()
      assert.equal(await upload.status, 'cut')
      await until(() => readdirSync(app.root).join() === 'd', 'nothing is left of it')
    })
  }

  test('it is kept when nothing is taken away meanwhile', async (t) => {
    const app = await withLargeFile(t)
    const ann = await app.as('ann')
    const upload = await beginUpload(app, ann.token)
    await change(app, (user) => {
      user.locale = 'de'
    })
    upload.finish()
    assert.equal(await upload.status, 200)
    assert.deepEqual(readdirSync(app.root).sort(), ['d', 'new.txt'])
  })
})
