// kill -9 amid deletes, replaces, restores, purges, jobs and their undoing: after each start every file is whole, and at its place or in
// the trash, exactly once. HOLDALL_TEST_SEED repeats the random choices of a run, HOLDALL_TEST_KILLS is the number of kills.
import assert from 'node:assert/strict'
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { TrashList } from '../../src-server/contract/trash.ts'
import { addUser } from '../support/add-user.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { foundContents } from '../support/contents.ts'
import { acrossKind, FileWork } from '../support/file-work.ts'
import { withoutMounts } from '../support/mounts.ts'
import { byScale, isLong, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { administratorPassword, listening } from '../support/start-executable.ts'
import { temporaryFolder } from '../support/start-state.ts'
import { installTrashCli, type TrashCli } from '../support/trash-cli.ts'
import { until } from '../support/until.ts'

const kills = Number(process.env.HOLDALL_TEST_KILLS ?? byScale({ usual: 30, long: 50, full: 500 }))
/** How often each kind of work is interrupted at the least, for which there may be more kills. */
const ofEachKind = byScale({ usual: 0, long: 2, full: 10 })
/** Number of servers that run and are killed concurrently, each with its own folder and state. */
const servers = 2
const people = ['ann', 'bob', 'eve'] as const
/** What may be done, as it is counted. */
const workKinds = [
  ...['create', 'replace', 'delete', 'delete a folder', 'restore', 'restore over another', 'purge', 'purge all', 'move'],
  ...['move over another', 'job: delete', 'job: move', 'job: copy', 'undo', 'redo'],
] as const
const kinds: readonly string[] = withoutMounts === false ? [...workKinds, acrossKind] : workKinds

test(`${kills} kills amid changes and their undoing leave every file whole, once (seed ${seed})`, {
  timeout: byScale({ usual: 5, long: 20, full: 120 }) * 60_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}: HOLDALL_TEST_SEED=${seed} repeats it`)
  const program = await findProgram()
  const all = Array.from({ length: servers }, (_, index) => new ServerUnderCrash(t, program, new SeededRandom(seed + index)))
  const endAll = (error: unknown) => {
    for (const server of all) server.end()
    throw error
  }
  const lives = await Promise.allSettled(all.map((server) => server.live().catch((error) => endAll(error))))
  for (const life of lives) if (life.status === 'rejected') throw life.reason
  const works = all.flatMap(({ works }) => works)
  const count = (kind: string, far?: string) =>
    works.reduce((sum, { interrupted }) => {
      const of = interrupted.get(kind) ?? new Map<string, number>()
      return sum + (far === undefined ? [...of.values()].reduce((one, other) => one + other, 0) : (of.get(far) ?? 0))
    }, 0)
  for (const kind of kinds) {
    const done = works.reduce((sum, one) => sum + (one.done.get(kind) ?? 0), 0)
    const far = ['before', 'between', 'after'].map((one) => `${count(kind, one)} ${one}`).join(', ')
    t.diagnostic(`${kind}: done ${done}, interrupted ${count(kind)} (${far})`)
  }
  const sumOf = (far: string) => kinds.reduce((sum, kind) => sum + count(kind, far), 0)
  const parts = all.reduce((sum, server) => sum + server.parts, 0)
  const sums = { before: sumOf('before'), between: sumOf('between'), after: sumOf('after') }
  t.diagnostic(JSON.stringify({ kills: all.reduce((sum, server) => sum + server.kills, 0), parts, ...sums }))
  // Of a few kills nothing is certain but that they interrupt.
  for (const [far, sum] of Object.entries(ofEachKind > 0 ? sums : { before: sums.before }))
    assert.ok(sum > 0, `${far}: ${sum}, so that the test is meaningful`)
  for (const kind of kinds) assert.ok(count(kind) >= ofEachKind, `${kind} was interrupted`)
})

/** Of the long runs alone: it comes from the network. A text says why it is not there. */
let trashCli: TrashCli | string | undefined

/** One folder and state, on which servers are started and killed one after another. */
class ServerUnderCrash {
  readonly works: FileWork[] = []
  kills = 0
  /** What was left of writes that were cut off. */
  parts = 0
  readonly #program: readonly string[]
  readonly #random: SeededRandom
  readonly #folder: string
  readonly #root: string
  readonly #t: TestContext
  #tokens: string[] = []
  #url = ''
  #child: ChildProcess | undefined
  #isOver = false

  constructor(t: TestContext, program: readonly string[], random: SeededRandom) {
    this.#t = t
    this.#program = program
    this.#random = random
    this.#folder = temporaryFolder(t)
    mkdirSync(join(this.#folder, 'files'))
    this.#root = realpathSync(join(this.#folder, 'files'))
  }

  async live() {
    try {
      this.#mountOther()
      await this.#addPeople()
      await this.#die()
    } finally {
      this.#child?.kill('SIGKILL')
      spawnSync('umount', ['--lazy', join(this.#root, 'other')])
    }
  }

  /** The other one has failed, or both are done. */
  end() {
    this.#isOver = true
  }

  async #die() {
    const mine = kills / servers
    for (let round = 0; !this.#isOver && (round < mine || this.#missing() !== undefined); round++) {
      assert.ok(round < 4 * mine + 100, `after so many kills each kind was interrupted, not so ${this.#missing()}`)
      await this.#dieAt(round < mine ? (kinds[round % kinds.length] as string) : (this.#missing() as string))
    }
    const child = await this.#start()
    if (isLong) await this.#compareWithTrashCli()
    await kill(child)
  }

  /** trash-cli lists what the server lists, and what it has put back is there, and for the server too not in the trash any more. */
  async #compareWithTrashCli() {
    trashCli ??= installTrashCli(temporaryFolder(this.#t))
    const cli = trashCli
    await this.#t.test('trash-cli lists and restores the same', { skip: typeof cli === 'string' && cli }, async () => {
      assert.ok(typeof cli === 'object')
      const [work] = this.works
      assert.ok(await work?.work('delete a folder'))
      const { trashed } = foundContents(this.#root)
      assert.deepEqual(cli.list(this.#root), trashed)
      const path = trashed.findLast((one) => /^\/ann\/d\d+$/.test(one))
      assert.ok(path !== undefined)
      cli.restore(this.#root, path)
      const after = foundContents(this.#root)
      assert.deepEqual(after.trashed, trashed.toSpliced(trashed.indexOf(path), 1))
      assert.ok(
        [...after.where.values()].flat().some((at) => at.startsWith(`${path}/`)),
        `${path} is back`,
      )
      await this.#compareTrash()
    })
  }

  /** A second file system below the root. */
  #mountOther() {
    if (withoutMounts !== false) return
    const other = join(this.#root, 'other')
    mkdirSync(other)
    assert.equal(spawnSync('mount', ['-t', 'tmpfs', 'none', other]).status, 0)
  }

  #spawn(): ChildProcess {
    const env = { HOLDALL_ADMIN_PASSWORD: administratorPassword }
    this.#child = startProgram(this.#t, { program: this.#program, folder: this.#folder, args: ['--log', 'warn'], env })
    return this.#child
  }

  async #addPeople() {
    const child = this.#spawn()
    const { url } = await listening(child)
    const may = ['create', 'rename', 'modify', 'delete', 'download'] as const
    for (const name of people) {
      await addUser(url, { username: name, may })
      mkdirSync(join(this.#root, name))
      const login = JSON.stringify({ username: name, password: administratorPassword })
      const token = await (await fetch(`${url}/api/login`, { method: 'POST', body: login })).text()
      this.#tokens.push(token)
      const otherFileSystem = withoutMounts === false ? 'other' : undefined
      this.works.push(new FileWork({ name, token, root: this.#root, random: this.#random, otherFileSystem }))
    }
    await kill(child)
  }

  /** Starts a server, compares all, and continues what the kill before has interrupted. */
  async #start(): Promise<ChildProcess> {
    const child = this.#spawn()
    const { url } = await listening(child)
    this.#url = url
    await until(() => !this.#isPurging(), 'what was being removed for good at the kill is gone')
    await this.#compareTrash()
    const found = foundContents(this.#root)
    this.parts += found.parts
    const expected = new Set(this.works.flatMap((work) => work.contents()))
    const unknown = [...found.where.keys()].filter((content) => !expected.has(content))
    assert.deepEqual(unknown, [], 'nothing is there that was removed for good')
    for (const work of this.works) {
      work.compare(found)
      work.connect(url)
    }
    for (const work of this.works) await work.goOn(() => foundContents(this.#root))
    for (const work of this.works) await work.clearIfLarge()
    await this.#compareTrash()
    return child
  }

  /** Whether something is being removed for good, which is done while the server runs. */
  #isPurging(): boolean {
    try {
      return readdirSync(this.#root, { recursive: true }).some((name) => String(name).endsWith('.purging'))
    } catch {
      // A folder of it has gone meanwhile.
      return true
    }
  }

  /** The list of the trash and the folders, as another program reads them. */
  async #compareTrash() {
    const answer = await asPrincipal(this.#url, this.#tokens[0]).ask('GET', '/api/trash?limit=1000')
    assert.equal(answer.status, 200)
    const { items, total } = (await answer.json()) as TrashList
    assert.equal(total, items.length, 'all are listed')
    assert.deepEqual(items.map(({ path }) => path).sort(), foundContents(this.#root).trashed)
  }

  async #dieAt(victim: string) {
    const child = await this.#start()
    const first = this.#random.pick(this.works)
    const dying = Promise.withResolvers<void>()
    const die = (kind: string) => {
      const usual = first.took.get(kind) ?? 20
      setTimeout(() => dying.resolve(), this.#random.below(Math.ceil(usual)))
    }
    const working = Promise.all(
      this.works.map((work) => this.#workUntilKilled(work, work === first ? { victim, die } : undefined)),
    )
    // What fails before the kill fails the test.
    await Promise.race([dying.promise, working])
    await kill(child)
    this.kills++
    await working
  }

  async #workUntilKilled(work: FileWork, aim?: { victim: string; die(kind: string): void }) {
    for (let warmUp = aim ? this.#random.below(3) : Number.POSITIVE_INFINITY; warmUp > 0; warmUp--) {
      if (!(await work.work(this.#random.pick(kinds)))) return
    }
    if (aim && (await work.work(aim.victim, (kind) => aim.die(kind)))) while (await work.work(this.#random.pick(kinds)));
  }

  /** A kind that was not interrupted often enough yet. */
  #missing(): string | undefined {
    return kinds.find((kind) => {
      const counts = this.works.flatMap(({ interrupted }) => [...(interrupted.get(kind)?.values() ?? [])])
      return counts.reduce((sum, count) => sum + count, 0) * servers < ofEachKind
    })
  }
}

async function kill(child: ChildProcess) {
  assert.equal(child.exitCode ?? child.signalCode, null, 'it runs until it is killed')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  assert.deepEqual(await ended, [null, 'SIGKILL'], 'it ended because it was killed')
}
