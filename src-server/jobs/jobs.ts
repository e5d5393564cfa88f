// All jobs of the server: they are begun by their persons, outlive pages, sessions and the server, and are told to whoever follows them.
import { Ends } from '../base/ends.ts'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import { orAborted } from '../base/or-aborted.ts'
import { parentOf } from '../base/paths.ts'
import { isOutOfSpace } from '../base/room.ts'
import type { Job as JobReport } from '../contract/jobs.ts'
import type { JobHead } from '../state/job-store.ts'
import { Job } from './job.ts'
import { type JobParts, mostEnds, stillEnding } from './job-parts.ts'
import { digestOf, keyOf, servedPath } from './names.ts'
import { headOf, type JobOwner, type JobRequest, recordOf } from './new-job.ts'

/** Milliseconds within which a small job that ends leaves nothing behind, and is not shown. */
export const shortJob = 700
/** Milliseconds for which such a job is remembered, so that it is not done twice. */
const remembered = 600_000
/** Milliseconds after which questions are answered by leaving the entries out, and jobs that rest are forgotten. */
const week = 7 * 24 * 3600 * 1000
/** Milliseconds until that is tried again, where it could not be done. */
const skipPause = 3600_000
/** Ended jobs of one person that are kept, and those that have not ended. */
const [mostEnded, mostLiving] = [20, 50]
/** Jobs without a record that are remembered, of one person and of all. */
const [mostShortOfOne, mostShort] = [20, 400]
/** Milliseconds between two messages about the jobs of one person. */
const tellPause = 250
/** Milliseconds for which the end of the server waits for what runs. */
const lastWait = 1000

type JobsParts = Omit<JobParts, 'ends' | 'onChange' | 'onStart' | 'onRest'> &
  Readonly<{
    instance: string
    /** Called when a job of a person goes on, or rests. */
    onTurn?: (userId: number) => void
  }>

/** Is told which jobs have changed, and the ids of those that are forgotten. */
type Tell = (jobs: readonly JobReport[], gone: readonly string[]) => void
type Listener = Readonly<{ userId: number; tell: Tell; changed: Set<Job>; cancel?: () => void }>

export type { JobOwner, JobRequest }

export class Jobs {
  readonly #parts: JobsParts
  readonly #jobParts: JobParts
  readonly #jobs = new Map<string, Job>()
  /** Answers of requests that are not answered yet, or whose jobs were too short to be kept. */
  readonly #starting = new Map<string, Promise<Job>>()
  readonly #listeners = new Map<Listener, { -readonly [K in keyof Listener]: Listener[K] }>()
  readonly #ends: Ends
  readonly #forgets = new Map<Job, () => void>()
  /** Milliseconds since the epoch before which no question of a job is left out again. */
  readonly #skipsAt = new WeakMap<Job, number>()
  /** See `goOn`. */
  readonly #toEnd: Job[] = []
  #isClosed = false

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#ends = new Ends(parts.clock)
    this.#jobParts = {
      ...parts,
      ends: new Limiter(mostEnds),
      onChange: (job) => this.#note(job),
      onStart: (job) => {
        this.#unplan(job)
        parts.onTurn?.(job.head.userId)
      },
      onRest: (job) => {
        this.#plan(job)
        parts.onTurn?.(job.head.userId)
      },
    }
  }

  /** Reads what was kept: what was running is interrupted. Call it once, before anything else. */
  async open(): Promise<void> {
    for (const head of await this.#parts.store.open()) {
      const isKept = ['paused', 'asking', 'cancelled', 'ended'].includes(head.state)
      const job = new Job(this.#jobParts, isKept ? head : { ...head, state: 'interrupted', changedAt: this.#parts.clock.now() })
      this.#jobs.set(head.key, job)
      // Whose access has ended meanwhile gets it cancelled.
      if (!job.isOver) await job.hold().catch(() => {})
      // It was cancelled, and had not come to its end.
      if (head.state === 'cancelling' && !job.isOver) this.#toEnd.push(job)
      this.#plan(job)
    }
  }

  /** Goes on with the ends of what was cancelled before the server ended. Call it when all listen that follow changes of files. */
  async goOn(): Promise<void> {
    for (const job of this.#toEnd.splice(0)) await job.cancel().catch(this.#parts.report)
  }

  /**
   * Begins a job, unless it was begun before under its id.
   * @returns when it has ended, or else is kept: `isRecorded`
   * @throws Failure('busy') when too many wait, Failure('conflict') when the id belongs to another job or to one of the server before,
   *   Failure('full') when it cannot be kept, has not begun and makes no space
   */
  async start(owner: JobOwner, asked: JobRequest): Promise<Job> {
    const key = this.#keyOf(owner.access.userId, asked.id)
    const digest = digestOf(asked)
    const isNew = () => this.#isNew(owner.access.userId, { key, digest })
    const request = isNew() ? await this.#prepared(owner, asked) : asked
    // It may have been asked for twice meanwhile.
    const known = isNew() ? undefined : this.#jobs.get(key)
    if (known) return (await this.#starting.get(key)) ?? known
    const job = new Job(
      this.#jobParts,
      headOf(owner, request, { key, digest, now: this.#now() }),
      recordOf(owner, request, key, this.#now()),
    )
    this.#jobs.set(key, job)
    const started = this.#begin(job)
    this.#starting.set(key, started)
    try {
      return await started
    } catch (error) {
      this.#jobs.delete(key)
      await job.close()
      throw error
    } finally {
      this.#starting.delete(key)
    }
  }

  /** Those of a person, the newest first, without those that are so short that nobody need see them. */
  of(userId: number): Job[] {
    const own = [...this.#jobs.values()].filter((job) => job.head.userId === userId && job.isRecorded)
    // In the order of their beginning, where the clock does not tell.
    return own.toReversed().sort((one, other) => other.head.startedAt - one.head.startedAt)
  }

  /** @throws Failure('notFound') also for another person's */
  find(userId: number, id: string): Job {
    const job = this.#jobs.get(this.#keyOf(userId, id))
    if (!job) throw new Failure('notFound')
    return job
  }

  /** Whether the job that does an act is at work, or waits for places. */
  isAtWork(userId: number, actKey: string): boolean {
    return this.#ofAct(userId, actKey)?.isResting === false
  }

  /** Whether no job can go on with an act, nor try again what has failed. */
  isOver(userId: number, actKey: string): boolean {
    const job = this.#ofAct(userId, actKey)
    return !job || (job.isOver && (job.head.state === 'cancelled' || job.head.failed === 0))
  }

  /**
   * Ends the job of an act that rests.
   * @param waiting waits for what it has begun until it is aborted; without it, waits for a moment
   * @returns false while it is at work @throws Failure('busy') when that takes longer, the signal's reason when it is aborted
   */
  async endResting(userId: number, actKey: string, waiting?: AbortSignal): Promise<boolean> {
    const job = this.#ofAct(userId, actKey)
    // One that was told to go on just now is stopped: it must not add to what is undone.
    if (!job?.isResting) return job?.isOver ?? true
    await orAborted(job.cancel(), waiting)
    if (!waiting) return (await this.#endsSoon(job)) || stillEnding()
    await orAborted(job.rested, waiting)
    return job.isOver
  }

  /** Refuses that the job of an act tries again what has failed. @returns ends that */
  holdRetries(userId: number, actKey: string): () => void {
    const job = this.#ofAct(userId, actKey)
    if (job) job.mayRetry = false
    return () => {
      if (job) job.mayRetry = true
    }
  }

  /** The id of a job is the key of its act. Undoing is no act. */
  #ofAct(userId: number, actKey: string): Job | undefined {
    const job = this.#jobs.get(this.#keyOf(userId, actKey))
    return job?.head.kind === 'undo' ? undefined : job
  }

  /** Forgets a job that is over. @throws as the store */
  async remove(job: Job): Promise<void> {
    this.#jobs.delete(job.head.key)
    this.#unplan(job)
    this.#note(job)
    await job.close()
    if (job.isRecorded) await this.#parts.store.remove(job.head.key)
  }

  /** Everybody who has jobs, by their ids. */
  persons(): number[] {
    return [...new Set([...this.#jobs.values()].map(({ head }) => head.userId))]
  }

  /** Ends the jobs of a person who is deleted, and removes what is kept of them. @returns when nothing of it is left */
  async removePerson(userId: number): Promise<void> {
    const own = [...this.#jobs].filter(([, job]) => job.head.userId === userId)
    const removeOne = async ([key, job]: [string, Job]) => {
      // It may be about to be kept.
      await this.#starting.get(key)?.catch(() => {})
      if (this.#jobs.get(key) === job) await this.#forgetResting(job)
    }
    await Promise.all(own.map(removeOne))
  }

  /** Tells of the jobs of a person when they change, at most four times a second. @returns ends it */
  follow(userId: number, tell: Tell): () => void {
    const listener = { userId, tell, changed: new Set<Job>() }
    this.#listeners.set(listener, listener)
    return () => {
      this.#listeners.get(listener)?.cancel?.()
      this.#listeners.delete(listener)
    }
  }

  /** Interrupts what runs. @returns when it has ended, or does not answer */
  async close(): Promise<void> {
    this.#isClosed = true
    const ended = Promise.all([...this.#jobs.values()].map((job) => job.interrupt()))
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, lastWait)
    await Promise.race([ended, promise])
    clearTimeout(timer)
    for (const job of this.#jobs.values()) {
      this.#unplan(job)
      await job.close()
    }
    await this.#parts.store.close()
  }

  async #prepared({ access }: JobOwner, request: JobRequest): Promise<JobRequest> {
    const { id, undo, sources } = request
    await this.#parts.checkNew(access.userId, id)
    const folders = sources && [...new Set(sources.map((path) => servedPath(parentOf(path), access.scope)))]
    const places = undo ? await this.#parts.placesOf(access.userId, undo.act) : (folders ?? request.places)
    return places ? { ...request, places: this.#parts.onePerDevice(places) } : request
  }

  /** Whether a job was not begun before under its id. @throws as `start` does */
  #isNew(userId: number, { key, digest }: Pick<JobHead, 'key' | 'digest'>): boolean {
    const known = this.#jobs.get(key)
    if (known && known.head.digest !== '' && known.head.digest !== digest)
      throw new Failure('conflict', 'the id belongs to another job')
    if (!known) this.#checkCount(userId)
    return !known
  }

  async #begin(job: Job): Promise<Job> {
    await job.hold()
    job.start()
    if (!job.isLarge && (await this.#endsSoon(job))) return job
    await job.keep().catch(async (error: unknown) => {
      // What has begun, or makes space, is answered when it has ended.
      if (!isOutOfSpace(error) || !job.mayBeUnkept) throw error
      await job.rested
      // A question that is not kept would never be answered.
      if (!job.isOver) await job.cancel()
    })
    if (job.isResting) this.#plan(job)
    return job
  }

  /** Whether it ends within a moment. */
  async #endsSoon(job: Job): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#parts.clock.after(shortJob, resolve)
    await Promise.race([job.rested, promise])
    cancel()
    return job.isOver
  }

  /** What rests is not kept for ever. */
  #plan(job: Job) {
    if (this.#isClosed) return
    const { state, changedAt, userId } = job.head
    this.#unplan(job)
    if (!job.isRecorded) this.#remember(job)
    else {
      const end = () => (state === 'asking' ? this.#skip(job) : this.#inBackground(this.#forgetResting(job)))
      const again = state === 'asking' ? (this.#skipsAt.get(job) ?? 0) : 0
      if (again > this.#now()) this.#ends.set(job, again, end)
      else this.#ends.setAfter(job, changedAt, { term: week, work: end })
    }
    if (job.isOver) this.#inBackground(this.#forgetOldest(userId))
  }

  #skip(job: Job) {
    this.#skipsAt.set(job, this.#now() + skipPause)
    const planAgain = (error: unknown) => {
      this.#parts.report(error)
      if (job.head.state === 'asking' && this.#jobs.get(job.head.key) === job) this.#plan(job)
    }
    job.skipQuestions().catch(planAgain)
  }

  #unplan(job: Job) {
    this.#ends.delete(job)
    this.#forgets.get(job)?.()
    this.#forgets.delete(job)
  }

  #remember(job: Job) {
    const forget = () => this.#inBackground(this.#forgetShort(job))
    this.#forgets.set(job, this.#parts.clock.after(remembered, forget))
    const all = [...this.#forgets.keys()]
    const own = all.filter(({ head }) => head.userId === job.head.userId)
    const [oldest] = own.length > mostShortOfOne ? own : all.length > mostShort ? all : []
    if (oldest) this.#inBackground(this.#forgetShort(oldest))
  }

  async #forgetShort(job: Job) {
    this.#unplan(job)
    if (!job.isRecorded && job.isOver) await this.remove(job)
  }

  async #forgetResting(job: Job) {
    // What cannot be read any more is forgotten all the same.
    if (!job.isOver) await job.cancel().catch(this.#parts.report)
    await job.rested
    await this.remove(job)
  }

  async #forgetOldest(userId: number) {
    const ended = this.of(userId).filter((job) => job.isOver)
    ended.sort((one, other) => other.head.changedAt - one.head.changedAt)
    for (const job of ended.slice(mostEnded)) await this.remove(job)
  }

  #inBackground(work: Promise<void>) {
    work.catch(this.#parts.report)
  }

  #checkCount(userId: number) {
    let living = 0
    for (const job of this.#jobs.values()) if (job.head.userId === userId && !job.isOver) living++
    if (living >= mostLiving) throw new Failure('busy', 'too many jobs wait already', { retryAfter: 30 })
  }

  #note(job: Job) {
    if (!job.isRecorded) return
    for (const listener of this.#listeners.values()) {
      if (listener.userId !== job.head.userId) continue
      listener.changed.add(job)
      if (listener.cancel) continue
      const tell = () => {
        const changed = [...listener.changed]
        listener.changed.clear()
        delete listener.cancel
        const isKept = (one: Job) => this.#jobs.get(one.head.key) === one
        const gone = changed.filter((one) => !isKept(one)).map((one) => one.shown().id)
        listener.tell(
          changed.filter(isKept).map((one) => one.shown()),
          gone,
        )
      }
      listener.cancel = this.#parts.clock.after(tellPause, tell)
    }
  }

  #keyOf(userId: number, id: string): string {
    return keyOf(this.#parts.instance, userId, id)
  }

  #now = () => this.#parts.clock.now()
}
