// Random acts of several people over two file systems, all undone in reverse: everything is as it was. HOLDALL_TEST_SEED repeats the
// choices of a run, HOLDALL_TEST_ACTS is the number of acts.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Capability } from '../../src-server/access/authorize.ts'
import type { Undone } from '../../src-server/contract/history.ts'
import type { TrashList } from '../../src-server/contract/trash.ts'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { withoutMounts } from '../support/mounts.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { downloaded, share } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'
import { plant } from '../support/tree.ts'
import { until } from '../support/until.ts'

const actCount = Number(process.env.HOLDALL_TEST_ACTS ?? byScale({ usual: 150, long: 300, full: 1000 }))
const names = ['a', 'b', 'c', 'd.txt', 'é😀']
const files = {
  ...{ a: 'A', 'b/a': 'BA', 'b/b/c': 'BBC', 'b/d.txt': 'BD', 'c/a': 'CA', 'c/b/a': 'CBA', 'c/b/d.txt': 'CBD', 'd.txt': 'D' },
  ...{ 'b/link': { link: 'a' }, 'c/broken': { link: 'nowhere' }, 'empty/': '' },
}
/** What lies on the other file system. */
const far = { a: 'FA', 'b/a': 'FBA', 'd.txt': 'FD' }
const otherFileSystem = '/far'
const isFar = (path: string) => path.startsWith(`${otherFileSystem}/`)

/** Where nothing can be mounted, the disk alone says that the folder is on another one. */
function simulateOther(t: TestContext) {
  t.diagnostic(`the other file system is simulated: ${withoutMounts}`)
  const { move } = Disk.prototype
  t.mock.method(Disk.prototype, 'move', async function (this: Disk, ...asked: Parameters<Disk['move']>) {
    const [from, to] = [asked[0], asked[1]].map((end) => isFar(Capability.check(end, 'rename').path))
    if (from !== to) throw new CrossDevice()
    return move.apply(this, asked)
  })
}

async function startOnTwo(t: TestContext) {
  const users = { ann: {}, bob: {}, eve: {} }
  const options = ({ root }: { root: string }) => {
    const other = join(root, otherFileSystem)
    mkdirSync(other)
    if (withoutMounts === false) execFileSync('mount', ['-t', 'tmpfs', 'none', other])
    else simulateOther(t)
    // Before the folder is removed, which waits for the last `after`.
    t.after(() => void spawnSync('umount', ['--lazy', other]))
    return { tokenLifetime: 10_000_000 }
  }
  const app = await startApp(t, { files, users, services: { history: { limits: { acts: actCount } } }, options })
  await plant(join(app.root, otherFileSystem), far)
  return app
}

/** Everything below a folder: files with content, mode and time to the microsecond, which copies keep; links with their target, folders with their mode. */
function recorded(folder: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(folder, below)).sort()) {
    if (name.startsWith('.holdall')) continue
    const path = join(folder, below, name)
    const stats = lstatSync(path, { bigint: true })
    const mode = (stats.mode & 0o777n).toString(8)
    if (stats.isDirectory()) Object.assign(found, { [`${below}${name}/`]: mode }, recorded(folder, `${below}${name}/`))
    else if (stats.isSymbolicLink()) found[`${below}${name}`] = `to ${readlinkSync(path)}`
    else found[`${below}${name}`] = `${mode} ${stats.mtimeNs / 1000n} ${readFileSync(path, 'utf8')}`
  }
  return found
}

/** A path on one of the file systems, at random without one. */
type PathOn = (side?: Side) => string
type Side = 'near' | 'far'
type Doing = Readonly<{ calls: PrincipalCalls; random: SeededRandom; side: Side; path: PathOn }>

const kinds: readonly ((doing: Doing) => Promise<unknown>)[] = [
  ({ calls, path, random }) => calls.upload(path(), `u${random.below(1000)}`),
  ({ calls, path, random }) => calls.upload(path(), `o${random.below(1000)}`, 'override=true'),
  ({ calls, path, random }) => calls.save(path(), `s${random.below(1000)}`),
  ({ calls, path }) => calls.makeFolder(path()),
  ({ calls, path, random }) => calls.copy(path(), path(), random.pick(['', 'override=true', 'rename=true'])),
  ({ calls, path, side, random }) => calls.move(path(side), path(side), random.pick(['', 'override=true', 'rename=true'])),
  ({ calls, path, side, random }) => calls.move(path(side), path(side), random.pick(['', 'override=true'])),
  ({ calls, path }) => calls.remove(path()),
  async ({ calls, random }) => {
    const { items } = (await (await calls.ask('GET', '/api/trash')).json()) as TrashList
    if (items.length === 0) return
    const taken = random.pick(['ask', 'number', 'replace'])
    await calls.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [random.pick(items).id], taken }) })
  },
]

type Acting = ReturnType<typeof historyCalls> & Readonly<{ jobs: ReturnType<typeof jobCalls> }>

/** What went to another file system comes back by a job alone. */
async function undo({ undo, jobs }: Acting, id: string): Promise<{ undone: Undone; byJob: boolean }> {
  const { status, undone } = await undo(id)
  const isAcross = status === 409 && undone.left.some(({ how }) => how === 'across')
  if (!isAcross) return { undone, byJob: false }
  const { job } = await jobs.start({ kind: 'undo', act: id })
  const { values, failures } = await jobs.reaches(job.id, 'ended')
  assert.deepEqual(failures, [])
  return { undone: values[0]?.value as Undone, byJob: true }
}

/** Two entries of a folder, worked on at the same time. */
async function doJob({ calls, random, side, path }: Doing) {
  const [kind, taken] = [random.pick(['copy', 'move', 'delete']), random.pick(['number', 'replace', 'skip'])]
  const folder = path(side)
  const entries = new Set([`${folder}/${random.pick(names)}`, `${folder}/${random.pick(names)}`])
  const jobs = jobCalls(calls)
  const { status, job } = await jobs.start({ kind, taken, entries: [...entries], to: path(kind === 'copy' ? undefined : side) })
  if (status === 202) await jobs.reaches(job.id, 'ended')
}

/**
 * What another program has made goes to the other file system, once: as it is another file there and when it has come back, no other act
 * of the history may be about it.
 */
class Crossing {
  readonly #from: string
  readonly #to: string

  /** @param name that no other entry has */
  constructor(name: string, from: Side) {
    const [near, away] = [`/${name}`, `${otherFileSystem}/${name}`]
    this.#from = from === 'near' ? near : away
    this.#to = from === 'near' ? away : near
  }

  /** What is planted before it goes. */
  get files() {
    const from = this.#from.slice(1)
    return { [`${from}/1`]: 'one', [`${from}/deep/2`]: 'two', [`${from}/link`]: { link: '1' } }
  }

  /** By a job, which is an act of its own, or by a call, and then changes it in the same act. */
  async go({ calls, random, path }: Doing): Promise<void> {
    if (random.below(2) === 0) {
      const jobs = jobCalls(calls)
      const to = this.#to.slice(0, this.#to.lastIndexOf('/')) || '/'
      const { job } = await jobs.start({ kind: 'move', taken: 'ask', entries: [this.#from], to })
      assert.deepEqual((await jobs.reaches(job.id, 'ended')).failures, [])
      return
    }
    assert.equal((await calls.move(this.#from, this.#to)).status, 200)
    const side = isFar(this.#to) ? 'far' : 'near'
    const more = [
      () => calls.save(`${this.#to}/1`, 'saved'),
      () => calls.remove(`${this.#to}/deep`),
      () => calls.move(`${this.#to}/1`, path(side), 'rename=true'),
    ]
    if (random.below(2) === 0) await random.pick(more)()
  }
}

test(`${actCount} random acts of three people are undone in reverse, and nothing is different`, {
  timeout: 60_000 + actCount * 3000,
}, async (t) => {
  t.diagnostic(`seed ${seed}: HOLDALL_TEST_SEED=${seed} repeats it`)
  const app = await startOnTwo(t)
  const random = new SeededRandom(seed)
  chmodSync(join(app.root, 'b/d.txt'), 0o640)
  chmodSync(join(app.root, 'c/b'), 0o710)
  utimesSync(join(app.root, 'b/a'), 1_000_000, 1_234_567)
  const people: Acting[] = await Promise.all(
    ['ann', 'bob', 'eve'].map(async (name) => {
      const calls = await app.as(name)
      return { ...historyCalls(app.url, calls), jobs: jobCalls(calls) }
    }),
  )
  const links = await Promise.all(
    ['/b/d.txt', '/c/b/a'].map(async (path, index) => share(await app.as(index === 0 ? 'ann' : 'bob'), path)),
  )
  const anySide = (): Side => (random.below(4) === 0 ? 'far' : 'near')
  const path: PathOn = (side = anySide()) => {
    const below = Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).join('/')
    return `${side === 'far' ? otherFileSystem : ''}/${below}`
  }
  const done: { person: (typeof people)[number]; id: string; kind: string; before: Record<string, string> }[] = []
  const known = new Set<string>()
  const crossings = Array.from({ length: Math.ceil(actCount / 10) }, (_, index) => new Crossing(`crossing ${index}`, anySide()))
  for (const { files } of crossings) await plant(app.root, files)
  let present = recorded(app.root)
  while (done.length < actCount) {
    const person = random.pick(people)
    const calls = person.act()
    const before = present
    const crossing = random.below(10) === 0 ? crossings.pop() : undefined
    const doing = () => ({ calls, random, side: anySide(), path })
    if (crossing) await crossing.go(doing())
    else if (random.below(8) === 0) await doJob(doing())
    else for (let step = random.below(3); step >= 0; step--) await random.pick(kinds)(doing())
    // Saves of one person that follow each other would be one act.
    app.clock.advance({ minutes: 11 })
    present = recorded(app.root)
    const isSame = isDeepStrictEqual(present, before)
    const newest = async () => (await person.list()).find(({ id }) => !known.has(id))
    // Where the disk is busy an act is kept more than a second later than the change.
    if (!isSame) await until(async () => (await newest()) !== undefined, 'what was changed is an act')
    const act = await newest()
    if (!act) continue
    done.push({ person, id: act.id, kind: act.kind, before })
    known.add(act.id)
  }
  let across = 0
  for (const [index, { person, id, before }] of [...done.entries()].reverse()) {
    const { undone, byJob } = await undo(person, id)
    assert.deepEqual([undone.left, undone.act?.state], [[], 'undone'], `act ${index} of seed ${seed}`)
    if (byJob) across++
    assert.deepEqual(recorded(app.root), before, `act ${index} of seed ${seed}`)
  }
  // A link ends when another file takes the name of its own, and then leads nowhere, but never to another content.
  const byLink = await Promise.all(links.map(({ hash }) => downloaded(app.principal(), hash)))
  for (const [index, [status, text]] of byLink.entries()) assert.ok(status === 404 || text === ['BD', 'CBA'][index], text)
  const counts = Object.fromEntries([...Map.groupBy(done, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))
  t.diagnostic(JSON.stringify({ ...counts, across }))
  assert.ok(across > 0, 'some went to the other file system')
  for (const kind of ['upload', 'save', 'newFolder', 'copy', 'move', 'delete', 'restore']) assert.ok(counts[kind], kind)
})
