import type { Refused } from '../api/http.ts'
import { type Clock, Coalesced } from '../core/coalesce.ts'
import type { Choice } from '../operations/conflicts.ts'
import { DropQuestions } from './drop-questions.ts'
import { RunningUploads } from './running-uploads.ts'
import {
  type Ended,
  isAnswerLost,
  isFinished,
  isResumable,
  mayBeSentAgain,
  putBack,
  type QueueListener,
  type Totals,
  type Transport,
  takeNextName,
  type Upload,
  type UploadJob,
  UploadList,
  unfinished,
} from './upload-jobs.ts'

/** How many uploads run at once. */
export const uploadsAtOnce = 5
/** Minimum milliseconds between two reports of progress. */
export const progressPause = 100

const nothing: Ended = { files: 0, folders: 0, failed: 0, skipped: 0 }

/**
 * Uploads that wait, run (at most five) and have ended. Names that are known to be taken are asked about before anything of their drop
 * is sent; an upload whose name turns out to be taken waits for an answer while the others go on. What is lost on the way is sent
 * again when the server is back. The queue has ended when no upload waits, runs or asks.
 */
export class UploadQueue {
  readonly #listener: QueueListener
  readonly #reports: Coalesced
  readonly #running: RunningUploads
  readonly #questions = new DropQuestions()
  readonly #list = new UploadList()
  #waiting: UploadJob[] = []
  #result = { ...nothing }
  #isOpen = false
  /** How many drops are still being read: the queue does not end meanwhile. */
  #openBatches = 0
  #isPaused = false
  #isAway = false

  constructor(transport: Transport, clock: Clock, listener: QueueListener) {
    this.#running = new RunningUploads(transport, {
      progress: (job, sent) => {
        this.#list.move(job, job.phase, Math.min(sent, job.size))
        this.#reports.request()
      },
      kept: (job, bytes) => {
        if (bytes > job.kept) {
          job.losses = 0
          listener.advanced()
        }
        this.#list.keep(job, bytes)
        this.#reports.request()
      },
      ended: (job, failure) => this.#finish(job, failure),
    })
    this.#listener = listener
    this.#reports = new Coalesced(clock, progressPause, () => listener.changed())
  }

  get jobs(): readonly UploadJob[] {
    return this.#list.jobs
  }

  /** The uploads that are being sent. */
  get sending(): ReadonlySet<UploadJob> {
    return this.#running.jobs
  }

  get totals(): Readonly<Totals> {
    return this.#list.totals
  }

  /** Whether uploads are unfinished or drops are still being read. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether uploads wait because the server was not reached. */
  get isAway(): boolean {
    return this.#isAway
  }

  /** The server answers again. @param wasAway whether it did not in between: then what was lost does not count */
  goOn({ wasAway }: { wasAway: boolean }): void {
    this.#isAway = false
    if (wasAway) for (const job of this.#waiting) job.losses = 0
    this.#update()
  }

  /** Sends nothing of a drop until `endBatch`: names that are taken are asked about before anything of it is sent. */
  postpone(drop: number): void {
    this.#questions.postpone(drop)
  }

  /** More will be added: until `endBatch` the queue does not end. */
  beginBatch(): void {
    this.#open()
    this.#openBatches += 1
  }

  /** Everything of the batch has been added. @param drop the one that `postpone` was called with */
  endBatch(drop?: number): void {
    if (drop !== undefined) this.#questions.release(drop)
    this.#openBatches -= 1
    this.#update()
  }

  /** Adds uploads at the end. Uploads that an earlier run has finished are removed and no longer count. */
  add(uploads: readonly Upload[]): void {
    this.#open()
    for (const upload of uploads) {
      const job = this.#list.add(upload)
      if (job.phase === 'waiting') this.#waiting.push(job)
      else {
        this.#questions.begin(job)
        this.#ask(job)
      }
    }
    this.#update()
  }

  /** Answers conflicts of jobs that ask. With `forAll` the answer holds for later conflicts of the same drop too. */
  answer(ids: ReadonlySet<number>, choice: Choice, { forAll = false } = {}): void {
    for (const job of this.jobs) {
      if (job.phase !== 'asking' || !ids.has(job.id)) continue
      if (forAll) this.#questions.answerAll(job, choice)
      this.#decide(job, choice)
    }
    this.#update()
  }

  /** Sends no more of these drops: what runs finishes, and nothing more of them is asked about. */
  stopDrops(drops: ReadonlySet<number>): void {
    this.#questions.stop(drops)
    this.#remove(({ drop, phase }) => drop !== undefined && drops.has(drop) && (phase === 'waiting' || phase === 'asking'))
    this.#update()
  }

  /** Removes an upload, in whatever phase it is. */
  cancel(id: number): void {
    this.#remove((job) => job.id === id)
    this.#update()
  }

  /** Removes everything that is not finished. */
  cancelAll(): void {
    this.#remove((job) => !isFinished(job))
    this.#update()
  }

  /** Ends the queue: everything is aborted and removed, and nothing is reported. */
  discard(): void {
    this.#isPaused = true
    this.#isOpen = false
    this.#remove(() => true, false)
  }

  /** Removes everything that is finished. */
  clear(): void {
    this.#remove(isFinished)
    this.#update()
  }

  /** Tries the failed uploads again. */
  retryFailed(): void {
    for (const job of this.jobs) if (job.phase === 'failed') this.#enqueue(job)
    this.#update()
  }

  /** Tries a failed upload again, or asks again about one that was skipped. */
  retry(id: number): void {
    const job = this.jobs.find((candidate) => candidate.id === id)
    // Answers for its drop no longer apply to an upload that is retried individually.
    if (job) job.drop = undefined
    if (job?.phase === 'skipped' && job.existing) this.#list.move(job, 'asking')
    else if (job?.phase === 'failed' || job?.phase === 'skipped') this.#enqueue(job)
    this.#update()
  }

  /** Starts no more uploads until `resume`. Those that go on where they stopped do so at once. */
  pause(): void {
    this.#isPaused = true
    for (const job of this.#running.jobs) {
      if (!isResumable(job)) continue
      this.#running.stop(job)
      this.#list.move(job, 'waiting', job.kept)
      putBack(this.#waiting, job)
    }
    this.#update()
  }

  resume(): void {
    this.#isPaused = false
    this.#update()
  }

  // Called after every change: starts what may start, and reports changes and the end.
  #update(): void {
    while (!this.#isPaused && !this.#isAway && this.#running.count < uploadsAtOnce) {
      const next = this.#questions.takeNext(this.#waiting)
      if (!next) break
      next.begun = Date.now()
      this.#list.move(next, 'sending', next.kept)
      this.#running.start(next)
    }
    const wasOpen = this.#isOpen
    this.#isOpen = unfinished(this.totals) > 0 || this.#openBatches > 0
    if (wasOpen && !this.#isOpen) this.#end()
    else this.#reports.request()
  }

  #open(): void {
    if (!this.#isOpen) this.#remove((job) => job.phase === 'done' || job.phase === 'skipped')
    this.#isOpen = true
  }

  #end(): void {
    const result = this.#result
    this.#result = { ...nothing }
    this.#reports.flush()
    this.#listener.ended(result)
  }

  #finish(job: UploadJob, failure?: Refused): void {
    if (failure) this.#handleFailure(job, failure)
    else this.#succeed(job)
    this.#update()
  }

  #succeed(job: UploadJob): void {
    this.#list.move(job, 'done', job.size)
    if (job.file) this.#result.files += 1
    // A folder that existed before was not made.
    else if (!job.existing) this.#result.folders += 1
    this.#listener.finished(job)
  }

  #handleFailure(job: UploadJob, failure: Refused): void {
    // What goes in pieces asks how far it is.
    if (isAnswerLost(failure) && !isResumable(job)) job.lostSince ??= job.begun
    if (failure.status === 401) {
      // The session has ended: the upload waits until the person has signed in again.
      this.#isPaused = true
      this.#enqueue(job)
    } else if (mayBeSentAgain(job, failure)) this.#waitForServer(job)
    else if (failure.status !== 409 || job.overwrite || !job.file) this.#fail(job, failure)
    else if (job.copies > 0 && !job.lostSince) this.#keepBoth(job, job.losses)
    else this.#ask(job)
  }

  // It begins anew, in its place among those that were lost and before those that have not been sent.
  #waitForServer(job: UploadJob): void {
    job.losses += 1
    this.#isAway = true
    this.#list.move(job, 'waiting', job.kept)
    putBack(this.#waiting, job)
    this.#listener.lost()
  }

  #fail(job: UploadJob, failure: Refused): void {
    job.failure = failure
    this.#result.failed += 1
    this.#list.move(job, 'failed')
  }

  // Keeping both again and again would store a file whose answers are lost under one number after another.
  #ask(job: UploadJob): void {
    const answered = this.#questions.answerFor(job)
    if (job.lostSince) job.existing = undefined
    if (answered && !(job.lostSince && answered === 'keepBoth')) this.#decide(job, answered)
    else if (job.phase !== 'asking') this.#list.move(job, 'asking', job.kept)
  }

  #decide(job: UploadJob, choice: Choice): void {
    this.#questions.end(job)
    if (choice === 'keepBoth') this.#keepBoth(job)
    else if (choice === 'skip') {
      this.#result.skipped += 1
      this.#list.move(job, 'skipped')
    } else {
      job.overwrite = true
      this.#enqueue(job)
    }
  }

  // It is sent without overwriting: when the numbered name is taken meanwhile, the next number is tried.
  #keepBoth(job: UploadJob, losses = 0): void {
    takeNextName(job)
    this.#enqueue(job, losses)
  }

  #enqueue(job: UploadJob, losses = 0): void {
    job.failure = undefined
    job.losses = losses
    this.#list.move(job, 'waiting', job.kept)
    this.#waiting.push(job)
  }

  #remove(isGone: (job: UploadJob) => boolean, isTold = true): void {
    const gone = this.#list.remove(isGone)
    if (gone.size > 0) this.#waiting = this.#waiting.filter((job) => !gone.has(job))
    for (const job of gone) {
      this.#questions.end(job)
      this.#running.stop(job)
      if (isTold) this.#listener.removed(job)
    }
  }
}
