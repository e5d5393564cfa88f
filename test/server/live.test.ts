// Live folders: what other programs and other people change reaches the page over one socket.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../src-server/base/clock.ts'
import { FolderWatches } from '../../src-server/disk/watch.ts'
import { jobCalls } from '../support/job-calls.ts'
import { followFolder, openLive, shownBy } from '../support/live-client.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { type AppSetup, allow, deny, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const start = (t: TestContext, { services, ...setup }: AppSetup = {}) =>
  startApp(t, { ...setup, services: { clock: systemClock, ...services } })

test('what another program makes, changes and removes is sent as the listing shows it', async (t) => {
  const { root, ...app } = await start(t, { files: { 'd/old.txt': 'x', 'd/sub/': '' } })
  const ann = await app.as('ann')
  const client = await followFolder({ root, ...app }, 'ann', '/d')
  assert.equal(client.messages[0]?.kind, 'hello')
  const itemOf = async (name: string) => (await ann.read('/d')).items?.find((item) => item.name === name)
  fs.writeFileSync(join(root, 'd/new.txt'), 'new')
  const made = await client.next('changed')
  assert.deepEqual([made.folder, made.items, made.removed], ['/d', [await itemOf('new.txt')], []])
  fs.appendFileSync(join(root, 'd/new.txt'), ' and longer')
  assert.deepEqual((await client.next('changed')).items, [await itemOf('new.txt')])
  fs.renameSync(join(root, 'd/new.txt'), join(root, 'd/sub/new.txt'))
  const moved = await client.next('changed')
  assert.deepEqual(moved.removed, ['new.txt'])
  fs.rmSync(join(root, 'd/old.txt'))
  assert.deepEqual((await client.next('changed')).removed, ['old.txt'])
  client.close()
})

test('a change of another program is told within a second', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const client = await followFolder(app, 'ann', '/d')
  const waits: number[] = []
  const isQuick = () => waits.some((wait) => wait < 1000)
  // The quickest: other work of the machine may delay any of them.
  for (let round = 0; round < 20 && !isQuick(); round++) {
    const begun = performance.now()
    fs.writeFileSync(join(app.root, `d/${round}.txt`), 'x')
    await client.next('changed')
    waits.push(performance.now() - begun)
  }
  assert.ok(isQuick(), `${waits.map(Math.round)} ms`)
  client.close()
})

test('names that other programs can give arrive as the listing shows them', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const ann = await app.as('ann')
  const client = await followFolder(app, 'ann', '/d')
  const page = shownBy(client, async () => (await ann.read('/d')).items ?? [])
  for (const name of nastyNames) fs.writeFileSync(join(app.root, 'd', name), name)
  fs.writeFileSync(Buffer.concat([Buffer.from(`${app.root}/d/`), Buffer.from([0x66, 0xff])]), 'not UTF-8')
  const wanted = (await ann.list('/d')).toSorted()
  await until(async () => JSON.stringify([...(await page.apply()).keys()].toSorted()) === JSON.stringify(wanted), 'all arrive')
})

test('two hundred changes in a row, by a person and by a program: none is lost, none is sent twice', async (t) => {
  const app = await start(t, { files: { 'd/': '' }, users: { ann: {}, bob: {} } })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  const client = await followFolder(app, 'ann', '/d')
  const page = shownBy(client, async () => (await ann.read('/d')).items ?? [])
  // With times of before: what is written within the present tick may be told twice, because its content can change once more unseen.
  const append = (file: string, text: string) => {
    fs.appendFileSync(file, text)
    fs.utimesSync(file, 1_600_000_000, 1_600_000_000)
  }
  for (let round = 0; round < 50; round++) {
    const log = join(app.root, `d/${round}.log`)
    await bob.upload(`/d/${round}.txt`, `${round}`)
    append(log, `${round}`)
    await bob.move(`/d/${round}.txt`, `/d/${round} moved.txt`)
    if (round % 2 === 0) fs.rmSync(log)
    else append(log, ' more')
  }
  const wanted = async () => JSON.stringify(new Map(((await ann.read('/d')).items ?? []).map((item) => [item.name, item])).size)
  await until(async () => JSON.stringify((await page.apply()).size) === (await wanted()), 'all names arrive')
  const items = new Map(((await ann.read('/d')).items ?? []).map((item) => [item.name, item]))
  await until(async () => {
    const shown = await page.apply()
    return [...items].every(([name, item]) => JSON.stringify(shown.get(name)) === JSON.stringify(item))
  }, 'all arrive with their last state')
  assert.equal(items.size, 75)
  const last = new Map<string, string>()
  for (const message of client.messages) {
    if (message.kind !== 'changed') continue
    for (const item of message.items) {
      assert.notEqual(last.get(item.name), JSON.stringify(item), `${item.name} was sent twice`)
      last.set(item.name, JSON.stringify(item))
    }
    for (const name of message.removed) last.delete(name)
  }
})

test('what people change inside a folder of the listing changes the folder there, and nothing further down or hidden does', async (t) => {
  const files = { 'd/in/a': 'a', 'd/in/deep/b': 'b', 'd/out/': '', 'd/secret/': '' }
  const app = await start(t, { files, users: { ann: { rules: [deny('/d/secret')] }, bob: {} } })
  const bob = await app.as('bob')
  const client = await followFolder(app, 'ann', '/d')
  const told = async () => (await client.next('changed')).items.map(({ name }) => name)
  const modified = (name: string) => fs.statSync(join(app.root, name)).mtimeMs
  const before = modified('d/in')
  await bob.upload('/d/in/new', 'new')
  assert.deepEqual(await told(), ['in'])
  assert.ok(modified('d/in') >= before)
  await bob.upload('/d/in/deep/new', 'new')
  await bob.upload('/d/secret/new', 'new')
  await bob.move('/d/in/new', '/d/out/new')
  const moved = await told()
  // The two ends may be told one after the other.
  while (moved.length < 2) moved.push(...(await told()))
  assert.deepEqual(moved.toSorted(), ['in', 'out'])
  client.close()
})

test('what is merged into a folder of the listing changes the folder there, also when a part of it fails', async (t) => {
  const files = { 'd/in/a': 'a', 'x/in/b': 'b', 'y/in/c': 'c', 'z/in/d': 'd', 'z/in/a/': '' }
  const app = await start(t, { files })
  const ann = await app.as('ann')
  const client = await followFolder(app, 'ann', '/d')
  const told = async () => (await client.next('changed')).items.map(({ name, modified }) => [name, modified])
  const modified = async () => (await ann.read('/d')).items?.map((item) => [item.name, item.modified])
  assert.equal((await ann.copy('/x/in', '/d/in', 'override=true')).status, 200)
  assert.deepEqual(await told(), await modified())
  assert.equal((await ann.move('/y/in', '/d/in', 'override=true')).status, 200)
  assert.deepEqual(await told(), await modified())
  const jobs = jobCalls(ann)
  const { job } = await jobs.start({ kind: 'move', entries: ['/z/in'], to: '/d', taken: 'replace' })
  assert.equal((job.state === 'ended' ? job : await jobs.reaches(job.id, 'ended')).failed, 1)
  assert.deepEqual(await told(), await modified())
  client.close()
})

test('an event of the system that changes nothing is not sent again', async (t) => {
  const app = await start(t, { files: { 'd/a': 'a' } })
  const client = await followFolder(app, 'ann', '/d')
  fs.utimesSync(join(app.root, 'd/a'), 1, 1)
  await client.next('changed')
  fs.utimesSync(join(app.root, 'd/a'), 2, 1)
  fs.chmodSync(join(app.root, 'd/a'), fs.statSync(join(app.root, 'd/a')).mode)
  fs.writeFileSync(join(app.root, 'd/b'), 'b')
  const next = await client.next('changed')
  assert.deepEqual(
    next.items.map(({ name }) => name),
    ['b'],
  )
})

test('thousands of changes become the advice to list again, not a message for each', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const ann = await app.as('ann')
  const client = await followFolder(app, 'ann', '/d')
  const page = shownBy(client, async () => (await ann.read('/d')).items ?? [])
  for (let index = 0; index < 3000; index++) fs.writeFileSync(join(app.root, `d/${index}`), '')
  await until(async () => (await page.apply()).size === 3000, 'all arrive')
  assert.ok(client.messages.length < 100, `${client.messages.length} messages`)
  assert.ok(page.listings() > 0)
})

test('a change of a video or of subtitles is left to the listing, which knows what belongs together', async (t) => {
  const app = await start(t, { files: { 'd/film.mp4': 'x' } })
  const client = await followFolder(app, 'ann', '/d')
  fs.writeFileSync(join(app.root, 'd/film.srt'), 'x')
  await client.next('resync')
  assert.equal(
    client.messages.some(({ kind }) => kind === 'changed'),
    false,
  )
})

test('up to four folders are followed; those that are no longer named are not', async (t) => {
  const app = await start(t, { files: { 'a/': '', 'b/': '' } })
  const client = await openLive(app, (await app.as('ann')).token)
  client.follow('/a', '/b/', '/b')
  assert.deepEqual([(await client.next('following')).folder, (await client.next('following')).folder].toSorted(), ['/a', '/b'])
  client.follow('/b')
  client.send({ kind: 'ask' })
  await client.next('alive')
  fs.writeFileSync(join(app.root, 'a/x'), '')
  fs.writeFileSync(join(app.root, 'b/y'), '')
  assert.equal((await client.next('changed')).folder, '/b')
  assert.equal(
    client.messages.some((message) => message.kind === 'changed' && message.folder === '/a'),
    false,
  )
})

test('what the rules block is never named, by its own path or through a link', async (t) => {
  const files = { 'd/open/': '', 'd/kept/': '', l: { link: 'd' } }
  const app = await start(t, { files, rules: [deny('/d/secret'), deny('/d/kept'), allow('/d/kept/shown')] })
  const clients = [await followFolder(app, 'ann', '/d'), await followFolder(app, 'ann', '/l')]
  fs.writeFileSync(join(app.root, 'd/secret'), 'x')
  fs.rmSync(join(app.root, 'd/secret'))
  fs.writeFileSync(join(app.root, 'd/secret'), 'x')
  fs.chmodSync(join(app.root, 'd/kept'), 0o700)
  fs.writeFileSync(join(app.root, 'd/after'), 'x')
  for (const client of clients) {
    assert.deepEqual(
      (await client.next('changed')).items.map(({ name }) => name),
      ['after'],
    )
    assert.doesNotMatch(JSON.stringify(client.messages), /secret|kept/)
  }
})

test('each event is authorised when it is sent: a new rule hides at once, and a blocked folder is gone', async (t) => {
  const app = await start(t, { files: { 'd/': '', 'e/': '' } })
  const client = await openLive(app, (await app.as('ann')).token)
  client.follow('/d', '/e')
  await client.next('following')
  await client.next('following')
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules: [deny('/d/later'), deny('/e')] }
  })
  fs.writeFileSync(join(app.root, 'd/later'), 'x')
  fs.writeFileSync(join(app.root, 'e/never'), 'x')
  assert.equal((await client.next('gone')).folder, '/e')
  // What is shown of the other folder may have been blocked too.
  await until(() => client.messages.some((message) => message.kind === 'resync' && message.folder === '/d'), 'a listing')
  fs.writeFileSync(join(app.root, 'd/after'), 'x')
  await until(() => JSON.stringify(client.messages).includes('after'), 'changes are still sent')
  assert.doesNotMatch(JSON.stringify(client.messages), /later|never/)
})

test('a person whose files begin further down follows them by the own paths, and nothing outside', async (t) => {
  const app = await start(t, { files: { 'home/bob/d/': '', 'home/ann/': '' }, users: { bob: { scope: '/home/bob' } } })
  const client = await openLive(app, (await app.as('bob')).token)
  client.follow('/d', '/home/ann')
  assert.equal((await client.next('following')).folder, '/d')
  assert.equal((await client.next('gone')).folder, '/home/ann')
  fs.writeFileSync(join(app.root, 'home/bob/d/x'), '')
  assert.equal((await client.next('changed')).items[0]?.path, '/d/x')
})

/** As on a network mount. */
const unreported = (every: number) => new FolderWatches({ every, follow: () => undefined })

test('where the system reports nothing, the page is told so, and what this server changes is sent all the same', async (t) => {
  const services = { watches: unreported(3_600_000) }
  const app = await start(t, { files: { 'd/': '', 'e/': '' }, services, users: { ann: {}, bob: {} } })
  const [client, bob] = [await openLive(app, (await app.as('ann')).token), await app.as('bob')]
  client.follow('/d')
  assert.equal((await client.next('following')).isComplete, false)
  const next = async () => {
    const { items, removed } = await client.next('changed')
    return [items.map(({ name }) => name), removed]
  }
  await bob.upload('/d/x', 'x')
  assert.deepEqual(await next(), [['x'], []])
  await bob.save('/d/x', 'longer')
  assert.deepEqual(await next(), [['x'], []])
  await bob.move('/d/x', '/d/y')
  assert.deepEqual(await next(), [['y'], ['x']])
  await bob.copy('/d/y', '/e/y')
  await bob.copy('/e/y', '/d/z')
  assert.deepEqual(await next(), [['z'], []])
  await bob.remove('/d/y')
  assert.deepEqual(await next(), [[], ['y']])
  await bob.makeFolder('/d/f')
  assert.deepEqual(await next(), [['f'], []])
})

test('where the system reports nothing, a change by another program is found by polling', async (t) => {
  const app = await start(t, { files: { 'd/': '' }, services: { watches: unreported(20) } })
  const client = await followFolder(app, 'ann', '/d')
  const making = setInterval(() => fs.writeFileSync(join(app.root, 'd', `${Date.now()}`), ''), 50)
  t.after(() => clearInterval(making))
  await client.next('resync')
})

test('followed folders are looked at without reading the state', async (t) => {
  const app = await start(t, { files: { 'd/': '' }, services: { watches: unreported(20) } })
  const client = await followFolder(app, 'ann', '/d')
  const { state } = app.parts
  const { data } = state
  let reads = 0
  const get = () => {
    reads++
    return data
  }
  Object.defineProperty(state, 'data', { get })
  fs.renameSync(join(app.root, 'd'), join(app.root, 'e'))
  await client.next('gone')
  assert.equal(reads, 0)
})

test('a folder too many is not watched, and is as soon as there is room', async (t) => {
  const app = await start(t, { files: { 'a/': '', 'b/': '' }, services: { watches: new FolderWatches({ most: 1 }) } })
  const first = await followFolder(app, 'ann', '/a')
  const client = await openLive(app, (await app.as('ann')).token)
  client.follow('/b')
  assert.equal((await client.next('following')).isComplete, false)
  first.follow()
  assert.equal((await client.next('following')).isComplete, true)
})
