// How far a run is, for people: entries at any depth and bytes, of how many, how fast, and how long the rest may take.
import type { Progress } from '../base/operation.ts'

/** What a tree holds: entries at any depth, itself too, and bytes of its files. */
export type TreeCount = Readonly<{ files: number; bytes: number }>

/**
 * `ofBytes`: only when it is known of all. `speed`: bytes a second. `left`: seconds, as far as they can be told from those before.
 * `again`: bytes of files that were stopped before they were whole. `isCounting`: folders are known of which it is not known what they hold.
 */
export type RunFigures = Readonly<{
  files: number
  ofFiles: number
  bytes: number
  ofBytes?: number
  speed?: number
  left?: number
  again?: number
  isCounting?: true
  name: string
}>

/**
 * Of an entry that is being worked on. `before`: what was done of it when it was stopped. That is not copied again, and is counted again
 * as it is found.
 */
type Active = { done: number; total: number; bytes: number; dropped: number; before: TreeCount }

/** What a run leaves to the next one of its job. */
export type KeptSums = Readonly<{
  /** Of entries that have ended. */
  ended: Readonly<{ entries: number; files: number; bytes: number }>
  /** What entries hold that have not ended. */
  expected: ReadonlyMap<number, TreeCount>
  /** What is done of entries that were stopped, and of those that have failed. */
  stopped: ReadonlyMap<number, TreeCount>
  failed: ReadonlyMap<number, TreeCount>
}>

/** Entries of which a job that rests keeps what they hold: of more it is counted anew. */
const mostKept = 1000

/** The part of the entries that must be folders of an unknown size for the sum to say nothing: one of so many. */
const fewest = 10

const nothing: TreeCount = { files: 0, bytes: 0 }

type TallyParts = Readonly<{
  count: number
  ended: number
  isCounted: boolean
  elapsed: () => number
  kept?: KeptSums | undefined
  hasEnded?: (entry: number) => boolean
}>

type Sample = Readonly<{ at: number; files: number; bytes: number }>

/** Milliseconds: of the past that tells the speed, between two samples of it, and that must be known before it is told. */
const [window, samplePause, leastKnown] = [10_000, 500, 2000]

export class RunTally {
  readonly #count: number
  readonly #isCounted: boolean
  readonly #elapsed: () => number
  readonly #active = new Map<number, Active>()
  /** What entries hold that have not ended. */
  readonly #expected = new Map<number, TreeCount>()
  /** Folders among those of which that is not known. */
  readonly #uncounted = new Set<number>()
  /** Whether what folders hold is told by `report` alone. */
  #isCountedByWork: boolean
  #expectedMore = 0
  #expectedBytes = 0
  readonly #ended = { entries: 0, files: 0, bytes: 0 }
  readonly #stopped = new Map<number, TreeCount>()
  readonly #failed = new Map<number, TreeCount>()
  /** Bytes of files of entries that were stopped. */
  readonly #again = new Map<number, number>()
  #samples: Sample[] = []
  #name = ''

  /**
   * @param of.count how many entries were named, and `ended` how many of these had ended before
   * @param of.isCounted whether what folders hold is told by `expect`: before that the rest is unknown
   * @param of.kept by the run before, and `hasEnded` whether an entry has an outcome still: what has failed may be done again
   */
  constructor(of: TallyParts) {
    const { count, ended, isCounted, elapsed, kept, hasEnded = () => true } = of
    this.#count = count
    this.#isCounted = isCounted
    this.#isCountedByWork = !isCounted
    this.#elapsed = elapsed
    this.#ended.entries = ended
    this.#ended.files = ended
    if (kept) this.#goOn(kept, hasEnded)
    this.#note()
  }

  #goOn(kept: KeptSums, hasEnded: (entry: number) => boolean) {
    let { entries, files, bytes } = kept.ended
    for (const [entry, done] of kept.failed) {
      if (hasEnded(entry)) this.#failed.set(entry, done)
      else {
        entries--
        files -= done.files
        bytes -= done.bytes
        // What is whole of a folder stays.
        if (done.files > 1) this.#stopped.set(entry, done)
      }
    }
    for (const [entry, done] of kept.stopped) this.#stopped.set(entry, done)
    for (const [entry, holds] of kept.expected) this.expect(entry, holds)
    // One that got an outcome since is one file, as far as it is known.
    this.#ended.files = files + this.#ended.entries - entries
    this.#ended.bytes = bytes
  }

  /** What the next run of the job goes on with. */
  kept(): KeptSums {
    for (const entry of [...this.#active.keys()]) this.stop(entry)
    const few = <T>(all: ReadonlyMap<number, T>) => (all.size <= mostKept ? new Map(all) : new Map<number, T>())
    const { entries, files, bytes } = this.#ended
    return {
      ended: { entries, files, bytes },
      expected: few(this.#expected),
      stopped: few(this.#stopped),
      failed: few(this.#failed),
    }
  }

  /** Whether it is known what an entry holds. */
  knows(entry: number): boolean {
    return this.#expected.has(entry)
  }

  /** An entry that has not ended holds so much. */
  expect(entry: number, holds: TreeCount): void {
    this.#forget(entry)
    this.#uncounted.delete(entry)
    this.#expected.set(entry, holds)
    this.#expectedMore += holds.files - 1
    this.#expectedBytes += holds.bytes
  }

  /** An entry was looked at. A folder holds more than itself. */
  see(entry: number, { isDir, size }: Readonly<{ isDir: boolean; size?: number }>): void {
    if (!isDir && size !== undefined) this.expect(entry, { files: 1, bytes: size })
    else if (isDir && !this.knows(entry)) this.#uncounted.add(entry)
  }

  /** Nothing more will be expected. */
  countNoMore(): void {
    this.#isCountedByWork = true
    this.#uncounted.clear()
  }

  begin(entry: number, name: string): void {
    this.stop(entry)
    const before = this.#stopped.get(entry) ?? nothing
    this.#stopped.delete(entry)
    this.#again.delete(entry)
    this.#active.set(entry, { done: 0, total: 1, bytes: 0, dropped: 0, before })
    this.#name = name
  }

  /** So many entries of one are done. @param how.bytes of all of its files, where the work has found that out */
  report(entry: number, { done, total = 1, bytes }: Progress): void {
    const active = this.#active.get(entry)
    if (bytes !== undefined) this.expect(entry, { files: total, bytes })
    if (active) Object.assign(active, { done, total })
    if (this.#isCountedByWork) this.#uncounted.delete(entry)
    this.#note()
  }

  /** More bytes of one were copied, or these were dropped with a file that is not whole. */
  transferred(entry: number, bytes: number, name: string): void {
    const active = this.#active.get(entry)
    if (active) active.bytes += bytes
    if (active && bytes < 0) active.dropped -= bytes
    this.#name = name
    this.#note()
  }

  /** How many entries are done of one that is being worked on. */
  doneOf(entry: number): number {
    return this.#active.get(entry)?.done ?? 0
  }

  /** It was stopped, and has no outcome. Of a folder what is whole stays; a file is begun anew. */
  stop(entry: number): void {
    const active = this.#active.get(entry)
    this.#active.delete(entry)
    if (active?.dropped) this.#again.set(entry, active.dropped)
    if (active && (active.done > 0 || active.before.files > 0)) this.#stopped.set(entry, this.#doneOf(entry, active))
  }

  #doneOf(entry: number, { done, bytes, before }: Active): TreeCount {
    const { bytes: most = Number.POSITIVE_INFINITY } = this.#expected.get(entry) ?? {}
    return { files: Math.max(done, before.files), bytes: Math.min(bytes + before.bytes, Math.max(most, bytes)) }
  }

  /** It has an outcome. */
  end(entry: number, isDone: boolean): void {
    const active = this.#active.get(entry) ?? {
      done: 0,
      total: 1,
      bytes: 0,
      dropped: 0,
      before: this.#stopped.get(entry) ?? nothing,
    }
    const { files: done, bytes } = this.#doneOf(entry, active)
    const { files = 1, bytes: expected = 0 } = this.#expected.get(entry) ?? {}
    this.#active.delete(entry)
    this.#stopped.delete(entry)
    this.#uncounted.delete(entry)
    this.#forget(entry)
    const counted = isDone
      ? { files: Math.max(1, done, active.total, files), bytes: Math.max(bytes, expected) }
      : { files: Math.max(1, done), bytes }
    if (!isDone) this.#failed.set(entry, counted)
    this.#ended.entries++
    this.#ended.files += counted.files
    this.#ended.bytes += counted.bytes
    this.#note()
  }

  figures(): RunFigures {
    const { files, bytes } = this.#now()
    let ofFiles = this.#ended.files + (this.#count - this.#ended.entries) + this.#expectedMore
    for (const [entry, { total }] of this.#active) ofFiles += Math.max(0, total - (this.#expected.get(entry)?.files ?? 1))
    const isKnown = this.#ended.entries + this.#expected.size >= this.#count
    const ofBytes = Math.max(bytes, this.#ended.bytes + this.#expectedBytes)
    const rates = this.#rates({ files, bytes })
    const times = [timeFor(ofFiles - files, rates?.files), isKnown ? timeFor(ofBytes - bytes, rates?.bytes) : 0]
    const left = rates && (isKnown || !this.#isCounted) ? Math.ceil(Math.max(...times)) : 0
    const again = [...this.#again.values()].reduce((sum, dropped) => sum + dropped, 0)
    const isLeft = left > 0 && Number.isFinite(left)
    return {
      ...{ files, ofFiles: Math.max(files, ofFiles), bytes, name: this.#name },
      ...(isKnown && ofBytes > 0 && { ofBytes }),
      ...(rates && rates.bytes > 0 && { speed: Math.round(rates.bytes) }),
      ...(isLeft && { left }),
      ...(again > 0 && { again }),
      // Of many entries a few say little about how many there are.
      ...(this.#uncounted.size * fewest > this.#count && { isCounting: true as const }),
    }
  }

  #now(): { files: number; bytes: number } {
    let { files, bytes } = this.#ended
    for (const [entry, active] of this.#active) {
      const done = this.#doneOf(entry, active)
      files += done.files
      bytes += done.bytes
    }
    for (const done of this.#stopped.values()) {
      files += done.files
      bytes += done.bytes
    }
    return { files, bytes }
  }

  /** What is done in a second; undefined while too little is known. */
  #rates({ files, bytes }: TreeCount): TreeCount | undefined {
    const [first] = this.#samples
    const time = first ? this.#elapsed() - first.at : 0
    if (!first || time < leastKnown) return undefined
    return { files: (1000 * (files - first.files)) / time, bytes: (1000 * (bytes - first.bytes)) / time }
  }

  #note() {
    const at = this.#elapsed()
    const last = this.#samples.at(-1)
    if (last && at - last.at < samplePause) return
    this.#samples.push({ at, ...this.#now() })
    // The last sample before the window is its beginning.
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - window) this.#samples.shift()
  }

  #forget(entry: number) {
    const holds = this.#expected.get(entry)
    if (!holds) return
    this.#expected.delete(entry)
    this.#expectedMore -= holds.files - 1
    this.#expectedBytes -= holds.bytes
  }
}

/** @returns seconds; 0 for nothing, infinity when nothing goes on */
function timeFor(rest: number, rate = 0): number {
  return rest <= 0 ? 0 : rest / rate
}
