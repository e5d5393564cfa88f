// `npm run bench -- load`: the peak memory of the server under each load, and the waiting times of another user.
import { setTimeout } from 'node:timers/promises'
import { untilAtRest, watchPeak } from '../process-cost.ts'
import { megabytes } from '../table.ts'
import { openWorkplace, otherPerson, signIn, type Workplace } from '../workplace.ts'
import { makeLoadFiles } from './files.ts'
import { startProbe } from './probe.ts'
import type { LoadRow } from './rows.ts'

/** Limits: bytes of resident memory, and milliseconds of the slowest listing of another user. */
const limits = { resident: 400e6, listing: 500 }
/** Minimal duration of the measurement in ms: a short load may have its effect a little later. */
const shortest = 3000

type Outcome = { resident: number; anonymous: number; worst: number; listings: number; failed: number; note: string }

/** @returns whether all of it is within the limits */
export async function runLoad(rows: readonly LoadRow[]): Promise<boolean> {
  console.log(
    `\nload: at most ${megabytes(limits.resident)} MB resident, and ${limits.listing} ms for the listing of another person`,
  )
  const place = await openWorkplace('load')
  let isWithin = true
  try {
    await makeLoadFiles(place.root)
    for (const row of rows) isWithin = (await show(row, place)) && isWithin
  } finally {
    await place.close()
  }
  return isWithin
}

async function show(row: LoadRow, place: Workplace): Promise<boolean> {
  console.log(`  ${row.name}: ${row.title}`)
  try {
    const outcome = await measure(row, place)
    const { resident, anonymous, worst, listings, failed, note } = outcome
    const isWithin = resident <= limits.resident && worst <= limits.listing && failed === 0
    const memory = `${megabytes(resident)} MB resident (${megabytes(anonymous)} own)`
    const others = `slowest of ${listings} listings ${worst.toFixed(0)} ms${failed > 0 ? `, ${failed} failed` : ''}`
    console.log(`    ${isWithin ? 'ok  ' : 'OVER'}  ${memory}; ${others}; ${note}`)
    return isWithin
  } catch (error) {
    console.log(`    OVER  ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Each load has its own server, because a process keeps allocated memory. */
async function measure(row: LoadRow, { start, root }: Workplace): Promise<Outcome> {
  const { url, pid, stop } = await start()
  try {
    const token = await signIn(url)
    const otherToken = await signIn(url, otherPerson)
    await untilAtRest(pid)
    const stopProbe = await startProbe(url, otherToken)
    const peak = watchPeak(pid)
    const run = Promise.all([row.run({ url, pid, token, root }), setTimeout(shortest)])
    // Also when the load fails: the thread of the probe would keep the bench running.
    const probed = await run.then(stopProbe, stopProbe)
    peak.stop()
    const [note] = await run
    return { ...peak.memory(), ...probed, note }
  } finally {
    // Also when the load fails: the next server has the same state.
    await stop()
  }
}
