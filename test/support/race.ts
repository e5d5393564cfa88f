// A race between whoever asks for files and whoever swaps a folder for a link to a place outside.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { harvest, plant } from './tree.ts'

/** What a call came to. A leak is told by throwing. */
export type Outcome = 'done' | 'refused'

export type Racer = Readonly<{ name: string; run(round: number): Promise<Outcome> }>

export type RaceCourse = Readonly<{ root: string; outside: string }>

/** In the folder and in the file that are swapped: whoever reads anything else has read outside. */
export const insideText = 'this is inside'
const outsideText = 'this is outside'

const usualCalls = 20_000
const leastOfEach = 100
const longest = 10 * 60 * 1000
const atOnce = 8

/**
 * Below the root: `d/f` and `d/old`, a file each in the folder that is swapped, and `file`, swapped itself; the same names
 * stand outside. `d/to` is an empty folder.
 */
export async function layCourse({ root, outside }: RaceCourse): Promise<void> {
  await plant(outside, { f: outsideText, old: outsideText, secret: outsideText, 'to/': '' })
  await plant(root, { 'd/f': insideText, 'd/old': insideText, 'd/to/': '', file: insideText })
  await mkdir(join(root, 'links'))
  await symlink(outside, join(root, 'links/d'))
  await symlink(join(outside, 'f'), join(root, 'links/file'))
}

/** How often each racer came to each outcome. */
export type Tally = Record<string, Record<Outcome, number>>

/**
 * Runs the racers, eight calls at a time, until there were 20,000 calls and each racer saw both outcomes 100 times.
 * Fails when that takes more than ten minutes, and when anything outside was changed.
 */
export async function race(course: RaceCourse, racers: readonly Racer[], calls = usualCalls): Promise<Tally> {
  const before = await harvest(course.outside)
  const seen: Tally = Object.fromEntries(racers.map(({ name }) => [name, { done: 0, refused: 0 }]))
  const swapper = await startSwapper(course)
  try {
    const check = () => assert.equal(swapper.exitCode, null, 'the swapper goes on to the end')
    await runAll({ racers, seen, calls, check })
  } finally {
    const ended = swapper.exitCode ?? once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await ended
  }
  assert.deepEqual(await harvest(course.outside), before, 'nothing outside was changed')
  for (const [path, text] of Object.entries(await harvest(course.root))) {
    if (typeof text === 'string' && !path.endsWith('/')) assert.equal(text, insideText, `nothing from outside came to ${path}`)
    assert.doesNotMatch(path, /\.part$/, 'no part is left')
  }
  return seen
}

async function startSwapper({ root }: RaceCourse) {
  const pairs = ['d', 'file'].flatMap((name) => [join(root, name), join(root, 'links', name)])
  const swapper = spawn(process.execPath, [join(import.meta.dirname, 'swapper.ts'), ...pairs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(swapper.stdout, 'data'), once(swapper, 'exit').then(() => assert.fail('the swapper did not start'))])
  return swapper
}

type Run = { racers: readonly Racer[]; seen: Tally; calls: number; check: () => void }

async function runAll({ racers, seen, calls, check }: Run) {
  const end = Date.now() + longest
  let round = 0
  let isLost = false
  const isEnough = () =>
    round >= calls && Object.values(seen).every(({ done, refused }) => Math.min(done, refused) >= leastOfEach)
  const runOne = async () => {
    check()
    assert.ok(Date.now() < end, `not every outcome was seen in ten minutes: ${JSON.stringify(seen)}`)
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
