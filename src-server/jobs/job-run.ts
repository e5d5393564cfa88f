// One run of a job: entry by entry, each with the rights of its moment. What would have to be compared after a restart is logged before
// the entry changes anything, for many entries at once.
import { nextTickAfter } from '../base/clock-ticks.ts'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import { Operation } from '../base/operation.ts'
import { childOf, nameOf, type Path, rootPath } from '../base/paths.ts'
import { EntriesFailed } from '../files/entries-failed.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { JobLine } from '../state/job-store.ts'
import { withdrawn } from '../users/access-revocation.ts'
import { countDelay } from './count-entries.ts'
import type { RunParts } from './job-parts.ts'
import { type EntryWork, kinds, type Named, type UndoAct } from './kinds.ts'
import { isOfTrash } from './names.ts'
import { type Begun, insideOf, lineOf, whyOf } from './progress.ts'
import { countBeside, figuresAtRest, follow } from './run-figures.ts'
import { type RunFigures, RunTally } from './tally.ts'

/** Entries whose names are logged together, and that are worked on at a time. */
const [groupSize, atOnce] = [64, 8]
/** Milliseconds after which a group is logged although more would fit. */
const longestGroup = 50
/** How often another name is tried when one is taken before it is used. */
const mostTries = 20

export class JobRun {
  readonly #parts: RunParts
  readonly #slots = new Limiter({ inAll: atOnce })
  /** Entries that had begun before this run. */
  readonly #resumed: Set<number>
  /** Names that entries of this run are about to get. */
  readonly #chosen = new Set<Path>()
  /** Names that entries of the job have got. */
  readonly #made: Set<string>
  readonly #tally: RunTally

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#resumed = new Set(parts.progress.begun.keys())
    this.#made = new Set(parts.progress.names.values())
    const { progress, clock, sums } = parts
    const { done, failed, skipped } = progress.counts()
    const counts = {
      count: progress.count,
      ended: done + failed + skipped,
      isCounted: kinds[parts.request.kind].counted !== undefined,
    }
    const hasEnded = (entry: number) => progress.hasEnded(entry)
    this.#tally = new RunTally({ ...counts, elapsed: () => clock.elapsed(), kept: sums.kept, hasEnded })
  }

  /** @throws what the log throws: nothing of the entries that were to be logged has changed then */
  async run(): Promise<void> {
    const over = new AbortController()
    const cancel = this.#parts.clock.after(countDelay, () => this.#count(over.signal))
    try {
      await this.#runAll()
    } finally {
      cancel()
      over.abort()
      const { progress, sums } = this.#parts
      const isOpen = progress.hasOpen || progress.questions.size > 0
      sums.kept = isOpen || progress.failures.size > 0 ? this.#tally.kept() : undefined
      sums.atRest = isOpen || this.#parts.signal.aborted ? figuresAtRest(this.#tally) : undefined
    }
  }

  async #runAll(): Promise<void> {
    let from = 0
    let planned: readonly number[] = []
    while (!this.#parts.signal.aborted) {
      const group = this.#nextGroup(from)
      if (group.length === 0 && planned.length === 0 && from === 0) return
      // Names are chosen for the next while the last are worked on, which have their places first.
      const working = planned.map((entry) => this.#slots.run(() => this.#work(entry)))
      const [next, ...worked] = await Promise.allSettled([this.#planAll(group), ...working])
      for (const one of [next, ...worked]) if (one.status === 'rejected') throw one.reason
      planned = next.status === 'fulfilled' ? next.value : []
      // From the beginning again when all are worked on: answers may have opened entries.
      from = group.length === 0 ? 0 : (group.at(-1) as number) + 1
    }
  }

  /** Ends entries that were begun and do not go on: see `Kind.end`. @throws as `run` */
  async end(entries: readonly number[]): Promise<void> {
    const ends = entries.map((entry) => this.#slots.run(() => this.#end(entry)))
    // Nothing of it goes on when it is said to have ended.
    for (const one of await Promise.allSettled(ends)) if (one.status === 'rejected') throw one.reason
  }

  /** Of what cannot be ended everything stays, as of what has failed. */
  async #end(entry: number): Promise<void> {
    const { progress, signal, request } = this.#parts
    const begun = progress.begun.get(entry)
    if (signal.aborted || !begun) return
    if (begun.half && (await this.#identityAt(begun.to as Path)) !== begun.half) return
    const before = { ...begun, rests: progress.rests }
    const work = { ...this.#workOf(entry, begun.to as Path | undefined, begun.replaces ?? false), before }
    const end = async (files: UserFiles) => (await kinds[request.kind].end?.(files, work)) === true
    const endOnce = async (tries: number): Promise<JobLine | undefined> => {
      try {
        return (await this.#withFiles({ signal, entry }, end)) ? { done: entry } : undefined
      } catch (error) {
        // A right that it does not need may have been withdrawn.
        return error === withdrawn && tries < mostTries && !signal.aborted ? endOnce(tries + 1) : this.#failed(entry, error)
      }
    }
    const line = await endOnce(1)
    if (line) await this.#log([line], false)
  }

  figures(): RunFigures {
    return this.#tally.figures()
  }

  #count(over: AbortSignal): void {
    const { progress, request, signal, onChange } = this.#parts
    const withFiles: Parameters<typeof countBeside>[0]['withFiles'] = (work) =>
      this.#withFiles({ signal: AbortSignal.any([signal, over]) }, work)
    countBeside({ request, progress, tally: this.#tally, over, onChange, withFiles })
  }

  #nextGroup(from: number): number[] {
    const group: number[] = []
    for (const entry of this.#parts.progress.open(from)) {
      group.push(entry)
      if (group.length === groupSize) break
    }
    return group
  }

  /** Chooses the names of a group and logs them. @returns the entries that have begun so */
  async #planAll(group: readonly number[]): Promise<number[]> {
    const lines: JobLine[] = []
    let until: number | undefined
    let isOver = false
    const plan = async (entry: number) => {
      if (isOver || this.#parts.signal.aborted) return
      until ??= performance.now() + longestGroup
      const line = await this.#plan(entry).catch((error: unknown) => this.#failed(entry, error))
      if (line) lines.push(line)
      if (performance.now() > until) isOver = true
    }
    await Promise.all(group.map((entry) => this.#slots.run(() => plan(entry))))
    await this.#log(
      lines,
      lines.some((line) => 'begun' in line || 'asked' in line),
    )
    return lines.flatMap((line) => ('begun' in line ? line.begun : []))
  }

  /** @returns what is to be logged before the entry changes anything; undefined when the run was stopped */
  async #plan(entry: number): Promise<JobLine | undefined> {
    const { request, progress, signal } = this.#parts
    return this.#withFiles({ signal }, async (files) => {
      const from = request.entries[entry] as Path
      const before = progress.begun.get(entry)
      if (before) this.#tally.see(entry, { isDir: before.isDir })
      if (before) return { begun: entry, ...lineOf(before) }
      if (isOfTrash(request.kind)) return this.#planItem(files, entry)
      if (request.kind === 'compress') return this.#planName(files, entry, { path: from, was: { version: '', isDir: false } })
      const source = await files.look(from)
      if (!source) throw new Failure('notFound')
      this.#tally.see(entry, source)
      const trace = request.kind === 'move' ? await files.resuming.traceBefore(source) : { version: source.version }
      const was = { isDir: source.isDir, ...trace }
      if (request.kind === 'delete') return { begun: entry, ...(await files.resuming.removal(source)) }
      if (kinds[request.kind].namesItself) return { begun: entry, ...was, at: Date.now() }
      if (!kinds[request.kind].hasTarget) return { begun: entry, ...was }
      const path = childOf(request.to as Path, nameOf(from))
      // A move onto itself changes nothing, and says so.
      if (request.kind === 'move' && path === from) return { skipped: entry }
      return this.#planName(files, entry, { path, was })
    })
  }

  /** The same of an entry of the trash. */
  async #planItem(files: UserFiles, entry: number): Promise<JobLine> {
    const { kind, entries } = this.#parts.request
    const { item, path } = await files.trash.seen(nameOf(entries[entry] as Path))
    const size = item.size === undefined ? {} : { size: item.size }
    const was = { version: '', isDir: item.isDir, identity: item.identity, ...size }
    if (item.size !== undefined) this.#tally.expect(entry, { files: 1, bytes: item.size })
    if (kind === 'purge') return { begun: entry, ...was }
    const line = await this.#planName(files, entry, { path, was })
    return 'asked' in line ? { ...line, to: path } : line
  }

  /** @param of.path the name that it is to get */
  async #planName(
    files: UserFiles,
    entry: number,
    of: Readonly<{ path: Path; was: Pick<Begun, 'version' | 'isDir'> }>,
  ): Promise<JobLine> {
    const to = await this.#nameFor(files, entry, of.path)
    if (to === 'skip') return { skipped: entry }
    if (to === 'ask') return { asked: entry, at: this.#parts.now() }
    this.#chosen.add(to.path)
    this.#made.add(to.path)
    // The clock of the system, which stamps files.
    return { begun: entry, ...of.was, at: Date.now(), to: to.path, ...(to.replaces && { replaces: true }) }
  }

  async #nameFor(files: UserFiles, entry: number, path: Path): Promise<'skip' | 'ask' | { path: Path; replaces: boolean }> {
    const { request, progress } = this.#parts
    const from = request.entries[entry] as Path
    const isTaken = this.#chosen.has(path) || (await files.look(path)) !== undefined
    if (!isTaken) return { path, replaces: false }
    const wanted = progress.answerOf(entry) ?? request.choices.get(from) ?? request.taken
    // What is to be replaced was there before the job: its own entries do not replace each other.
    const how = wanted === 'replace' && this.#made.has(path) ? 'number' : wanted
    if (how === 'skip' || how === 'ask') return how
    if (how === 'replace') {
      // At once: entries of one name are planned at the same time.
      this.#made.add(path)
      return { path, replaces: true }
    }
    return { path: await files.freeName(path, (candidate) => this.#chosen.has(candidate)), replaces: false }
  }

  async #work(entry: number): Promise<void> {
    for (let tries = 1; !this.#parts.signal.aborted; tries++) {
      const outcome = await this.#tryOnce(entry, tries)
      if (outcome === undefined) return this.#tally.stop(entry)
      if (outcome === 'again') {
        this.#resumed.add(entry)
        continue
      }
      if (outcome !== 'taken') {
        await this.#log([outcome], false)
        return
      }
      // Somebody else has taken the name: as if it had been so before.
      this.#parts.progress.begun.delete(entry)
      this.#resumed.delete(entry)
      const line = await this.#plan(entry).catch((error: unknown) => this.#failed(entry, error))
      if (!line) return
      await this.#log([line], true)
      if (!('begun' in line)) return
    }
  }

  /** @returns undefined when the run was stopped, `again` when a right was withdrawn: the entry is as it is, and asks what is left of them */
  async #tryOnce(entry: number, tries: number): Promise<JobLine | 'taken' | 'again' | undefined> {
    const { progress, request, signal } = this.#parts
    const before = progress.begun.get(entry)
    const work = this.#workOf(entry, before?.to as Path | undefined, before?.replaces ?? false)
    this.#tally.begin(entry, nameOf(work.from))
    try {
      // Somebody else may have made something under the name since it failed.
      if (before?.half && (await this.#identityAt(work.to)) !== before.half) return 'taken'
      const value = await this.#withFiles({ signal, entry }, (files, operation) => {
        const undo: UndoAct = (...asked) => this.#parts.undo(...asked)
        return kinds[request.kind].run(files, work, {
          operation,
          undo,
          folder: request.to ?? rootPath,
          noteGiven: (given) => this.#noteGiven(entry, given),
        })
      })
      const isUnchanged = value !== undefined && kinds[request.kind].isUnchanged?.(value)
      return { done: entry, ...(value !== undefined && { value }), ...(isUnchanged && { isUnchanged: true }) }
    } catch (error) {
      if (signal.aborted) return undefined
      if (error === withdrawn && tries < mostTries) return 'again'
      // Of a folder of which something was made another name below it was taken.
      const hasBegun = this.#tally.doneOf(entry) > 0 && !kinds[request.kind].isWhole
      if (tries < mostTries && !hasBegun && (await this.#isTaken(error, work))) return 'taken'
      const line = this.#failed(entry, error)
      const half = line && (await this.#halfOf(entry, error, work))
      return half ? { ...line, half } : line
    } finally {
      this.#chosen.delete(work.to)
      this.#parts.onChange()
    }
  }

  /** @returns what identifies the part of an entry that is at its target, so that it can be gone on with */
  async #halfOf(entry: number, error: unknown, work: EntryWork): Promise<string | undefined> {
    const hasBegun = work.before !== undefined || this.#tally.doneOf(entry) > 0
    // What others have put there or have changed would stop it again.
    const isStopped = error instanceof Failure && error.code === 'conflict'
    if (kinds[this.#parts.request.kind].counted !== 'entries' || !hasBegun || isStopped) return undefined
    return (await this.#identityAt(work.to)) || undefined
  }

  /** @returns '' where nothing tells it, or nothing is there */
  #identityAt(path: Path): Promise<string> {
    const { signal } = this.#parts
    return this.#withFiles({ signal }, (files) => files.resuming.identityAt(path)).catch(() => '')
  }

  async #isTaken(error: unknown, work: EntryWork): Promise<boolean> {
    const { request, signal } = this.#parts
    const isName = isNameTaken(error)
    // What comes out of the trash is whole in one place or the other.
    const isHalf = work.before !== undefined && !kinds[request.kind].isWhole
    if (!isName || !kinds[request.kind].hasTarget || work.override || isHalf) return false
    // Nothing else of it has a name that may be taken. It may be free again by now.
    if (request.kind === 'restore') return true
    return this.#withFiles({ signal }, async (files) => (await files.look(work.to)) !== undefined).catch(() => false)
  }

  #failed(entry: number, error: unknown): Extract<JobLine, { failed: number }> | undefined {
    if (this.#parts.signal.aborted) return undefined
    const { progress, report } = this.#parts
    const all = error instanceof EntriesFailed ? error.entries.map((one) => one.error) : [error]
    const unknown = all.find((one) => !(one instanceof Failure) && one !== withdrawn)
    // The person is told nothing of it.
    if (unknown !== undefined) report(unknown)
    const inside = insideOf(error, progress.roomInside)
    return { failed: entry, why: whyOf(error), ...(inside && { inside }) }
  }

  #workOf(entry: number, to: Path | undefined, override: boolean): EntryWork {
    const { entries, algorithm, trash, undo, places, sources, format, names } = this.#parts.request
    const from = entries[entry] as Path
    const begun = this.#parts.progress.begun.get(entry)
    const before = this.#resumed.has(entry) ? begun : undefined
    return {
      from,
      to: to ?? from,
      override,
      ...{ algorithm, trash, undo, places, sources, format, names },
      item: begun?.item,
      onAcross: () => this.#log([{ across: entry, at: Date.now() }], false),
      ...(before && { before: { ...before, rests: this.#parts.progress.rests } }),
    }
  }

  /** What is about to get a name is known by that when the entry is gone on with. */
  async #noteGiven(entry: number, given: Named): Promise<void> {
    const begun = this.#parts.progress.begun.get(entry)
    if (begun) await this.#log([{ begun: entry, ...lineOf({ ...begun, ...given }) }], true)
  }

  async #log(lines: readonly JobLine[], isDurable: boolean) {
    if (lines.length === 0) return
    await this.#parts.log(lines, isDurable)
    for (const line of lines) this.#parts.progress.add(line)
    await this.#untilStamped(lines)
    for (const line of lines) {
      if ('done' in line) this.#tally.end(line.done, true)
      else if ('failed' in line) this.#tally.end(line.failed, false)
      else if ('skipped' in line) this.#tally.end(line.skipped, false)
    }
    this.#parts.onChange()
  }

  /** What replaces is told from what was there before by its stamp, which is later than the moment of its beginning from here on. */
  async #untilStamped(lines: readonly JobLine[]) {
    const replaces = (entry: number) => this.#parts.progress.begun.get(entry)?.replaces
    const begun = lines.map(
      (line) => ('begun' in line && line.replaces && line.at) || ('across' in line && replaces(line.across) && line.at) || 0,
    )
    await nextTickAfter(Math.max(0, ...begun))
  }

  /** Each entry has a disk of its own, so that a scope that was moved or replaced is noticed at once. */
  async #withFiles<T>(
    how: { signal: AbortSignal; entry?: number },
    work: (files: UserFiles, operation: Operation) => Promise<T>,
  ): Promise<T> {
    const { filesNow, request, enter } = this.#parts
    const { limit } = kinds[request.kind]
    const { entry } = how
    const operation = new Operation({ within: how.signal })
    try {
      if (limit && entry !== undefined) await enter(limit, operation)
      const files = filesNow(operation)
      if (entry !== undefined && !limit) follow(operation, entry, this.#tally, this.#parts.onChange)
      return await work(files, operation)
    } finally {
      await operation.end()
    }
  }
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'conflict' && error.template === 'the name is taken'
