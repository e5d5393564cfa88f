import { Failure } from '../base/failure.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Job as JobReport, JobState, WhenTaken } from '../contract/jobs.ts'
import type { JobHead, JobLine, JobRecord } from '../state/job-store.ts'
import { isRetried, type JobParts, notNow, over, type RunParts, resting, runPartsOf, type Stop } from './job-parts.ts'
import { JobRights } from './job-rights.ts'
import { JobRun } from './job-run.ts'
import { KeptJob } from './kept-job.ts'
import { kinds, makesSpace, pathsAt, turnOf } from './kinds.ts'
import { questionOf, reportOf } from './names.ts'
import type { JobProgress } from './progress.ts'
import type { Places } from './scheduler.ts'

export class Job {
  readonly #parts: JobParts
  readonly #queue = new SerialQueue()
  readonly #rights: JobRights
  #head: JobHead
  readonly #kept: KeptJob
  #devices: readonly string[]
  /** Since when it rests, by the system's clock, which stamps files; of one that a kill interrupted, since it was read again. */
  #restedAt: number
  #stop = new AbortController()
  #places: Places | undefined
  /** Whether it was cancelled at rest: the run ends what has begun, and does no more. */
  #isEnding = false
  /** Whether the server ends. */
  #isClosing = false
  /** The present run, since it waits for places. */
  #turn: symbol | undefined
  #run: JobRun | undefined
  readonly #sums: RunParts['sums'] = {}
  #beganAt = 0
  /** What a run waits for: that the answer is kept for which it begins. */
  #changed: Promise<unknown> = Promise.resolve()
  #rested = Promise.withResolvers<void>()
  /** Not set while what it did is undone or done again. */
  mayRetry = true

  /** @param record of a new job; without it, it was kept before */
  constructor(parts: JobParts, head: JobHead, record?: JobRecord) {
    this.#parts = parts
    this.#rights = new JobRights(parts.revocation)
    this.#head = head
    this.#kept = new KeptJob(parts, head.key, record)
    this.#devices = record ? parts.devicesOf(pathsAt(record)) : []
    this.#restedAt = head.state === 'interrupted' ? Date.now() : head.changedAt
    if (this.isResting) this.#rested.resolve()
  }

  get head(): JobHead {
    return this.#head
  }

  get isOver(): boolean {
    return over.includes(this.#head.state)
  }

  get isRecorded(): boolean {
    return this.#kept.isRecorded
  }

  /** Whether nothing of it runs or waits for places. */
  get isResting(): boolean {
    return resting.includes(this.#head.state)
  }

  /** Whether it is kept before it changes anything, because it is large or takes long. */
  get isLarge(): boolean {
    return this.#head.entries > 50 || this.#devices.length > 1 || this.#head.kind === 'undo'
  }

  /** Whether it is done without being kept where there is no space for that: a kill of the server ends it then. */
  get mayBeUnkept(): boolean {
    return !this.isLarge || makesSpace(this.#kept.record)
  }

  /** Resolves when it rests, for whatever reason. */
  get rested(): Promise<void> {
    return this.#rested.promise
  }

  /** Ends it as soon as its person has lost the access with which it was begun; also at once. */
  hold(): Promise<void> {
    return this.#rights.hold(this.#head, () => void this.#lose())
  }

  /** Begins it, now or when there are places. @throws Failure('busy') */
  start(): void {
    const turn = Symbol('turn')
    // Later, when the places are known.
    const begin = () => void Promise.resolve().then(() => this.#begin(turn))
    const { userId: person, kind } = this.#head
    this.#places = this.#parts.scheduler.enter({ person, devices: this.#devices, ...turnOf(kind), begin })
    this.#turn = turn
    this.#renew()
  }

  /** Keeps it, so that it outlives the server. @throws Failure('full'), what else the store throws */
  keep(): Promise<void> {
    return this.#queue.run(async () => {
      if (!(await this.#kept.add(this.#head))) return
      // It may have ended meanwhile.
      await this.#parts.store.setHead(this.#head, this.isResting)
      this.#parts.onChange(this)
      if (this.#head.state === 'waiting' || this.isResting) this.#kept.forget()
    }, 'keep')
  }

  pause(): Promise<void> {
    return this.#act(async () => {
      const { state } = this.#head
      if (state === 'running') return this.#stopRun('pause', 'pausing')
      if (state !== 'waiting') throw notNow()
      this.#places?.close()
      await this.#rest('paused')
    })
  }

  /** Goes on after a pause, or after the server has ended. */
  resume(): Promise<void> {
    return this.#act(async () => {
      if (!['paused', 'interrupted'].includes(this.#head.state)) throw notNow()
      await this.#again([])
    })
  }

  /** Does again what has failed. @throws Failure('conflict') also while `mayRetry` is not set */
  retry(): Promise<void> {
    return this.#act(async () => {
      if (!this.isResting || this.#head.state === 'cancelled' || this.#head.failed === 0) throw notNow()
      // However short it was, it may take long now.
      await this.keep()
      await this.#again([{ retried: true }])
    })
  }

  /** @throws Failure('conflict') when the question was answered already */
  answer(question: string, taken: WhenTaken, all: boolean): Promise<void> {
    return this.#act(async () => {
      if (this.isOver || this.#head.state === 'cancelling') throw notNow()
      const { record, progress } = await this.load()
      const entry = Number(question.split('.')[0])
      const isOpen = record && progress && questionOf(entry, progress.questions.get(entry)) === question
      if (!isOpen) throw new Failure('conflict', 'the question was answered already')
      const line: JobLine = { answered: entry, taken, ...(all && { all: true }) }
      if (this.#head.state === 'asking') return this.#again([line])
      await this.#kept.append([line], true)
      progress.add(line)
      this.#parts.onChange(this)
    })
  }

  /** Leaves out what nobody has decided about. */
  skipQuestions(): Promise<void> {
    return this.#act(async () => {
      if (this.#head.state === 'asking') await this.#again([{ answered: 0, taken: 'skip', all: true }])
    })
  }

  /**
   * Ends it. What was copied stays, each file whole: what of a folder the job has made cannot be told afterwards.
   * While it runs, folders of a copy without any file go too; at rest nothing of a copy goes. Copies of a move go. Returns at once.
   */
  cancel(): Promise<void> {
    return this.#act(async () => {
      const { state } = this.#head
      if (this.isOver || state === 'cancelling') return
      if (['running', 'pausing'].includes(state))
        return this.#stopRun('cancel', 'cancelling').then(() => this.#places?.leavePerson())
      this.#places?.close()
      // It was perhaps about to run.
      this.#turn = undefined
      if (!(await this.#endBegun())) await this.#rest('cancelled')
    })
  }

  /**
   * Ends the entries that have begun: see `Kind.end`. They wait for no places of others.
   * @returns false where there is nothing to be done @throws when it cannot be told
   */
  async #endBegun(): Promise<boolean> {
    if (!kinds[this.#head.kind].end) return false
    const { record, progress } = await this.#loadHeld().catch(async (error: unknown) => {
      // It is over all the same where the person has no access any more.
      if (error instanceof Failure) return { record: undefined, progress: undefined }
      // It can be cancelled when it can be read.
      if (!this.isResting) await this.#rest('interrupted')
      throw error
    })
    if (!record || !progress || progress.openBegun().length === 0) return false
    if (this.isResting) {
      await this.#kept.noteRest(progress, this.#restedAt, true)
      this.#renew()
    }
    this.#kept.record = record
    this.#kept.progress = progress
    await this.#setEnding()
    void this.#runOnce(record, progress).catch((error: unknown) => this.#breakOff(error))
    return true
  }

  /** From here on the next start of the server goes on with the end. */
  async #setEnding() {
    this.#isEnding = true
    await this.#setState('cancelling')
  }

  /** What it goes on with. @throws as `hold`, as the store */
  async #loadHeld() {
    // It may still be putting away what it had in memory.
    if (this.isResting) await this.rested
    await this.#kept.added()
    const loaded = await this.load()
    // One that had ended was left alone at the start.
    if (!this.#rights.isHeld) await this.hold()
    return loaded
  }

  /** The server ends. @returns when nothing runs any more */
  async interrupt(): Promise<void> {
    this.#isClosing = true
    this.#stop.abort('end of the server' satisfies Stop)
    if (['running', 'pausing', 'cancelling'].includes(this.#head.state)) await this.rested
    else if (this.#head.state === 'waiting') await this.#rest('interrupted')
  }

  /** Ends what listens to changes of its person. To be called when it is forgotten. */
  close(): Promise<void> {
    return this.#rights.end()
  }

  shown(): JobReport {
    const seconds = Math.round((this.#parts.clock.elapsed() - this.#beganAt) / 1000)
    const progress = this.#run ? { ...this.#run.figures(), seconds } : this.#sums.atRest
    return reportOf({ ...this.#head, ...this.#kept.progress?.counts() }, progress)
  }

  /** What it was asked for and how far each entry is. */
  load(): ReturnType<KeptJob['load']> {
    return this.#kept.load()
  }

  async #begin(turn: symbol) {
    const places = this.#places
    try {
      await this.#changed
      if (this.isLarge) await this.keep().catch((error: unknown) => this.#kept.ignoreFull(error))
      const { record, progress } = await this.load()
      // It may have been paused or cancelled meanwhile, and be waiting anew.
      if (this.#turn !== turn || this.#head.state !== 'waiting') return
      // The record may have been removed from the disk by somebody.
      if (!record || !progress) return await this.#rest('cancelled')
      this.#kept.record = record
      this.#kept.progress = progress
      await this.#runOnce(record, progress)
    } catch (error) {
      if (this.#turn === turn) await this.#breakOff(error)
      else this.#parts.report(error)
    } finally {
      places?.close()
    }
  }

  async #runOnce(record: JobRecord, progress: JobProgress) {
    this.#beganAt = this.#parts.clock.elapsed()
    const begun = progress.openBegun()
    let failed: { error: unknown } | undefined
    if (!this.#isEnding) {
      const run = this.#newRun(record, progress)
      await this.#setState('running')
      // What was begun before is ended all the same.
      await run.run().catch((error: unknown) => (failed = { error }))
    }
    // Of what it has begun itself this run has taken the copies back.
    const left = begun.filter((entry) => progress.isOpen(entry))
    if (left.length > 0 && this.#endsWhatBegan) {
      if (!this.#isEnding) {
        this.#newStop()
        await this.#setEnding()
      }
      await this.#parts.ends.run(() => this.#newRun(record, progress).end(left), { key: this.#head.userId })
    }
    if (failed) throw failed.error
    await this.#rest(this.#stateAfter(progress))
  }

  get #endsWhatBegan(): boolean {
    return kinds[this.#head.kind].end !== undefined && this.#head.state === 'cancelling' && !this.#rights.areWithdrawn
  }

  #newRun(record: JobRecord, progress: JobProgress): JobRun {
    this.#run = new JobRun({
      ...runPartsOf(this.#parts, this.#head, record, this.#rights),
      ...{ progress, sums: this.#sums, onChange: () => this.#parts.onChange(this) },
      signal: AbortSignal.any([this.#rights.signal, this.#stop.signal]),
      log: (lines, isDurable) => this.#kept.append(lines, isDurable),
    })
    return this.#run
  }

  async #breakOff(error: unknown) {
    this.#parts.report(error)
    // The next start of the server goes on with its end.
    this.#isEnding = this.#endsWhatBegan && (this.#kept.progress?.openBegun().length ?? 0) > 0
    await this.#rest(this.#head.state === 'cancelling' && !this.#isEnding ? 'cancelled' : 'interrupted')
  }

  #stateAfter(progress: JobProgress): JobState {
    // Its end goes on at the next start.
    const isBroken = this.#isEnding && this.#isClosing && progress.openBegun().length > 0
    if (isBroken && !this.#rights.areWithdrawn) return 'interrupted'
    // The signal tells what stopped it first, which may have been a pause.
    if (this.#rights.areWithdrawn || this.#head.state === 'cancelling') return 'cancelled'
    if (progress.hasOpen) return this.#stop.signal.reason === ('pause' satisfies Stop) ? 'paused' : 'interrupted'
    return progress.questions.size > 0 ? 'asking' : 'ended'
  }

  async #again(lines: readonly JobLine[]) {
    const before = this.#head
    const { record, progress } = await this.#loadHeld()
    if (record) this.#devices = this.#parts.devicesOf(pathsAt(record))
    // From here on the job is at work, so that no undo begins.
    if (!this.mayRetry && lines.some(isRetried)) throw new Failure('conflict', 'what it did is being undone or done again')
    this.#head = { ...before, state: 'waiting' }
    const changed = Promise.withResolvers<void>()
    this.#changed = changed.promise
    try {
      // Refused when too many wait: then nothing has changed.
      this.start()
      for (const line of lines) progress?.add(line)
      await this.#kept.answer(lines, progress)
      await this.#kept.noteRest(progress, this.#restedAt, false)
      if (!this.isRecorded) this.#kept.progress = progress
      await this.#setState('waiting', progress)
    } catch (error) {
      this.#places?.close()
      this.#turn = undefined
      this.#head = before
      // It rests as it did before.
      this.#rested.resolve()
      this.#parts.onRest(this)
      throw error
    } finally {
      changed.resolve()
    }
  }

  /** For what follows its rest. */
  #renew() {
    this.#isEnding = false
    this.#rested = Promise.withResolvers()
    this.#newStop()
    this.#parts.onStart(this)
  }

  #newStop() {
    this.#stop = new AbortController()
    if (this.#isClosing) this.#stop.abort('end of the server' satisfies Stop)
  }

  async #stopRun(stop: Stop, state: JobState) {
    this.#stop.abort(stop)
    await this.#setState(state)
  }

  /** What runs ends by the signal. */
  #lose(): Promise<void> {
    return this.#act(async () => {
      const isRunning = ['running', 'pausing', 'cancelling'].includes(this.#head.state)
      if (!this.#rights.areWithdrawn || this.isOver || isRunning) return
      this.#places?.close()
      await this.#rest('cancelled')
    })
  }

  async #rest(state: JobState) {
    this.#run = undefined
    this.#restedAt = Date.now()
    await this.#setState(state)
    await this.#kept.rest()
    this.#rested.resolve()
    this.#parts.onRest(this)
  }

  async #setState(state: JobState, progress = this.#kept.progress) {
    const changedAt = this.#parts.clock.now()
    this.#head = { ...this.#head, state, changedAt, ...progress?.counts() }
    this.#parts.onChange(this)
    // What a person was told outlives a power failure; what runs is found by its log.
    const isDurable = resting.includes(state) || this.#isEnding
    // One that was cancelled goes on with its end at the next start.
    const head: JobHead = this.#isEnding && state === 'interrupted' ? { ...this.#head, state: 'cancelling' } : this.#head
    await this.#kept.setHead(head, isDurable)
  }

  #act(work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work)
  }
}
