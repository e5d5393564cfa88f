// Public links, as their owners make, see and delete them.

import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { allPermissions, type Permissions } from '../../src-server/access/permissions.ts'
import type { Share } from '../../src-server/contract/shares.ts'
import { askShare, downloaded, readShare, share, sharesOf } from '../support/share-calls.ts'
import { allow, deny, only, startApp, type TestUser, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'

const files = { 'a.txt': 'a', 'd/b.txt': 'b', 'd/secret/c.txt': 'c', 'other/x': 'x' }
const gone = [404, '404 Not Found\n']

describe('a link', () => {
  test('has 128 random bits, and names what it leads to, its owner and its end', async (t) => {
    const app = await startApp(t, { files })
    const ann = await app.as('ann')
    const made = await share(ann, '/d')
    const userID = userIn(app.parts.state, 'ann')?.id
    const created = Math.floor(app.clock.now() / 1000)
    const { hash, ...rest } = made
    const plain = { hasPassword: false, note: '', downloads: 0 }
    assert.deepEqual(rest, { path: '/d', userID, expire: 0, name: 'd', isDir: true, username: 'ann', created, ...plain })
    assert.match(hash, /^[\w-]{22}$/)
    assert.deepEqual(await sharesOf(ann, '/d'), [made])
    assert.deepEqual(await sharesOf(ann, '/d/'), [made])
    assert.deepEqual(await sharesOf(ann, '/a.txt'), [])
    assert.deepEqual(await sharesOf(ann, '/missing'), [])
    assert.deepEqual(app.events, ['share'])
  })

  test('is permanent without an expiry, and the next permanent one of the path is the same', async (t) => {
    const app = await startApp(t, { files, users: { ann: {}, bob: {} } })
    const [ann, bob] = [await app.as('ann'), await app.as('bob')]
    const [first, second, third] = await Promise.all([share(ann, '/d'), share(ann, '/d'), share(ann, '/d', { expires: '' })])
    assert.deepEqual([second, third], [first, first])
    assert.notEqual((await share(bob, '/d')).hash, first.hash)
    assert.notEqual((await share(ann, '/d', { expires: 1 })).hash, first.hash)
    assert.equal((await ann.ask('DELETE', `/api/share/${first.hash}`)).status, 200)
    assert.notEqual((await share(ann, '/d')).hash, first.hash)
  })

  for (const [what, body, query, seconds] of [
    ['hours when no unit is given', {}, 'expires=2', 2 * 3600],
    ['seconds', {}, 'expires=30&unit=seconds', 30],
    ['minutes', { expires: '5', unit: 'minutes' }, '', 300],
    ['days', { expires: 3, unit: 'days' }, '', 3 * 86_400],
    ['the largest value', { expires: 2_147_483_647, unit: 'days' }, '', 2_147_483_647 * 86_400],
    ['a unit that is none of the four', {}, 'expires=1&unit=weeks', 3600],
    ['the body rather than the query', { expires: 1, unit: 'days' }, 'expires=9&unit=seconds', 86_400],
  ] as const) {
    test(`expires after ${what}`, async (t) => {
      const app = await startApp(t, { files })
      const { expire } = await share(await app.as('ann'), '/a.txt', body, query)
      assert.equal(expire, Math.floor(app.clock.now() / 1000) + seconds)
    })
  }

  test('leads nowhere from the second on in which it expires, and is no longer listed', async (t) => {
    const app = await startApp(t, { files })
    const ann = await app.as('ann')
    const { hash } = await share(ann, '/a.txt', {}, 'expires=10&unit=seconds')
    const atOnce = await share(ann, '/a.txt', {}, 'expires=0')
    assert.deepEqual(await downloaded(app.principal(), atOnce.hash), gone)
    app.clock.advance({ seconds: 9 })
    assert.deepEqual(await downloaded(app.principal(), hash), [200, 'a'])
    app.clock.advance({ seconds: 1 })
    assert.deepEqual(await downloaded(app.principal(), hash), gone)
    assert.deepEqual(await sharesOf(ann, '/a.txt'), [])
    assert.equal((await ann.ask('DELETE', `/api/share/${hash}`)).status, 404)
    await share(ann, '/a.txt')
    assert.equal(app.parts.state.data.links?.length, 1)
  })

  test('survives a restart, and a state without links opens', async (t) => {
    const app = await startApp(t, { files })
    assert.deepEqual(app.parts.state.data.links, [])
    const { hash } = await share(await app.as('ann'), '/a.txt')
    const stored = JSON.parse(await readFile(join(app.folder, 'state.json'), 'utf8'))
    assert.deepEqual(Object.keys(stored.links[0]), ['userId', 'path', 'isDir', 'identity', 'expire', 'hash', 'createdAt'])
    assert.equal(stored.links[0].hash, hash)
  })
})

describe('making a link is refused', () => {
  for (const [what, path, body, query, status] of [
    ['of nothing', '/missing', {}, '', 404],
    ['of what the rules block', '/d/secret', {}, '', 403],
    ['below what the rules block', '/d/secret/c.txt', {}, '', 403],
    ['out of the scope', '/..%2fother', {}, '', 400],
    ['with a negative expiry', '/a.txt', { expires: -1 }, '', 400],
    ['with more than the largest expiry', '/a.txt', {}, 'expires=2147483648', 400],
    ['with an expiry that is no number', '/a.txt', { expires: 'soon' }, '', 400],
    ['with half an hour', '/a.txt', { expires: 0.5 }, '', 400],
    ['with an expiry that is a list', '/a.txt', { expires: ['1'] }, '', 400],
  ] as const) {
    test(what, async (t) => {
      const app = await startApp(t, { files, users: { ann: { rules: [deny('/d/secret')] } } })
      const ann = await app.as('ann')
      const answer = path.includes('%')
        ? await ann.ask('POST', `/api/share${path}`, { body: '{}' })
        : await askShare(ann, path, body, query)
      assert.equal(answer.status, status, await answer.text())
      assert.deepEqual(app.parts.state.data.links, [])
    })
  }

  for (const missing of ['share', 'download'] as const) {
    test(`without the right to ${missing}`, async (t) => {
      const perm: Permissions = { ...usual, [missing]: false }
      const app = await startApp(t, { files, users: { ann: { perm } } })
      assert.equal((await askShare(await app.as('ann'), '/a.txt')).status, 403)
    })
  }

  test('of a link that leads out, and of a broken one', async (t) => {
    const app = await startApp(t, { files, users: { ann: { scope: '/d' } } })
    symlinkSync('../other', join(app.root, 'd/out'))
    symlinkSync('nowhere', join(app.root, 'd/broken'))
    const ann = await app.as('ann')
    assert.equal((await askShare(ann, '/out')).status, 403)
    assert.equal((await askShare(ann, '/out/x')).status, 403)
    assert.equal((await askShare(ann, '/broken')).status, 404)
  })

  test('when a user has as many as one may have', async (t) => {
    const app = await startApp(t, { files })
    const ann = await app.as('ann')
    const userId = userIn(app.parts.state, 'ann')?.id ?? 0
    await app.parts.state.change('other', (draft) => {
      const link = { userId, path: '/d', isDir: true, identity: '', expire: 0, createdAt: 0 }
      draft.links = Array.from({ length: 10_000 }, (_, index) => ({ ...link, hash: `h${index}` }))
    })
    assert.equal((await askShare(ann, '/a.txt')).status, 409)
    assert.equal((await ann.ask('DELETE', '/api/share/h7')).status, 200)
    await share(ann, '/a.txt')
  })
})

test('a link made through a symbolic link leads to the true path, whose rules hold', async (t) => {
  const app = await startApp(t, { files, users: { ann: { rules: [deny('/d/secret')] } } })
  symlinkSync('d', join(app.root, 'linked'))
  const ann = await app.as('ann')
  const made = await share(ann, '/linked')
  assert.equal(made.path, '/d')
  assert.deepEqual(await sharesOf(ann, '/linked'), [made])
  assert.deepEqual(
    (await readShare(app.principal(), made.hash)).items?.map(({ name }) => name),
    ['b.txt'],
  )
  assert.equal((await share(ann, '/linked/b.txt')).path, '/d/b.txt')
  assert.deepEqual(await downloaded(app.principal(), made.hash, '/secret/c.txt'), gone)
})

describe('links of others', () => {
  const users = { ann: {}, bob: { scope: '/d' }, root: { perm: allPermissions } }

  test('are seen and deleted by administrators alone', async (t) => {
    const app = await startApp(t, { files, users })
    const [ann, bob, root] = [await app.as('ann'), await app.as('bob'), await app.as('root')]
    const [ofAnn, ofBob] = [await share(ann, '/d/b.txt'), await share(bob, '/b.txt')]
    const hashes = (links: Share[]) => links.map(({ hash }) => hash)
    assert.deepEqual(hashes(await sharesOf(ann)), [ofAnn.hash])
    assert.deepEqual(hashes(await sharesOf(ann, '/d/b.txt')), [ofAnn.hash])
    assert.deepEqual(hashes(await sharesOf(root, '/d/b.txt')), [ofAnn.hash, ofBob.hash])
    assert.deepEqual(
      (await sharesOf(root)).map(({ path, username }) => [path, username]),
      [
        ['/d/b.txt', 'ann'],
        ['/d/b.txt', 'bob'],
      ],
    )
    assert.equal((await bob.ask('DELETE', `/api/share/${ofAnn.hash}`)).status, 404)
    assert.equal((await bob.ask('DELETE', '/api/share/unknown')).status, 404)
    assert.deepEqual(await downloaded(app.principal(), ofAnn.hash), [200, 'b'])
    assert.equal((await root.ask('DELETE', `/api/share/${ofAnn.hash}`)).status, 200)
    assert.deepEqual(await downloaded(app.principal(), ofAnn.hash), gone)
    assert.deepEqual(await downloaded(app.principal(), ofBob.hash), [200, 'b'])
  })

  test('deleting the links of a folder is no matter of how its path begins', async (t) => {
    const app = await startApp(t, { files: { 'a/x': '', 'abc/x': '' }, users })
    const [ann, root] = [await app.as('ann'), await app.as('root')]
    const long = await share(ann, '/abc')
    const short = await share(root, '/a')
    assert.equal((await root.ask('DELETE', `/api/share/${short.hash}`)).status, 200)
    assert.deepEqual(await sharesOf(ann), [long])
  })
})

describe('a link leads nowhere', () => {
  const withdrawals: Record<string, TestUser> = {
    'when its owner may no longer share': { perm: only('download') },
    'when its owner may no longer download': { perm: only('share') },
    'when its owner got another scope': { scope: '/other' },
    'when a rule blocks it': { rules: [deny('/d')] },
    'when a rule blocks the file': { rules: [deny('/d/b.txt')] },
  }
  for (const [what, changed] of Object.entries(withdrawals)) {
    test(what, async (t) => {
      const app = await startApp(t, { files })
      const { hash, userID } = await share(await app.as('ann'), '/d/b.txt')
      assert.deepEqual(await downloaded(app.principal(), hash), [200, 'b'])
      await changeUser(app.parts, userID, (user) => Object.assign(user, changed))
      assert.deepEqual(await downloaded(app.principal(), hash), gone)
    })
  }

  test('when its owner was deleted', async (t) => {
    const app = await startApp(t, { files, users: { ann: {}, root: { perm: allPermissions } } })
    const { hash, userID } = await share(await app.as('ann'), '/a.txt')
    await app.parts.accounts.remove(userID)
    assert.deepEqual(await downloaded(app.principal(), hash), gone)
  })

  test('when a global rule blocks it, and again somewhere when an own rule allows it', async (t) => {
    const app = await startApp(t, { files })
    const { hash, userID } = await share(await app.as('ann'), '/d')
    await app.parts.state.change('other', (draft) => {
      draft.settings = { ...draft.settings, rules: [deny('/d')] }
    })
    assert.deepEqual(await downloaded(app.principal(), hash, '/b.txt'), gone)
    await changeUser(app.parts, userID, (user) => {
      user.rules = [allow('/d')]
    })
    assert.deepEqual(await downloaded(app.principal(), hash, '/b.txt'), [200, 'b'])
  })

  test('when something else has the name, and somewhere again when the same thing has come back', async (t) => {
    const app = await startApp(t, { files })
    const ann = await app.as('ann')
    const [file, folder] = [await share(ann, '/a.txt'), await share(ann, '/d')]
    const at = (name: string) => join(app.root, name)
    await rename(at('a.txt'), at('kept.txt'))
    await rename(at('d'), at('kept'))
    assert.deepEqual(await downloaded(app.principal(), file.hash), gone)
    await writeFile(at('a.txt'), 'another')
    await rename(at('other'), at('d'))
    assert.deepEqual(await downloaded(app.principal(), file.hash), gone)
    assert.deepEqual(await downloaded(app.principal(), folder.hash, '/x'), gone)
    await rm(at('a.txt'))
    await rename(at('d'), at('other'))
    symlinkSync('kept', at('d'))
    symlinkSync('kept.txt', at('a.txt'))
    assert.deepEqual(await downloaded(app.principal(), folder.hash, '/b.txt'), gone)
    assert.deepEqual(await downloaded(app.principal(), file.hash), gone)
    await rm(at('a.txt'))
    await rm(at('d'))
    await rename(at('kept.txt'), at('a.txt'))
    await rename(at('kept'), at('d'))
    assert.deepEqual(await downloaded(app.principal(), file.hash), [200, 'a'])
    assert.deepEqual(await downloaded(app.principal(), folder.hash, '/b.txt'), [200, 'b'])
  })
})
