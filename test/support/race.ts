// A race between requests for files and a process that swaps a folder for a link to a folder outside.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { byScale } from './scale.ts'
import { harvest, plant } from './tree.ts'

/** The outcome of a call. A leak throws. */
export type Outcome = 'done' | 'refused'

export type Racer = Readonly<{ name: string; run(round: number): Promise<Outcome> }>

export type RaceFolders = Readonly<{ root: string; outside: string }>

/** The content of all files inside: reading anything else is a leak. */
export const insideText = 'this is inside'
const outsideText = 'this is outside'

/** Calls of one race, and how often each racer has each outcome at least. */
const calls = byScale({ usual: 800, long: 10_000, full: 200_000 })
const leastOfEach = byScale({ usual: 8, long: 100 })
/** Minutes that one race may take. */
const longest = byScale({ usual: 5, long: 25, full: 240 })
const atOnce = 8

/**
 * Makes the files. Below the root: `d/f` and `d/old`, files in a folder that is swapped; `file`, which is swapped itself; and
 * `d/to`, an empty folder. The folder outside has the same names.
 */
export async function makeRaceFolders({ root, outside }: RaceFolders): Promise<void> {
  await plant(outside, { f: outsideText, old: outsideText, secret: outsideText, 'to/': '' })
  await plant(root, { 'd/f': insideText, 'd/old': insideText, 'd/to/': '', file: insideText })
  await mkdir(join(root, 'links'))
  await symlink(outside, join(root, 'links/d'))
  await symlink(join(outside, 'f'), join(root, 'links/file'))
}

/** How often each racer had each outcome. */
export type Tally = Record<string, Record<Outcome, number>>

/**
 * Runs the racers, eight calls at a time, until there were so many calls (800 in `npm test`, 10,000 in `npm run test:long`) and
 * each racer had both outcomes several times. Fails when this takes too long, or when anything outside was changed.
 */
export async function race(folders: RaceFolders, racers: readonly Racer[]): Promise<Tally> {
  const before = await harvest(folders.outside)
  const seen: Tally = Object.fromEntries(racers.map(({ name }) => [name, { done: 0, refused: 0 }]))
  const swapper = await startSwapper(folders)
  try {
    const check = () => assert.equal(swapper.exitCode, null, 'the swapper goes on to the end')
    await runAll({ racers, seen, check })
  } finally {
    const ended = swapper.exitCode ?? once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await ended
  }
  assert.deepEqual(await harvest(folders.outside), before, 'nothing outside was changed')
  for (const [path, text] of Object.entries(await harvest(folders.root))) {
    if (typeof text === 'string' && !path.endsWith('/')) assert.equal(text, insideText, `nothing from outside came to ${path}`)
    assert.doesNotMatch(path, /\.part$/, 'no temporary file is left')
  }
  return seen
}

async function startSwapper({ root }: RaceFolders) {
  const pairs = ['d', 'file'].flatMap((name) => [join(root, name), join(root, 'links', name)])
  const swapper = spawn(process.execPath, [join(import.meta.dirname, 'swapper.ts'), ...pairs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(swapper.stdout, 'data'), once(swapper, 'exit').then(() => assert.fail('the swapper did not start'))])
  return swapper
}

type Run = { racers: readonly Racer[]; seen: Tally; check: () => void }

async function runAll({ racers, seen, check }: Run) {
  const end = Date.now() + longest * 60_000
  let round = 0
  let isLost = false
  const isEnough = () =>
    round >= calls && Object.values(seen).every(({ done, refused }) => Math.min(done, refused) >= leastOfEach)
  const runOne = async () => {
    check()
    assert.ok(Date.now() < end, `not every outcome was seen in ${longest} minutes: ${JSON.stringify(seen)}`)
    const racer = racers[round % racers.length] as Racer
    const outcomes = seen[racer.name] as Record<Outcome, number>
    outcomes[await racer.run(round++)]++
  }
  const runner = async () => {
    try {
      while (!isLost && !isEnough()) await runOne()
    } catch (error) {
      isLost = true
      throw error
    }
  }
  const runners = await Promise.allSettled(Array.from({ length: atOnce }, runner))
  for (const outcome of runners) if (outcome.status === 'rejected') throw outcome.reason
}
