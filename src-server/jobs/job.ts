import { Failure } from '../base/failure.ts'
import { type Cancel, Operation } from '../base/operation.ts'
import { isOutOfSpace } from '../base/room.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Job as JobReport, JobState, WhenTaken } from '../contract/jobs.ts'
import type { JobHead, JobLine, JobRecord } from '../state/job-store.ts'
import type { AccountView } from '../state/views.ts'
import { withdrawn } from '../users/access-revocation.ts'
import { mayGoOn, rightsOf } from '../users/rights.ts'
import type { JobParts } from './job-parts.ts'
import { JobRun, type RunParts } from './job-run.ts'
import { makesSpace, pathsAt } from './kinds.ts'
import { clientIdOf, ownRequest, questionOf, reportOf } from './names.ts'
import { JobProgress } from './progress.ts'
import type { Places } from './scheduler.ts'

type Stop = 'pause' | Cancel | 'end of the server'

const resting: readonly JobState[] = ['paused', 'asking', 'interrupted', 'cancelled', 'ended']
const over: readonly JobState[] = ['cancelled', 'ended']

export class Job {
  readonly #parts: JobParts
  readonly #queue = new SerialQueue()
  /** Ends with the job; aborted when its person loses the access. */
  readonly #life = new Operation()
  #viewNow: () => AccountView = () => {
    throw new Failure('unauthorized')
  }
  #head: JobHead
  /** In memory until it is recorded, and while it runs. */
  #record: JobRecord | undefined
  #progress: JobProgress | undefined
  #devices: readonly string[]
  #isRecorded: boolean
  #adding: Promise<void> | undefined
  #isHeld = false
  /** Since when it rests, by the system's clock, which stamps files; of one that a kill interrupted, since it was read again. */
  #restedAt: number
  #stop = new AbortController()
  #places: Places | undefined
  /** The present run, since it waits for places. */
  #turn: symbol | undefined
  #run: JobRun | undefined
  readonly #sums: RunParts['sums'] = {}
  /** What works on entries, with the rights of its beginning. */
  readonly #active = new Map<Operation, AccountView>()
  #beganAt = 0
  /** What a run waits for: that the answer is kept for which it begins. */
  #changed: Promise<unknown> = Promise.resolve()
  #rested = Promise.withResolvers<void>()
  /** Not set while what it did is undone or done again. */
  mayRetry = true

  /** @param record of a new job; without it, it was kept before */
  constructor(parts: JobParts, head: JobHead, record?: JobRecord) {
    this.#parts = parts
    this.#head = head
    this.#record = record
    this.#isRecorded = record === undefined
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
    return this.#isRecorded
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
    return !this.isLarge || makesSpace(this.#record)
  }

  /** Resolves when it rests, for whatever reason. */
  get rested(): Promise<void> {
    return this.#rested.promise
  }

  /** Ends it as soon as its person has lost the access with which it was begun; also at once. */
  async hold(): Promise<void> {
    const { userId, epoch, scope } = this.#head
    this.#life.signal.addEventListener('abort', () => void this.#lose(), { once: true })
    try {
      this.#viewNow = await this.#parts.revocation.holdPerson({ userId, epoch, scope }, this.#life, () => this.#checkRights())
      this.#isHeld = true
    } catch (error) {
      this.#life.abort(withdrawn)
      throw error
    }
  }

  /** Begins it, now or when there are places. @throws Failure('busy') */
  start(): void {
    this.#rested = Promise.withResolvers()
    this.#stop = new AbortController()
    const turn = Symbol('turn')
    this.#turn = turn
    this.#parts.onStart(this)
    // Later, when the places are known.
    const begin = () => void Promise.resolve().then(() => this.#begin(turn))
    const { userId: person, kind } = this.#head
    this.#places = this.#parts.scheduler.enter({ person, devices: this.#devices, isOneByOne: kind === 'undo', begin })
  }

  /** Keeps it, so that it outlives the server. @throws Failure('full'), what else the store throws */
  keep(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isRecorded || !this.#record) return
      const { store } = this.#parts
      // What is to be logged from now on waits until it can be: it comes behind these lines.
      this.#adding = store.add(this.#record, this.#head, this.#progress?.lines())
      await this.#adding
      this.#isRecorded = true
      // It may have ended meanwhile.
      await store.setHead(this.#head, this.isResting)
      this.#parts.onChange(this)
      if (this.#head.state === 'waiting' || this.isResting) this.#forget()
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
      await this.#append([line], true)
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
   * Ends it. What was copied stays, each file whole: what of a folder is ours and what is somebody else's cannot be told afterwards.
   * Folders of a copy without any file go, and copies of a move that was at work.
   * Returns at once, also when a disk does not answer.
   */
  cancel(): Promise<void> {
    return this.#act(async () => {
      const { state } = this.#head
      if (this.isOver || state === 'cancelling') return
      if (['running', 'pausing'].includes(state)) {
        await this.#stopRun('cancel', 'cancelling')
        this.#places?.leavePerson()
        return
      }
      this.#places?.close()
      await this.#rest('cancelled')
    })
  }

  /** The server ends. @returns when nothing runs any more */
  async interrupt(): Promise<void> {
    this.#stop.abort('end of the server' satisfies Stop)
    if (['running', 'pausing', 'cancelling'].includes(this.#head.state)) await this.rested
    else if (this.#head.state === 'waiting') await this.#rest('interrupted')
  }

  /** Ends what listens to changes of its person. To be called when it is forgotten. */
  close(): Promise<void> {
    return this.#life.end()
  }

  shown(): JobReport {
    const seconds = Math.round((this.#parts.clock.elapsed() - this.#beganAt) / 1000)
    const progress = this.#run ? { ...this.#run.figures(), seconds } : this.#sums.atRest
    return reportOf({ ...this.#head, ...this.#progress?.counts() }, progress)
  }

  /** What it was asked for and how far each entry is. */
  async load(): Promise<Readonly<{ record?: JobRecord; progress?: JobProgress }>> {
    const { store } = this.#parts
    const { key } = this.#head
    const record = this.#record ?? (await store.record(key))
    if (!record) return {}
    return { record, progress: this.#progress ?? new JobProgress(record.entries.length, await store.lines(key)) }
  }

  async #begin(turn: symbol) {
    const places = this.#places
    try {
      await this.#changed
      if (this.isLarge) await this.keep().catch((error: unknown) => this.#ignoreFull(error))
      const { record, progress } = await this.load()
      // It may have been paused or cancelled meanwhile, and be waiting anew.
      if (this.#turn !== turn || this.#head.state !== 'waiting') return
      // The record may have been removed from the disk by somebody.
      if (!record || !progress) return await this.#rest('cancelled')
      this.#record = record
      this.#progress = progress
      await this.#runOnce(record, progress)
    } catch (error) {
      this.#parts.report(error)
      this.#run = undefined
      await this.#rest(this.#head.state === 'cancelling' ? 'cancelled' : 'interrupted')
    } finally {
      places?.close()
    }
  }

  async #runOnce(record: JobRecord, progress: JobProgress) {
    this.#beganAt = this.#parts.clock.elapsed()
    const signal = AbortSignal.any([this.#life.signal, this.#stop.signal])
    const run = this.#runOf(record, progress, signal)
    this.#run = run
    await this.#setState('running')
    await run.run()
    this.#run = undefined
    await this.#rest(this.#stateAfter(progress))
  }

  #runOf(record: JobRecord, progress: JobProgress, signal: AbortSignal): JobRun {
    const { filesOf, enter, undo, clock } = this.#parts
    const { userId, key, scope } = this.#head
    const source = { address: record.address, way: 'job', ...(record.isAct && { actKey: clientIdOf(key) }) } as const
    return new JobRun({
      ...{ progress, signal, now: () => clock.now(), clock, sums: this.#sums, onChange: () => this.#parts.onChange(this) },
      request: ownRequest(record, scope),
      filesNow: (operation) => {
        const view = this.#viewNow()
        this.#active.set(operation, view)
        operation.own({ close: () => void this.#active.delete(operation) })
        return filesOf(view, operation, source)
      },
      enter: (limit, operation) => enter(limit, userId, operation),
      undo,
      log: (lines, isDurable) => this.#append(lines, isDurable),
    })
  }

  #stateAfter(progress: JobProgress): JobState {
    // The signal tells what stopped it first, which may have been a pause.
    if (this.#life.signal.reason === withdrawn || this.#head.state === 'cancelling') return 'cancelled'
    if (progress.hasOpen) return this.#stop.signal.reason === ('pause' satisfies Stop) ? 'paused' : 'interrupted'
    return progress.questions.size > 0 ? 'asking' : 'ended'
  }

  async #again(lines: readonly JobLine[]) {
    if (!this.#isRecorded) await this.#adding?.catch(() => {})
    const before = this.#head
    // Refused when too many wait: then nothing has changed.
    const { record, progress } = await this.load()
    // One that had ended was left alone at the start.
    if (!this.#isHeld) await this.hold()
    if (record) this.#devices = this.#parts.devicesOf(pathsAt(record))
    // From here on the job is at work, so that no undo begins.
    if (!this.mayRetry && lines.some(isRetried)) throw new Failure('conflict', 'what it did is being undone or done again')
    this.#head = { ...before, state: 'waiting' }
    const changed = Promise.withResolvers<void>()
    this.#changed = changed.promise
    try {
      this.start()
      for (const line of lines) progress?.add(line)
      const isRetry = lines.some(isRetried)
      // What failed before is of no use any more: the log would grow with each attempt.
      if (this.#isRecorded && isRetry && progress) await this.#parts.store.replace(before.key, progress.lines())
      else if (this.#isRecorded && lines.length > 0) await this.#parts.store.append(before.key, lines, true)
      await this.#noteRest(progress)
      if (!this.#isRecorded) this.#progress = progress
      await this.#setState('waiting', progress)
    } catch (error) {
      this.#places?.close()
      this.#head = before
      throw error
    } finally {
      changed.resolve()
    }
  }

  /** Without it nothing tells what others made meanwhile. */
  async #noteRest(progress: JobProgress | undefined) {
    const rest = await progress?.rest(this.#restedAt)
    if (rest && this.#isRecorded) await this.#parts.store.append(this.#head.key, [rest], false).catch(this.#parts.report)
  }

  async #append(lines: readonly JobLine[], isDurable: boolean) {
    if (!this.#isRecorded) await this.#adding?.catch(() => {})
    if (!this.#isRecorded) return
    await this.#parts.store.append(this.#head.key, lines, isDurable).catch((error: unknown) => this.#ignoreFull(error))
  }

  /** @throws the error of what was to be kept, unless that is for want of space, which the job makes */
  #ignoreFull(error: unknown): void {
    if (!makesSpace(this.#record) || !isOutOfSpace(error)) throw error
  }

  async #stopRun(stop: Stop, state: JobState) {
    this.#stop.abort(stop)
    await this.#setState(state)
  }

  /** What runs ends by the signal. */
  #lose(): Promise<void> {
    return this.#act(async () => {
      const isRunning = ['running', 'pausing', 'cancelling'].includes(this.#head.state)
      if (this.#life.signal.reason !== withdrawn || this.isOver || isRunning) return
      this.#places?.close()
      await this.#rest('cancelled')
    })
  }

  /** Ends the entries that were begun with a right that is withdrawn by now. The others go on with those that are left. */
  #checkRights() {
    for (const [operation, begun] of this.#active) {
      if (!mayGoOn(rightsOf(begun), rightsOf(this.#viewNow()))) operation.abort(withdrawn)
    }
  }

  async #rest(state: JobState) {
    this.#restedAt = Date.now()
    await this.#setState(state)
    if (this.#isRecorded) {
      this.#forget()
      await this.#parts.store.rest(this.#head.key).catch(this.#parts.report)
    }
    this.#rested.resolve()
    this.#parts.onRest(this)
  }

  #forget() {
    this.#record = undefined
    this.#progress = undefined
  }

  async #setState(state: JobState, progress = this.#progress) {
    const changedAt = this.#parts.clock.now()
    this.#head = { ...this.#head, state, changedAt, ...progress?.counts() }
    this.#parts.onChange(this)
    // What a person was told outlives a power failure; what runs is found by its log.
    if (this.#isRecorded) await this.#parts.store.setHead(this.#head, resting.includes(state)).catch(this.#parts.report)
  }

  #act(work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work)
  }
}

const isRetried = (line: JobLine): boolean => 'retried' in line

const notNow = () => new Failure('conflict', 'the job is in another state')
