// What is withdrawn while a request still finds out who asks.
import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { Ends } from '../../src-server/base/ends.ts'
import { Operation } from '../../src-server/base/operation.ts'
import type { Path } from '../../src-server/base/paths.ts'
import { Shares } from '../../src-server/shares/shares.ts'
import type { State } from '../../src-server/state/state.ts'
import { AccessRevocation, type AccountNews } from '../../src-server/users/access-revocation.ts'
import { StoppedClock } from '../support/clock.ts'
import { openLive } from '../support/live-client.ts'
import { openDownload } from '../support/open-download.ts'
import { share } from '../support/share-calls.ts'
import { startAnn } from '../support/start-ann.ts'
import { only, startApp, type TestApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'

/** Does something once, after a record was read and before whoever asked has it. */
function meanwhile(state: State, read: 'session' | 'link', work: () => Promise<unknown>) {
  const usual = state[read].bind(state) as (key: string) => Promise<never>
  state[read] = async (key: string) => {
    state[read] = usual
    const view = await usual(key)
    await work()
    return view
  }
}

const idOf = ({ parts }: TestApp, name: string) => userIn(parts.state, name)?.id ?? assert.fail()
const endSession = (app: TestApp) => app.parts.accounts.signOutEverywhere(idOf(app, 'ann'))
const withdraw = (app: TestApp) =>
  changeUser(app.parts, idOf(app, 'ann'), (user) => {
    user.perm = only('create')
  })

describe('a request of a person does nothing', () => {
  for (const [what, change, status] of [
    ['the session ends', endSession, 401],
    ['the user is removed', (app: TestApp) => app.parts.accounts.remove(idOf(app, 'ann')), 401],
    ['a permission is withdrawn', withdraw, 403],
  ] as const) {
    test(`when ${what} while it is authenticated: it gets ${status}`, async (t) => {
      const app = await startApp(t, {
        files: { 'a.txt': 'content' },
        users: { ann: { perm: allPermissions }, root: { perm: allPermissions } },
      })
      for (const [method, address, body] of [
        ['GET', '/api/raw/a.txt', undefined],
        ['DELETE', '/api/resources/a.txt', undefined],
        // Calls that may change their own rights go on for a while.
        ['PUT', '/api/settings', '{"signup":true}'],
      ] as const) {
        const ann =
          userIn(app.parts.state, 'ann') ?? (await app.parts.accounts.create({ username: 'ann', password: 'a long password' }))
        await changeUser(app.parts, ann.id, (user) => {
          user.perm = allPermissions
        })
        const calls = await app.as('ann')
        meanwhile(app.parts.state, 'session', () => change(app))
        assert.equal((await calls.ask(method, address, body === undefined ? {} : { body })).status, status, address)
      }
      assert.equal((await (await app.as('root')).ask('GET', '/api/raw/a.txt')).status, 200)
      assert.equal((await app.parts.state.settings()).signup, false)
    })
  }

  test('but goes on when something else changes meanwhile, and still ends when it is withdrawn later', async (t) => {
    const app = await startApp(t, { users: { ann: {}, bob: {} } })
    await writeFile(join(app.root, 'large.bin'), '')
    await truncate(join(app.root, 'large.bin'), large)
    const headers = { 'X-Auth': (await app.as('ann')).token ?? '' }
    meanwhile(app.parts.state, 'session', () => app.parts.accounts.remove(idOf(app, 'bob')))
    const download = await openDownload({ port: app.port, address: '/api/raw/large.bin', headers })
    assert.equal(download.status, 200)
    await withdraw(app)
    assert.ok((await download.rest()) < large)
  })
})

/** Far more than the system buffers for a client that does not read. */
const large = 256 << 20

describe('a request of a visitor finds nothing', () => {
  for (const [what, change] of [
    ['the link is removed', ({ parts }: TestApp, hash: string) => parts.state.run('removeLinks', { hashes: [hash] })],
    ['its owner may no longer share', withdraw],
    ['its owner is removed', (app: TestApp) => app.parts.accounts.remove(idOf(app, 'ann'))],
  ] as const) {
    test(`when ${what} while it is looked up`, async (t) => {
      const app = await startApp(t, { files: { 'a.txt': 'content' }, users: { ann: {}, root: { perm: allPermissions } } })
      const { hash } = await share(await app.as('ann'), '/a.txt')
      meanwhile(app.parts.state, 'link', () => change(app, hash))
      assert.equal((await app.principal().ask('GET', `/api/public/dl/${hash}`)).status, 404)
    })
  }

  test('but the file when another link is removed meanwhile', async (t) => {
    const app = await startApp(t, { files: { 'a.txt': 'content', 'b.txt': '' } })
    const ann = await app.as('ann')
    const [{ hash }, other] = [await share(ann, '/a.txt'), await share(ann, '/b.txt')]
    meanwhile(app.parts.state, 'link', () => app.parts.state.run('removeLinks', { hashes: [other.hash] }))
    assert.equal(await (await app.principal().ask('GET', `/api/public/dl/${hash}`)).text(), 'content')
  })
})

describe('an open page', () => {
  test('has the view of the moment until its session ends', async (t) => {
    const { state, accounts, ann, clock, signIn } = await startAnn(t)
    const { token } = await signIn.loginByProxy('ann')
    const me = (await signIn.identify(token)) ?? assert.fail()
    const revocation = new AccessRevocation({ state, clock, ends: new Ends(clock) })
    const operation = new Operation()
    t.after(() => operation.end())
    const viewNow = await revocation.follow(me, operation, () => {})
    assert.deepEqual(viewNow(), await state.session(me.session.id))
    await changeUser({ accounts, state }, ann.id, (user) => {
      user.perm = only('download')
    })
    assert.deepEqual(viewNow(), await state.session(me.session.id))
    clock.advance({ days: 31 })
    assert.equal(viewNow(), undefined)
  })

  test('is told of the end of a session that ended while its socket was opened', async (t) => {
    const app = await startApp(t)
    const { token } = await app.as('ann')
    // The first is read for the request, the second once the socket is there.
    meanwhile(app.parts.state, 'session', async () => meanwhile(app.parts.state, 'session', () => endSession(app)))
    const client = await openLive(app, token)
    await client.next('ended')
    assert.equal(await client.closed, 1000)
  })

  for (const [what, when] of [
    ['before it is followed', 'before'],
    ['while it begins to be followed', 'while'],
  ] as const) {
    test(`is told of what changed ${what}, and of nothing when nothing did`, async (t) => {
      const { state, accounts, ann, clock, signIn } = await startAnn(t)
      const { token } = await signIn.loginByProxy('ann')
      const me = (await signIn.identify(token)) ?? assert.fail()
      const revocation = new AccessRevocation({ state, clock, ends: new Ends(clock) })
      const told: AccountNews[] = []
      const operation = new Operation()
      t.after(() => operation.end())
      await revocation.follow(me, operation, (news) => told.push(news))
      assert.equal(told.length, 0)
      const change = async () => {
        await changeUser({ accounts, state }, ann.id, (user) => {
          user.perm = only('download')
        })
        await state.run('addLink', { link: linkOf(ann.id), most: 10, now: 0 })
      }
      await operation.end()
      const later = new Operation()
      t.after(() => later.end())
      if (when === 'before') await change()
      else meanwhile(state, 'session', change)
      await revocation.follow(me, later, (news) => told.push(news))
      assert.deepEqual(told, when === 'before' ? ['account'] : ['account', 'links'])
      await accounts.signOutEverywhere(ann.id)
      assert.equal(told.at(-1), 'ended')
    })
  }
})

const linkOf = (userId: number, identity = '') => ({
  ...{ hash: 'hash', userId, path: '/a.txt' as Path, isDir: false, identity, expire: 0, createdAt: 0 },
})

test('a save that ends while a link is compared with its file does not end the link', async (t: TestContext) => {
  const { state, ann } = await startAnn(t)
  const link = await state.run('addLink', { link: linkOf(ann.id, 'old'), most: 10, now: 0 })
  const shares = new Shares({ state, clock: new StoppedClock() })
  const over = shares.allowReplacing([link])
  const isSame = shares.isSame(link, 'new')
  await shares.change([['hash', { identity: 'new' }]])
  over()
  assert.equal(await isSame, true)
  assert.deepEqual([await shares.isSame(link, 'new'), await shares.isSame(link, 'old')], [true, false])
})

test('what is gathered while something is read is what was told meanwhile, and no more', async (t) => {
  const { state, accounts, ann } = await startAnn(t)
  const gathered = state.feed.gather()
  const change = (locale: string) => accounts.change(ann.id, { locale })
  await change('de')
  assert.equal(gathered().length, 1)
  await change('fr')
  assert.equal(gathered().length, 1)
})
