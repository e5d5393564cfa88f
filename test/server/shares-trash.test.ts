// Links to what goes into the trash lead nowhere meanwhile, lead to it again when it is back, and end when it is removed for good.
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type Path, parsePath } from '../../src-server/base/paths.ts'
import { type Event, Events, type FileAct } from '../../src-server/events/events.ts'
import { followChanges } from '../../src-server/shares/follow-changes.ts'
import type { ObjectIdentities } from '../../src-server/shares/object-identities.ts'
import { Shares } from '../../src-server/shares/shares.ts'
import { TrashedLinks } from '../../src-server/shares/trashed-links.ts'
import type { StoredLink } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { downloaded, share, sharesOf } from '../support/share-calls.ts'
import { only, startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const files = { 'd/b.txt': 'b', 'd/sub/c.txt': 'c', 'other.txt': 'other' }
const gone = [404, '404 Not Found\n']
const [x, y] = ['0123456789abcdef'.repeat(2), 'f'.repeat(32)]
const about = { isDir: false, by: { id: 1, name: 'ann' }, address: '', way: 'page' } as const

/** A server whose trash is a folder beside the served one, in which an entry is a file or folder named by its id. */
async function start(t: TestContext) {
  const app = await startApp(t, { files, users: { ann: {}, bob: {} } })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  const at = (path: string) => join(app.root, path)
  const [stranger, trash] = [app.principal(), join(app.folder, 'trash')]
  mkdirSync(trash)
  const tell = (
    act: Omit<FileAct, 'path' | 'to' | 'isDir'> & { path: string; to?: string; isDir?: boolean },
    work = () => {},
  ) => {
    const [path, to] = [parsePath(act.path), act.to === undefined ? {} : { to: parsePath(act.to) }]
    return app.parts.events.around({ ...about, ...act, path, ...to } as Event, async () => work())
  }
  const remove = (path: string, item: string) =>
    tell({ kind: 'delete', path, trash: item }, () => renameSync(at(path), join(trash, item)))
  const restore = (path: string, item: string, to = path, isDir = false) =>
    tell({ kind: 'restore', path, to, trash: item, isDir }, () => {
      mkdirSync(dirname(at(to)), { recursive: true })
      rmSync(at(to), { recursive: true, force: true })
      renameSync(join(trash, item), at(to))
    })
  const links = () => (app.parts.state.data.links ?? []) as readonly StoredLink[]
  return {
    app,
    ann,
    bob,
    at,
    tell,
    remove,
    restore,
    links,
    dl: (hash: string, rest?: string) => downloaded(stranger, hash, rest),
  }
}

describe('a link to what is in the trash', () => {
  test('leads nowhere, is shown to its owner as such, and leads there again afterwards', async (t) => {
    const { ann, remove, restore, dl } = await start(t)
    const made = await share(ann, '/d/b.txt')
    await remove('/d/b.txt', x)
    assert.deepEqual(await dl(made.hash), gone)
    const shown = [{ ...made, inTrash: true }]
    assert.deepEqual([await sharesOf(ann), await sharesOf(ann, '/d/b.txt')], [shown, shown])
    await restore('/d/b.txt', x)
    assert.deepEqual(await sharesOf(ann), [made])
    assert.deepEqual(await dl(made.hash), [200, 'b'])
  })

  test('is suspended before the entry goes there', async (t) => {
    const { ann, tell, links } = await start(t)
    await share(ann, '/d/b.txt')
    await tell({ kind: 'delete', path: '/d', trash: x }, () => assert.equal(links()[0]?.suspended, x))
  })

  test('follows it to another name, with the links to what is below it', async (t) => {
    const { ann, remove, restore, dl } = await start(t)
    const [folder, below] = [await share(ann, '/d'), await share(ann, '/d/sub/c.txt')]
    await remove('/d', x)
    assert.deepEqual([await dl(folder.hash, '/b.txt'), await dl(below.hash)], [gone, gone])
    await restore('/d', x, '/new/d (1)', true)
    assert.deepEqual(await dl(folder.hash, '/b.txt'), [200, 'b'])
    assert.deepEqual(await dl(below.hash), [200, 'c'])
    const paths = (await sharesOf(ann)).map(({ path }) => path).sort()
    assert.deepEqual(paths, ['/new/d (1)', '/new/d (1)/sub/c.txt'])
  })

  test('leads to it where it is put back, also when the folder that it was in has moved', async (t) => {
    const { ann, bob, remove, restore, dl } = await start(t)
    const { hash } = await share(ann, '/d/b.txt')
    await remove('/d/b.txt', x)
    assert.equal((await bob.move('/d', '/moved')).status, 200)
    await restore('/d/b.txt', x)
    assert.deepEqual(await dl(hash), [200, 'b'])
  })

  test('leads there as before when the deletion fails', async (t) => {
    const { ann, tell, dl, links } = await start(t)
    const { hash } = await share(ann, '/d/b.txt')
    const failing = () => {
      throw new Error('no')
    }
    await assert.rejects(tell({ kind: 'delete', path: '/d', trash: x }, failing))
    assert.deepEqual([await dl(hash), links()[0]?.suspended], [[200, 'b'], undefined])
  })

  test('ends when there turns out to be no trash, and when the entry is removed from it for good', async (t) => {
    const { app, ann, at, tell, remove, links } = await start(t)
    await share(ann, '/d/b.txt')
    const forGood = { ...about, kind: 'delete', path: parsePath('/d/b.txt'), trash: x } as const
    const learned = () => ({ trash: undefined })
    await app.parts.events.around(forGood, async () => rmSync(at('/d/b.txt')), learned)
    assert.deepEqual(links(), [])
    await share(ann, '/d/sub')
    const { hash } = await share(ann, '/other.txt')
    await remove('/d', x)
    await remove('/other.txt', y)
    await tell({ kind: 'purge', path: '/d', trash: x })
    assert.deepEqual(
      links().map((link) => link.hash),
      [hash],
    )
  })

  test('is not given again for what has its path now, and its owner can delete it', async (t) => {
    const { ann, remove, dl } = await start(t)
    const old = await share(ann, '/other.txt')
    await remove('/other.txt', x)
    await ann.upload('/other.txt', 'new')
    const made = await share(ann, '/other.txt')
    assert.notEqual(made.hash, old.hash)
    assert.deepEqual([await dl(old.hash), await dl(made.hash)], [gone, [200, 'new']])
    assert.equal((await ann.ask('DELETE', `/api/share/${old.hash}`)).status, 200)
    assert.deepEqual(await sharesOf(ann), [{ ...made, downloads: 1 }])
  })

  test('does not follow what has its path now', async (t) => {
    const { ann, bob, remove, restore, dl, links } = await start(t)
    const { hash } = await share(ann, '/other.txt')
    await remove('/other.txt', x)
    await ann.upload('/other.txt', 'new')
    await ann.save('/other.txt', 'saved')
    assert.equal((await bob.move('/other.txt', '/d/new.txt')).status, 200)
    assert.equal((await bob.remove('/d')).status, 200)
    assert.deepEqual(
      links().map(({ path, suspended }) => [path, suspended]),
      [['/other.txt', x]],
    )
    await restore('/other.txt', x)
    assert.deepEqual(await dl(hash), [200, 'other'])
  })

  test('stays ended when it has expired meanwhile, or its owner may share no more', async (t) => {
    const { app, ann, bob, remove, restore, dl } = await start(t)
    const expiring = await share(ann, '/d/b.txt', {}, 'expires=1&unit=minutes')
    const withdrawn = await share(bob, '/d/b.txt')
    await remove('/d/b.txt', x)
    app.clock.advance({ minutes: 2 })
    await changeUser(app.parts, userIn(app.parts.state, 'bob')?.id ?? 0, (user) => {
      user.perm = only('download')
    })
    await restore('/d/b.txt', x)
    assert.deepEqual([await dl(expiring.hash), await dl(withdrawn.hash)], [gone, gone])
    assert.deepEqual(await sharesOf(ann), [])
  })

  test('that led nowhere before does not lead to what comes back', async (t) => {
    const { ann, at, remove, restore, dl } = await start(t)
    const [stale, below] = [await share(ann, '/other.txt'), await share(ann, '/d/b.txt')]
    for (const name of ['other.txt', 'd/b.txt']) {
      writeFileSync(at('next'), 'another')
      renameSync(at('next'), at(name))
    }
    await remove('/other.txt', x)
    await restore('/other.txt', x)
    await remove('/d', y)
    await restore('/d', y, '/d', true)
    assert.deepEqual([await dl(stale.hash), await dl(below.hash)], [gone, gone])
  })

  test('comes back beside the link of the file that is replaced by it, which stays', async (t) => {
    const { ann, remove, restore, dl } = await start(t)
    const old = await share(ann, '/other.txt')
    await remove('/other.txt', x)
    await ann.upload('/other.txt', 'new')
    const made = await share(ann, '/other.txt')
    await restore('/other.txt', x)
    assert.deepEqual(
      [await dl(old.hash), await dl(made.hash)],
      [
        [200, 'other'],
        [200, 'other'],
      ],
    )
  })

  test('a link to what is replaced by a folder from the trash ends', async (t) => {
    const { ann, remove, restore, dl, links } = await start(t)
    const old = await share(ann, '/d')
    await remove('/d', x)
    await ann.upload('/d/b.txt', 'new')
    await share(ann, '/d/b.txt')
    await restore('/d', x, '/d', true)
    assert.deepEqual(await dl(old.hash, '/b.txt'), [200, 'b'])
    assert.deepEqual(
      links().map(({ hash }) => hash),
      [old.hash],
    )
  })
})

test('a link follows what people delete, put back and delete for good, and ends only then', async (t) => {
  const { ann, bob, dl, links } = await start(t)
  const made = await share(ann, '/d/b.txt')
  const removeAll = () => bob.remove('/d')
  const item = (await removeAll()).headers.get('holdall-trash') ?? ''
  assert.deepEqual([await dl(made.hash), links()[0]?.suspended], [gone, item])
  await ann.upload('/d/b.txt', 'another')
  assert.deepEqual(await dl(made.hash), gone)
  const body = (items: readonly string[], more = {}) => ({ body: JSON.stringify({ items, ...more }) })
  assert.equal((await bob.ask('POST', '/api/trash/restore', body([item], { taken: 'replace' }))).status, 200)
  assert.deepEqual(await dl(made.hash), [200, 'b'])
  const again = (await removeAll()).headers.get('holdall-trash') ?? ''
  assert.equal((await bob.ask('DELETE', '/api/trash', body([again]))).status, 200)
  assert.deepEqual(links(), [])
})

test('links of items that a killed server did not make lead to their object again after the start', async (t) => {
  const { app, ann, dl } = await start(t)
  const [{ hash }, other] = [await share(ann, '/d/b.txt'), await share(ann, '/other.txt')]
  await app.parts.state.run('suspendLinks', { hashes: [hash], item: x, instead: [] })
  assert.equal((await ann.remove('/other.txt')).status, 200)
  await app.parts.startTrash()
  assert.deepEqual(await dl(hash), [200, 'b'])
  assert.deepEqual(await dl(other.hash), gone)
  const trashed = (await sharesOf(ann)).filter(({ inTrash }) => inTrash)
  assert.deepEqual(
    trashed.map((one) => one.hash),
    [other.hash],
  )
})

/** Links in a state, over objects that are only named: path → identity. */
async function startNamed(t: TestContext, objects: Map<string, string>) {
  const { state } = (await startApp(t)).parts
  await state.change('other', (draft) => {
    const made = [...objects].map(([path, identity]) => ({ hash: `of${path.replaceAll('/', '-')}`, path, identity }))
    draft.links = made.map((link) => ({ ...link, userId: 1, isDir: false, expire: 0, createdAt: 0 }))
  })
  const identify = async (path: string) => objects.get(path)
  const objectIdentities: ObjectIdentities = {
    truePathOf: async (path) => (objects.has(path) ? path : undefined),
    hostPathOf: async () => undefined,
    identify,
    identifyAll: (paths) => Promise.all(paths.map(identify)),
  }
  const shares = new Shares({ state, clock: new StoppedClock(0) })
  const trashed = new TrashedLinks({ shares, objectIdentities, root: '/' })
  const events = new Events((error) => assert.fail(String(error)))
  followChanges({ events, shares, objectIdentities, trashed })
  const tell = (kind: FileAct['kind'], path: string, trash: string, work: () => Promise<void>) =>
    events.around({ ...about, kind, path: parsePath(path), ...(kind === 'restore' && { to: parsePath(path) }), trash }, work)
  const linkOf = (path: string) => state.data.links?.find((link) => link.path === path)
  const suspended = () => (state.data.links ?? []).map(({ path, suspended = '' }) => [path, suspended])
  return { state, shares, trashed, tell, linkOf, suspended }
}

test('where objects cannot be told apart, another file of the name does not make a link of the trash live again', async (t) => {
  const objects = new Map([['/a', '']])
  const { shares, tell, linkOf } = await startNamed(t, objects)
  await tell('delete', '/a', x, async () => void objects.delete('/a'))
  objects.set('/a', '')
  const link = linkOf('/a') as StoredLink
  assert.equal(await shares.isSame(link, ''), false)
  // Nor does a program of before, which opens what has no identity.
  assert.notEqual(link.identity, '')
  await tell('restore', '/a', x, async () => {})
  assert.deepEqual([linkOf('/a')?.identity, await shares.isSame(link, '')], ['', true])
})

test('of two who delete the same, the trash of the one who does it has the links, whoever ends first', async (t) => {
  for (const first of ['loser', 'winner']) {
    const objects = new Map([['/a', '']])
    const { tell, suspended } = await startNamed(t, objects)
    const [lost, won] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const [begunX, begunY] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const loser = tell('delete', '/a', x, () => {
      begunX.resolve()
      return lost.promise
    })
    await begunX.promise
    const winner = tell('delete', '/a', y, async () => {
      begunY.resolve()
      await won.promise
    })
    await begunY.promise
    objects.delete('/a')
    const ends = [
      () => {
        lost.reject(new Error('not found'))
        return assert.rejects(loser)
      },
      () => {
        won.resolve()
        return winner
      },
    ]
    for (const end of first === 'loser' ? ends : ends.toReversed()) await end()
    assert.deepEqual(suspended(), [['/a', y]], first)
  }
})

test('when both of two who delete the same fail, the links lead there as before', async (t) => {
  const { tell, suspended } = await startNamed(t, new Map([['/a', '1']]))
  const begun = Promise.withResolvers<void>()
  const fail = Promise.withResolvers<void>()
  const one = tell('delete', '/a', x, () => {
    begun.resolve()
    return fail.promise
  })
  await begun.promise
  await assert.rejects(tell('delete', '/a', y, () => Promise.reject(new Error('no'))))
  fail.reject(new Error('no'))
  await assert.rejects(one)
  assert.deepEqual(suspended(), [['/a', '']])
})

test('links that could not be suspended before are suspended afterwards', async (t) => {
  const objects = new Map([['/a', '']])
  const { shares, tell, suspended } = await startNamed(t, objects)
  const suspend = shares.suspend.bind(shares)
  shares.suspend = async () => {
    shares.suspend = suspend
    throw new Error('the disk is full')
  }
  await tell('delete', '/a', x, async () => void objects.delete('/a'))
  assert.deepEqual(suspended(), [['/a', x]])
})

test('after a kill, links of items that are not there lead to their object if that is at its path, and end otherwise', async (t) => {
  const objects = new Map([
    ['/kept', '1'],
    ['/here', '2'],
    ['/another', '3'],
    ['/missing', '4'],
    ['/unknown', ''],
    ['/free', '5'],
  ])
  const { shares, trashed, suspended } = await startNamed(t, objects)
  await shares.suspend(['of-kept'], x)
  await shares.suspend(['of-here', 'of-another', 'of-missing', 'of-unknown'], y)
  objects.set('/another', '33').delete('/missing')
  await trashed.reconcile({ has: (item) => item === x, compareAt: async () => {} })
  assert.deepEqual(suspended(), [
    ['/kept', x],
    ['/here', ''],
    ['/free', ''],
  ])
  assert.equal(await shares.isSame((await shares.below('/here' as Path))[0] as StoredLink, '2'), true)
})

test('after a kill, links of a disk that does not answer keep none of others from leading to their objects again', async (t) => {
  // By the list of the mounts on another disk.
  const objects = new Map([
    ['/proc/dead', '1'],
    ['/here', '2'],
  ])
  const { shares, trashed, suspended } = await startNamed(t, objects)
  await shares.suspend(['of-proc-dead', 'of-here'], x)
  const answer = Promise.withResolvers<void>()
  const isDead = (path: string) => path.startsWith('/proc/')
  const compareAt = (paths: readonly Path[]) => (paths.some(isDead) ? answer.promise : Promise.resolve())
  let isThere = false
  const reconciled = trashed.reconcile({ has: (item) => isThere && item === x, compareAt })
  await until(() => suspended().some(([path, item]) => path === '/here' && item === ''), 'the other link leads there again')
  // It had come into the trash, which nobody had noted.
  isThere = true
  answer.resolve()
  await reconciled
  assert.deepEqual(suspended(), [
    ['/proc/dead', x],
    ['/here', ''],
  ])
})
