// Random acts of several people over one tree, all undone in reverse: everything is as it was. HOLDALL_TEST_SEED repeats the choices of a
// run, HOLDALL_TEST_ACTS is the number of acts.
import assert from 'node:assert/strict'
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TrashList } from '../../src-server/contract/trash.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { downloaded, share } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'

const actCount = Number(process.env.HOLDALL_TEST_ACTS ?? byScale({ usual: 150, long: 300, full: 1000 }))
const names = ['a', 'b', 'c', 'd.txt', 'é😀']
const files = {
  ...{ a: 'A', 'b/a': 'BA', 'b/b/c': 'BBC', 'b/d.txt': 'BD', 'c/a': 'CA', 'c/b/a': 'CBA', 'c/b/d.txt': 'CBD', 'd.txt': 'D' },
  ...{ 'b/link': { link: 'a' }, 'c/broken': { link: 'nowhere' }, 'empty/': '' },
}

/** Everything below a folder: files with content, mode and time, links with their target, folders with their mode. */
function recorded(folder: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(folder, below)).sort()) {
    if (name.startsWith('.holdall')) continue
    const path = join(folder, below, name)
    const stats = lstatSync(path)
    const mode = (stats.mode & 0o777).toString(8)
    if (stats.isDirectory()) Object.assign(found, { [`${below}${name}/`]: mode }, recorded(folder, `${below}${name}/`))
    else if (stats.isSymbolicLink()) found[`${below}${name}`] = `to ${readlinkSync(path)}`
    else found[`${below}${name}`] = `${mode} ${stats.mtimeMs} ${readFileSync(path, 'utf8')}`
  }
  return found
}

type Doing = Readonly<{ calls: PrincipalCalls; random: SeededRandom; path(): string }>

const kinds: readonly ((doing: Doing) => Promise<unknown>)[] = [
  ({ calls, path, random }) => calls.upload(path(), `u${random.below(1000)}`),
  ({ calls, path, random }) => calls.upload(path(), `o${random.below(1000)}`, 'override=true'),
  ({ calls, path, random }) => calls.save(path(), `s${random.below(1000)}`),
  ({ calls, path }) => calls.makeFolder(path()),
  ({ calls, path, random }) => calls.copy(path(), path(), random.pick(['', 'override=true', 'rename=true'])),
  ({ calls, path, random }) => calls.move(path(), path(), random.pick(['', 'override=true', 'rename=true'])),
  ({ calls, path, random }) => calls.move(path(), path(), random.pick(['', 'override=true'])),
  ({ calls, path }) => calls.remove(path()),
  async ({ calls, random }) => {
    const { items } = (await (await calls.ask('GET', '/api/trash')).json()) as TrashList
    if (items.length === 0) return
    const taken = random.pick(['ask', 'number', 'replace'])
    await calls.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [random.pick(items).id], taken }) })
  },
]

/** Two entries of a folder, worked on at the same time. */
function startJob({ calls, random, path }: Doing) {
  const [kind, taken] = [random.pick(['copy', 'move', 'delete']), random.pick(['number', 'replace', 'skip'])]
  const folder = path()
  const entries = new Set([`${folder}/${random.pick(names)}`, `${folder}/${random.pick(names)}`])
  return jobCalls(calls).start({ kind, taken, entries: [...entries], to: path() })
}

test(`${actCount} random acts of three people are undone in reverse, and nothing is different`, {
  timeout: 20 * 60_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}: HOLDALL_TEST_SEED=${seed} repeats it`)
  const limits = { acts: actCount }
  const users = { ann: {}, bob: {}, eve: {} }
  const app = await startApp(t, { files, users, services: { history: { limits } }, options: { tokenLifetime: 10_000_000 } })
  const random = new SeededRandom(seed)
  chmodSync(join(app.root, 'b/d.txt'), 0o640)
  chmodSync(join(app.root, 'c/b'), 0o710)
  utimesSync(join(app.root, 'b/a'), 1_000_000, 1_234_567)
  const people = await Promise.all(['ann', 'bob', 'eve'].map(async (name) => historyCalls(app.url, await app.as(name))))
  const links = await Promise.all(
    ['/b/d.txt', '/c/b/a'].map(async (path, index) => share(await app.as(index === 0 ? 'ann' : 'bob'), path)),
  )
  const path = () => `/${Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).join('/')}`
  const done: { person: (typeof people)[number]; id: string; kind: string; before: Record<string, string> }[] = []
  const known = new Set<string>()
  let present = recorded(app.root)
  while (done.length < actCount) {
    const person = random.pick(people)
    const before = present
    const calls = person.act()
    if (random.below(8) === 0) await startJob({ calls, random, path })
    else for (let step = random.below(3); step >= 0; step--) await random.pick(kinds)({ calls, random, path })
    // Saves of one person that follow each other would be one act.
    app.clock.advance({ minutes: 11 })
    present = recorded(app.root)
    const [act] = await person.list()
    if (act && !known.has(act.id)) done.push({ person, id: act.id, kind: act.kind, before })
    else assert.deepEqual(present, before)
    if (act) known.add(act.id)
  }
  for (const [index, { person, id, before }] of [...done.entries()].reverse()) {
    const { status, undone } = await person.undo(id)
    assert.deepEqual([status, undone.left, undone.act?.state], [200, [], 'undone'], `act ${index} of seed ${seed}`)
    assert.deepEqual(recorded(app.root), before, `act ${index} of seed ${seed}`)
  }
  // A link ends when another file takes the name of its own, and then leads nowhere, but never to another content.
  const byLink = await Promise.all(links.map(({ hash }) => downloaded(app.principal(), hash)))
  for (const [index, [status, text]] of byLink.entries()) assert.ok(status === 404 || text === ['BD', 'CBA'][index], text)
  const counts = Object.fromEntries([...Map.groupBy(done, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))
  t.diagnostic(JSON.stringify(counts))
  for (const kind of ['upload', 'save', 'newFolder', 'copy', 'move', 'delete', 'restore']) assert.ok(counts[kind], kind)
})
