// How far the entries of one job are: what its log says, in memory while it runs.
import { nextTickAfter } from '../base/clock-ticks.ts'
import { Failure } from '../base/failure.ts'
import { mostEntries, type WhenTaken } from '../contract/jobs.ts'
import { EntriesFailed } from '../files/entries-failed.ts'
import type { Rest } from '../files/replaced.ts'
import type { JobHead, JobLine } from '../state/job-store.ts'
import { withdrawn } from '../users/access-revocation.ts'

/** What an entry had come to before it got an outcome, or when it failed halfway. */
export type Begun = Readonly<{
  version: string
  isDir: boolean
  identity?: string
  item?: string
  size?: number
  at?: number
  to: string | undefined
  replaces: boolean
  /** Identifies the half copy that is gone on with. */
  half?: string
  /** Since when it makes copies, of a move to another file system. */
  across?: number
}>

type Failed = Extract<JobLine, { failed: number }>
export type Why = Failed['why']
export type FailedInside = NonNullable<Failed['inside']>

/** @returns what is told of a failure: nothing of the host */
export function whyOf(error: unknown): Why {
  const refused = error === withdrawn ? new Failure('forbidden', 'the right to this was withdrawn') : error
  const failure = refused instanceof Failure ? refused : new Failure('internal')
  return { code: failure.code, template: failure.template, about: { ...failure.about } }
}

/** @param most entries that are named @returns what failed of a folder, and undefined when all of it did */
export function insideOf(error: unknown, most: number): FailedInside | undefined {
  if (!(error instanceof EntriesFailed)) return undefined
  const entries = error.entries.slice(0, most).map(({ path, error: cause }) => ({ path, why: whyOf(cause) }))
  return { entries, more: error.more + error.entries.length - entries.length }
}

/** By the number of the entry. Those without an outcome and without a question are open. */
export class JobProgress {
  readonly count: number
  readonly #outcomes = new Map<number, 'done' | 'failed' | 'skipped'>()
  readonly begun = new Map<number, Begun>()
  /** Since when each question waits, in milliseconds since the epoch. */
  readonly questions = new Map<number, number>()
  /** The names that are asked about, of entries that do not say them. */
  readonly askedNames = new Map<number, string>()
  readonly failures = new Map<number, Why>()
  /** What failed of entries of which the rest is done. */
  readonly failedInside = new Map<number, FailedInside>()
  /** Names other than their own that entries got. */
  readonly names = new Map<number, string>()
  readonly values = new Map<number, unknown>()
  /** Entries that are done and have changed nothing. */
  readonly #unchanged = new Set<number>()
  readonly rests: Rest[] = []
  readonly #answers = new Map<number, WhenTaken>()
  #answerOfAll: WhenTaken | undefined

  constructor(count: number, lines: readonly JobLine[] = []) {
    this.count = count
    for (const line of lines) this.add(line)
  }

  add(line: JobLine): void {
    if ('begun' in line) this.#begin(line)
    else if ('across' in line) this.#cross(line)
    else if ('asked' in line) this.#ask(line)
    else if ('answered' in line) this.#answer(line)
    else if ('done' in line) {
      this.#end(line.done, 'done')
      if (line.value !== undefined) this.values.set(line.done, line.value)
      if (line.isUnchanged) this.#unchanged.add(line.done)
    } else if ('failed' in line) {
      const begun = this.begun.get(line.failed)
      this.#end(line.failed, 'failed')
      if (begun && line.half) this.begun.set(line.failed, { ...begun, half: line.half })
      this.failures.set(line.failed, line.why)
      if (line.inside) this.failedInside.set(line.failed, line.inside)
    } else if ('skipped' in line) this.#end(line.skipped, 'skipped')
    else if ('rested' in line) this.rests.push(line)
    else this.#retry()
  }

  /**
   * Notes that it rested since a moment, of which something has begun: what others made meanwhile is not to be taken for its own.
   * @returns the rest, at the next tick of the clock with which files are stamped
   */
  async rest(since: number): Promise<Rest | undefined> {
    if (this.begun.size === 0) return undefined
    const rest = { rested: since, until: Date.now() }
    await nextTickAfter(rest.until)
    this.rests.push(rest)
    return rest
  }

  /** How the taken name of an entry was decided about; undefined when it was not. */
  answerOf(entry: number): WhenTaken | undefined {
    return this.#answers.get(entry) ?? this.#answerOfAll
  }

  isOpen(entry: number): boolean {
    return !this.#outcomes.has(entry) && !this.questions.has(entry)
  }

  /** Whether an entry has an outcome. */
  hasEnded(entry: number): boolean {
    return this.#outcomes.has(entry)
  }

  /** The next open entries from a number on. */
  *open(from = 0): Generator<number> {
    for (let entry = from; entry < this.count; entry++) if (this.isOpen(entry)) yield entry
  }

  /** Those that have begun and have no outcome. */
  openBegun(): number[] {
    return [...this.begun.keys()].filter((entry) => this.isOpen(entry))
  }

  get hasOpen(): boolean {
    return !this.open().next().done
  }

  /** How many more entries of folders are to be named that have failed. */
  get roomInside(): number {
    let room = mostEntries
    for (const { entries } of this.failedInside.values()) room -= entries.length
    // Several may fail at once.
    return Math.max(0, room)
  }

  counts(): Pick<JobHead, 'done' | 'failed' | 'skipped' | 'unchanged'> & { asked: number } {
    const counts = { done: 0, failed: 0, skipped: 0, asked: this.questions.size }
    for (const outcome of this.#outcomes.values()) counts[outcome]++
    const unchanged = this.#unchanged.size
    return { ...counts, ...(unchanged > 0 && { unchanged }) }
  }

  /** The entries that were skipped and, when the job is over, those that it did not come to. */
  *leftOut(isOver: boolean): Generator<number> {
    for (let entry = 0; entry < this.count; entry++) {
      const outcome = this.#outcomes.get(entry)
      if (outcome === 'skipped' || (isOver && !outcome)) yield entry
    }
  }

  /** The lines from which all of this comes again. */
  lines(): JobLine[] {
    const lines: JobLine[] = [...this.rests]
    if (this.#answerOfAll) lines.push({ answered: 0, taken: this.#answerOfAll, all: true })
    for (const [answered, taken] of this.#answers) lines.push({ answered, taken })
    for (const [begun, was] of this.begun) {
      lines.push({ begun, ...lineOf(was) })
      if (was.across !== undefined) lines.push({ across: begun, at: was.across })
    }
    for (const [asked, at] of this.questions) {
      const to = this.askedNames.get(asked)
      lines.push({ asked, at, ...(to !== undefined && { to }) })
    }
    for (const [entry, outcome] of this.#outcomes) lines.push(this.#outcomeLine(entry, outcome))
    return lines
  }

  #outcomeLine(entry: number, outcome: 'done' | 'failed' | 'skipped'): JobLine {
    if (outcome === 'skipped') return { skipped: entry }
    const half = this.begun.get(entry)?.half
    if (outcome === 'failed') {
      const inside = this.failedInside.get(entry)
      return { failed: entry, why: this.failures.get(entry) as Why, ...(half && { half }), ...(inside && { inside }) }
    }
    const isUnchanged = this.#unchanged.has(entry) && { isUnchanged: true as const }
    return { done: entry, ...(this.values.has(entry) && { value: this.values.get(entry) }), ...isUnchanged }
  }

  #begin({ begun, to, replaces, ...was }: Extract<JobLine, { begun: number }>) {
    // One that goes on is logged as it was begun.
    const { at, across } = this.begun.get(begun) ?? {}
    const goesOn = at === was.at && across !== undefined
    this.begun.set(begun, { ...was, to, replaces: replaces === true, ...(goesOn && { across }) })
    if (to !== undefined) this.names.set(begun, to)
  }

  /** The copies of its first run count too. */
  #cross({ across, at }: Extract<JobLine, { across: number }>) {
    const was = this.begun.get(across)
    if (was) this.begun.set(across, { across: at, ...was })
  }

  #ask({ asked, at, to }: Extract<JobLine, { asked: number }>) {
    this.questions.set(asked, at)
    if (to !== undefined) this.askedNames.set(asked, to)
  }

  #answer({ answered, taken, all }: Extract<JobLine, { answered: number }>) {
    this.questions.delete(answered)
    if (!all) this.#answers.set(answered, taken)
    else {
      this.#answerOfAll = taken
      this.questions.clear()
    }
  }

  #end(entry: number, outcome: 'done' | 'failed' | 'skipped') {
    this.#outcomes.set(entry, outcome)
    this.questions.delete(entry)
    if (outcome !== 'done') this.names.delete(entry)
    this.begun.delete(entry)
  }

  /** What has failed is done as if for the first time, unless some of it is at its target. */
  #retry() {
    for (const entry of this.failures.keys()) this.#outcomes.delete(entry)
    this.failures.clear()
    this.failedInside.clear()
  }
}

/** What is logged of an entry that has begun. */
export function lineOf({ to, replaces, across: _, ...was }: Begun): Omit<Extract<JobLine, { begun: number }>, 'begun'> {
  return { ...was, ...(to !== undefined && { to }), ...(replaces && { replaces: true as const }) }
}
