// A folder with many links below it is moved: what the disk is asked for that, and which links follow.
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { Events } from '../../src-server/events/events.ts'
import { followChanges } from '../../src-server/shares/follow-changes.ts'
import { identitiesOn } from '../../src-server/shares/object-identities.ts'
import { Shares } from '../../src-server/shares/shares.ts'
import { TrashedLinks } from '../../src-server/shares/trashed-links.ts'
import { startApp } from '../support/start-app.ts'

/** Files below `/d`, each with a link; the link of the last leads to what was there before. */
async function start(t: TestContext, count: number) {
  const app = await startApp(t)
  const names = Array.from({ length: count }, (_, index) => `${index}.txt`)
  mkdirSync(join(app.root, 'd'))
  for (const name of names) writeFileSync(join(app.root, 'd', name), name)
  const identity = (path: string) => {
    const found = statSync(join(app.root, path), { bigint: true, throwIfNoEntry: false })
    if (!found) throw new Failure('notFound')
    return `:${found.ino}:${found.birthtimeNs}`
  }
  const stale = names.at(-1)
  await app.parts.state.change('other', (draft) => {
    draft.links = names.map((name) => ({
      hash: name,
      userId: 1,
      path: `/d/${name}`,
      isDir: false,
      identity: name === stale ? ':1:1' : identity(`/d/${name}`),
      expire: 0,
      createdAt: 0,
    }))
  })
  const asked = { count: 0, now: 0, most: 0 }
  const disk = {
    stat: async (at: Capability<'read'>) => {
      const { path } = Capability.check(at, 'read')
      return identity(path) && { truePath: path }
    },
    identify: async (at: Capability<'read'>) => {
      asked.count++
      asked.most = Math.max(asked.most, ++asked.now)
      await new Promise((resolve) => setImmediate(resolve))
      asked.now--
      return identity(Capability.check(at, 'read').path)
    },
  } as unknown as Disk
  const failures: unknown[] = []
  const events = new Events((error) => failures.push(error))
  const parts = { shares: new Shares({ state: app.parts.state, clock: systemClock }), objectIdentities: identitiesOn(() => disk) }
  followChanges({ events, ...parts, trashed: new TrashedLinks({ ...parts, root: '/' }) })
  const move = async (work: () => void) => {
    const [path, to] = [parsePath('/d'), parsePath('/e')]
    const by = { id: 1, name: 'ann' }
    await events.around({ kind: 'rename', path, to, isDir: true, by, address: '', way: 'page' }, async () => work())
    assert.deepEqual(failures, [])
    return { ...asked, moved: (app.parts.state.data.links ?? []).filter(({ path }) => path.startsWith('/e/')).length }
  }
  const [from, to] = [join(app.root, 'd'), join(app.root, 'e')]
  const rename = () => renameSync(from, to)
  /** As a move to another device: every file is another afterwards. */
  const copy = () => {
    mkdirSync(to, { recursive: true })
    for (const name of names) writeFileSync(join(to, name), name)
    rmSync(from, { recursive: true })
  }
  return { move, rename, copy, from, to, links: () => app.parts.state.data.links ?? [] }
}

test('a renamed folder takes 1,000 links with it, and the disk is asked about none of them', async (t) => {
  const { move, rename, links } = await start(t, 1000)
  const { count, moved } = await move(rename)
  assert.deepEqual([moved, count], [1000, 3])
  // Its identity still tells that something else is there.
  assert.deepEqual([links().at(-1)?.path, links().at(-1)?.identity], ['/e/999.txt', ':1:1'])
})

test('a folder that is merged into another is asked about link by link, sixteen at a time', async (t) => {
  const { move, copy, to } = await start(t, 1000)
  mkdirSync(to)
  const { count, most, moved } = await move(copy)
  assert.deepEqual([moved, most], [999, 16])
  assert.ok(count <= 2100, `${count}`)
})

test('a folder that is copied instead of renamed keeps its links, but not those of something else', async (t) => {
  const { move, copy, links } = await start(t, 20)
  assert.equal((await move(copy)).moved, 19)
  assert.deepEqual(links().at(-1)?.path, '/d/19.txt')
})

test('what a merge has moved that failed takes its links with it, and what stayed keeps them', async (t) => {
  const { move, from, to, links } = await start(t, 3)
  mkdirSync(to)
  writeFileSync(join(to, '1.txt'), 'another of its name')
  const work = () => {
    renameSync(join(from, '0.txt'), join(to, '0.txt'))
    throw new Failure('full')
  }
  await assert.rejects(move(work), { code: 'full' })
  assert.deepEqual(
    links().map(({ path }) => path),
    ['/e/0.txt', '/d/1.txt', '/d/2.txt'],
  )
})
