// A row of the benchmark, and how it is run: the server and the tools alternate in each round, so that other load on the machine
// affects all of them.
import { median } from './measure.ts'
import type { Memory } from './process-cost.ts'
import { openWorkplace, type Workplace } from './workplace.ts'

/** The result of one round; fields that do not apply are missing. `processor` is in seconds. */
export type Figures = { seconds?: number; processor?: number; memory?: Memory; note?: string }

/** One way to do the work of a row: this server, or a plain tool beside it. */
export type Way = Readonly<{
  name: string
  /** Prepares, measures and cleans up. */
  run(round: number): Promise<Figures>
}>

export type Row = Readonly<{
  name: string
  title: string
  /** The figure before the optimisation, and the target. */
  today: string
  reach: string
  rounds: number
  /** Creates the files and starts the server. */
  prepare(place: Workplace): Promise<readonly Way[]>
}>

/** The result of all rounds: medians of the times, the largest memory, the last note. */
export type Result = Readonly<{ way: string; seconds: readonly number[]; processor?: number; memory?: Memory; note?: string }>

/** Seconds after which a row is stopped. */
const deadline = 300

/** @throws when it takes longer than five minutes */
export async function runRow(row: Row): Promise<Result[]> {
  const place = await openWorkplace(row.name)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void place.close()
  }, deadline * 1000)
  try {
    return await interleave(row, await row.prepare(place))
  } catch (error) {
    throw isLate ? new Error(`given up after ${deadline} s`, { cause: error }) : error
  } finally {
    clearTimeout(timer)
    await place.close()
  }
}

async function interleave({ rounds }: Row, ways: readonly Way[]): Promise<Result[]> {
  const figures = new Map<Way, Figures[]>(ways.map((way) => [way, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const [way, seen] of figures) seen.push(await way.run(round))
  }
  return [...figures].map(([way, seen]) => summarize(way.name, seen))
}

function summarize(way: string, figures: readonly Figures[]): Result {
  const seconds = figures.flatMap(({ seconds }) => seconds ?? [])
  const processor = figures.flatMap(({ processor }) => processor ?? [])
  const memory = figures.flatMap(({ memory }) => memory ?? [])
  const note = figures.at(-1)?.note
  return {
    way,
    seconds,
    ...(processor.length > 0 && { processor: median(processor) }),
    ...(memory.length > 0 && { memory: largest(memory) }),
    ...(note !== undefined && { note }),
  }
}

function largest(memory: readonly Memory[]): Memory {
  return {
    anonymous: Math.max(...memory.map(({ anonymous }) => anonymous)),
    resident: Math.max(...memory.map(({ resident }) => resident)),
  }
}
