// kill -9 of the browser amid uploads, deletes, pastes, restores, purges, jobs and their undoing: the server comes to rest, every file is
// whole, and at its place or in the trash, exactly once, and another browser goes on. HOLDALL_TEST_SEED repeats the random choices of a
// run, HOLDALL_TEST_KILLS is the number of kills.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TrashList } from '../../src-server/contract/trash.ts'
import { asPrincipal, type PrincipalCalls } from '../support/as-principal.ts'
import { launchMortalBrowser } from '../support/browser.ts'
import { foundContents } from '../support/contents.ts'
import { jobCalls } from '../support/job-calls.ts'
import { type PageKind, PageWork, pageKinds } from '../support/page-work.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const kills = Number(process.env.HOLDALL_TEST_KILLS ?? byScale({ usual: 5, long: 20, full: 200 }))
const site = startSite()
/** What kills those that a failed test leaves, after it has told what they show. */
const browsers: (() => Promise<void>)[] = []
after(() => Promise.all(browsers.map((kill) => kill())))

test(`${kills} kills of a browser leave every file whole, once, and another browser goes on (seed ${seed})`, {
  timeout: 60_000 + kills * 20_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}: HOLDALL_TEST_SEED=${seed} repeats it`)
  const random = new SeededRandom(seed)
  const calls = await administrator()
  const source = join(site.folder, 'source')
  mkdirSync(source)
  const work = new PageWork({ url: site.url, root: site.root, source, calls, random, look: () => foundContents(site.root) })
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const order = shuffled(pageKinds, random)
  for (let round = 0; round < kills; round++) {
    const { browser, kill } = await launchMortalBrowser()
    browsers.push(kill)
    const { page } = await site.openListing({}, { browser })
    await work.goOn(page)
    if (random.below(4) === 0) await work.work(page, random.pick(pageKinds))
    const wasOver = await work.dieAmid(page, order[round % order.length] as PageKind, kill)
    if (!wasOver) count('without an answer')
    await atRest(calls)
    const { kind, far } = await work.compare()
    for (const what of [far, kind]) count(what)
    await compareTrash(calls)
    await work.clearIfLarge()
  }
  t.diagnostic(JSON.stringify({ kills, ...Object.fromEntries(counts) }))
  // Of a few each may come late, where the machine is quick.
  if (kills >= 20)
    assert.ok((counts.get('without an answer') ?? 0) * 5 >= kills, 'the kills interrupt, so that the test is meaningful')
  const { page, close } = await site.openListing()
  await work.goOn(page)
  await close()
})

async function administrator(): Promise<PrincipalCalls> {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  return asPrincipal(site.url, await answer.text())
}

/**
 * The numbers of the sockets that are connected to the server, or that it has not closed yet. Those of a browser that was killed are
 * closed when the server has read all that was sent.
 */
function socketsAtServer(): string[] {
  const port = `:${Number(new URL(site.url).port).toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/self/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .map(([, local = '', remote = '', state, , , , , , inode = '']) => ({ local, remote, state, inode })),
  )
  const open = sockets.filter(({ local, state }) => local.endsWith(port) && state !== listening && state !== timeWait)
  return open.map(({ local, remote }) => sockets.find((one) => one.local === remote && one.remote === local)?.inode ?? 'closed')
}

/** States of sockets, as the kernel lists them. */
const [timeWait, listening] = ['06', '0A']

/** Whether none but this process has something to say to the server. */
function isAlone(): boolean {
  const own = new Set(readdirSync('/proc/self/fd').map(linkAt))
  return socketsAtServer().every((inode) => own.has(`socket:[${inode}]`))
}

/** @returns '' for what was closed meanwhile */
function linkAt(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** Milliseconds for which nothing has changed, where that is less than 25 looks. */
const restTime = 5000

/**
 * Waits until the server has all that the browser sent before it died, no job runs and nothing is being undone, nothing is left of
 * uploads that were cut off, and what is on the disk has been the same for a while.
 */
async function atRest(calls: PrincipalCalls): Promise<void> {
  const { list } = jobCalls(calls)
  await until(isAlone, () => `the server has read what the browser sent: ${socketsAtServer()}`)
  let [times, before, left] = [0, '', '']
  let changedAt = Date.now()
  await until(
    async () => {
      const open = (await list()).filter(({ state }) => state !== 'ended')
      const isUndoing = (await calls.ask('POST', '/api/history/none/undo')).status !== 404
      const { now, parts } = look()
      const isSame = open.length === 0 && !isUndoing && parts === 0 && now === before
      times = isSame ? times + 1 : 0
      if (!isSame) changedAt = Date.now()
      before = now
      left = JSON.stringify({ open, isUndoing, parts })
      // Of many files a look takes long on a busy machine.
      return times >= 25 || (times >= 3 && Date.now() - changedAt >= restTime)
    },
    () => `the server is at rest: ${left}`,
  )
}

/** What is on the disk. While the server works, an entry of the trash may lack its information, or have a note beside it. */
function look(): { now: string; parts: number | string } {
  try {
    const { where, parts, trashed } = foundContents(site.root)
    return { now: JSON.stringify([[...where], trashed]), parts }
  } catch (error) {
    return { now: '', parts: String(error) }
  }
}

async function compareTrash(calls: PrincipalCalls): Promise<void> {
  const { items } = (await (await calls.ask('GET', '/api/trash?limit=1000')).json()) as TrashList
  assert.deepEqual(items.map(({ path }) => path).sort(), foundContents(site.root).trashed)
}

function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const rest = [...list]
  const all: T[] = []
  while (rest.length > 0) all.push(...rest.splice(random.below(rest.length), 1))
  return all
}
