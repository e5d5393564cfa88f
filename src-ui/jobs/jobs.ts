// The jobs of a person: work that the server does without the page, told alike to all pages of the person.
import { batch, computed, signal } from '@preact/signals-core'
import type { Job, JobDetails, JobKind, NameEncoding, WhenTaken } from '../../src-server/contract/jobs.ts'
import { call, HttpFailure } from '../api/http.ts'
import { failureReason, isAnswerLost, isSignedOut, isUnreached } from '../core/failure-reason.ts'
import { type JobsMessage, liveSlice } from '../core/live.ts'
import { noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { presenceSlice } from '../core/presence.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { percentOf, sumOf } from './how-far.ts'
import { isActive, reportEnd, titleOf, wordOf } from './job-words.ts'

/** Of entries, each of which is done by itself. */
export type JobOfEntries = Readonly<{
  kind: Extract<JobKind, 'copy' | 'move' | 'delete' | 'restore' | 'purge'>
  entries: readonly string[]
  to?: string
  choices?: Readonly<Record<string, WhenTaken>>
  /** Of a removal: only into the trash, or for good. */
  trash?: boolean
}>

/** What the page asks for; it makes the id. */
export type JobAsked =
  | JobOfEntries
  /** Of all that the person may delete for good when the server gets it. */
  | Readonly<{ kind: 'purge'; all: true }>
  /** An archive of entries, and archives that are extracted. */
  | Readonly<{ kind: 'compress'; entries: readonly string[]; to: string; name: string; format: string }>
  | Readonly<{ kind: 'extract'; entries: readonly string[]; to: string; names?: NameEncoding }>
  /** `act`: its id in the history. */
  | Readonly<{ kind: 'undo'; act: string; redo: boolean; rest: boolean }>

type How = Readonly<{
  /** When it is aborted, the job is cancelled. */
  stopping?: AbortSignal | undefined
  /** Called when the job goes on without the page. */
  onKept?: () => void
}>

export type JobAct = Readonly<{ action: 'pause' | 'resume' | 'continue' | 'cancel' | 'retry' } | { answer: Answer }>
type Answer = Readonly<{ question: string; taken: Exclude<WhenTaken, 'ask'>; all: boolean }>

/** Milliseconds for which a job is not shown. */
export const jobDelay = 700
/** Milliseconds between two questions about jobs, while there is no connection over which the server tells. */
export const pollPause = 2000
/** Milliseconds after which a request for a job whose answer was lost is repeated: it is the same job by its id. */
const repeatPauses = [500, 1500]

/** Those that a panel shows: of the others somebody asks elsewhere. */
const shownKinds: readonly JobKind[] = ['copy', 'move', 'delete', 'restore', 'purge', 'undo', 'compress', 'extract']

const isOlder = (one: Job, other: Job): boolean =>
  one.changedAt < other.changedAt || (one.changedAt === other.changedAt && isOver(other) && !isOver(one))

export const isOver = ({ state }: Pick<Job, 'state'>): boolean => state === 'ended' || state === 'cancelled'

export class Jobs {
  readonly #workspace: Workspace
  /** The newest first. */
  readonly list = signal<readonly Job[]>([])
  /** The ids of those that were over when the page was opened, and need nobody. */
  readonly #past = new Set<string>()
  /** All but those of earlier visits: the newest first. */
  readonly shown = computed(() => this.list.value.filter(({ id }) => !this.#past.has(id)))
  /** Of those that ask, have failed or have changed nothing. */
  readonly details = signal<ReadonlyMap<string, JobDetails>>(new Map())
  /** The ids of those that have run for so long that they are shown, or that need somebody. */
  readonly #noticed = signal<ReadonlySet<string>>(new Set())
  readonly #isHidden = signal(false)
  readonly isShown = computed(() => this.#noticed.value.size > 0 && !this.#isHidden.value)
  /** Whether the panel was hidden while there is something to show. */
  readonly mayShow = computed(() => this.#noticed.value.size > 0 && this.#isHidden.value)
  /** Those that are not over, in all pages of the person. */
  readonly underWay = computed(() => this.list.value.filter((job) => !isOver(job)))
  /** Percent of all that run; undefined when none does or little is known. */
  readonly progress = computed(() => percentOf(this.list.value.filter(({ id }) => this.#noticed.value.has(id))))
  /** The bytes of all that run, where all transfer some, of how many, and the seconds that are left: as far as it is known of each. */
  readonly sum = computed(() => sumOf(this.list.value.filter(({ id }) => this.#noticed.value.has(id))))
  /** What is said of an act of the history: what undoes it has no other name. undefined while it is not known. */
  readonly actPhrase = signal<(id: string) => string | undefined>(() => undefined)
  /** The names of entries of the trash, by their ids, of which jobs of this page have begun: a failure has the id alone. */
  readonly trashNames = new Map<string, string>()
  /** Those whose end this page waits for, by id. */
  readonly #awaited = new Map<string, (job: Job | undefined) => void>()
  /** Whether the server did not answer when it was asked last: what is known of them may be old. */
  readonly isOutOfReach = signal(false)
  #isListed = false
  #isPolling = false
  #refreshing: Promise<void> | undefined
  /** What was told while a list was on its way. */
  #meanwhile: JobsMessage[] | undefined

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Follows them from now on, over the connection of the page or, without one, by asking. */
  follow(): void {
    const opened = () => void this.refresh()
    const live = this.#workspace.use(liveSlice)
    this.#workspace.onDispose(live.followJobs({ told: (message) => this.#told(message), opened }))
    this.#workspace.timeout(() => {
      if (live.openedAt === undefined) void this.refresh()
    }, pollPause)
  }

  /**
   * Begins a job and waits for its end, however long that takes.
   * @returns what came of it; undefined when it was forgotten before
   * @throws HttpFailure when it was refused, or the server is not reached
   */
  async run(asked: JobAsked, { stopping, onKept }: How = {}): Promise<JobDetails | undefined> {
    const id = newAct()
    const stop = () => void this.#cancel(id)
    stopping?.addEventListener('abort', stop, { once: true })
    try {
      const body = 'entries' in asked ? { ...asked, entries: [...asked.entries], id } : { ...asked, id }
      const begun = await this.#begin(body, stopping)
      if (isOver(begun)) return begun
      // It was asked before the server had the job.
      if (stopping?.aborted) stop()
      onKept?.()
      return await this.#end(begun)
    } catch (failure) {
      // The server may have it although its answer is lost.
      if (stopping?.aborted && isAnswerLost(failure)) stop()
      throw failure
    } finally {
      stopping?.removeEventListener('abort', stop)
    }
  }

  /** Does something with a job. What came of it is told. A job in another state by now stays as it is. */
  async act(id: string, act: JobAct): Promise<void> {
    const failure = await this.#change(id, act)
    if (failure !== undefined) this.#tellNotDone(id, act, failure)
  }

  /** Cancels a job, however often that must be asked, and waits until it changes nothing any more. */
  async stop(id: string): Promise<void> {
    await this.#cancel(id)
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = this.underWay.subscribe((jobs) => {
      if (!jobs.some((job) => job.id === id)) resolve()
    })
    await promise
    end()
  }

  /** What an undo is about, if it is known. */
  phraseOf({ act }: Job): string | undefined {
    return act === undefined ? undefined : this.actPhrase.value(act)
  }

  /** Forgets a job that is over. */
  async dismiss(id: string): Promise<void> {
    this.#drop([id])
    await call('DELETE /api/jobs/:id', this.#asking(id)).catch(() => undefined)
  }

  /** Forgets those that are over. */
  clear(): void {
    for (const job of this.list.peek()) if (isOver(job)) void this.dismiss(job.id)
  }

  /** Hides the panel while they go on; afterwards forgets them. */
  hide(): void {
    if (this.underWay.peek().length > 0) this.#isHidden.value = true
    else this.clear()
  }

  show(): void {
    this.#isHidden.value = false
  }

  /** Asks the server for all of them. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #refresh(): Promise<void> {
    if (!this.#workspace.user.peek()) return
    const before = [...this.#awaited.keys(), ...this.list.peek().map(({ id }) => id)]
    this.#meanwhile = []
    const [asked] = await Promise.allSettled([call('GET /api/jobs', { signal: this.#workspace.signal, isBackground: true })])
    const answer = asked.status === 'fulfilled' ? asked.value : undefined
    this.isOutOfReach.value = asked.status === 'rejected' && isUnreached(asked.reason)
    const told = this.#meanwhile
    this.#meanwhile = undefined
    if (answer) {
      const known = new Set(answer.jobs.map(({ id }) => id))
      this.#drop(before.filter((id) => !known.has(id)))
      this.#put(answer.jobs, { isFirst: true })
    }
    for (const message of told) this.#told(message)
    this.#poll()
  }

  #told(message: JobsMessage): void {
    if (this.#meanwhile) {
      this.#meanwhile.push(message)
      return
    }
    this.isOutOfReach.value = false
    this.#put(message.jobs)
    this.#drop(message.gone)
  }

  /** What the server has answered about a job: on the connection of the page it may have told more by now. */
  #putAnswer(job: Job): void {
    const known = this.list.peek().find(({ id }) => id === job.id)
    this.#put([known && isOlder(job, known) ? known : job])
  }

  /** @param isFirst whether they come from a list: what was over before it is no news */
  #put(jobs: readonly Job[], { isFirst = false } = {}): void {
    const before = new Map(this.list.peek().map((job) => [job.id, job]))
    const shown = jobs.filter(({ kind }) => shownKinds.includes(kind))
    const all = new Map(before)
    for (const job of shown) {
      all.set(job.id, job)
      if (!isOver(job)) this.#past.delete(job.id)
      else if (isFirst && !this.#isListed && !before.has(job.id) && !needsDetails(job)) this.#past.add(job.id)
    }
    if (isFirst) this.#isListed = true
    batch(() => {
      this.list.value = [...all.values()].sort((one, other) => other.startedAt - one.startedAt)
      for (const job of shown) this.#note(job, { before: before.get(job.id), isFirst })
    })
    this.#poll()
  }

  #note(job: Job, { before, isFirst }: { before: Job | undefined; isFirst: boolean }): void {
    const { id } = job
    const isNoticed = this.#noticed.peek().has(id)
    if (before && isOver(before) && (!isOver(job) || job.failed === 0))
      this.#workspace.use(noticesSlice).dismissFailures({ act: id })
    if (isOver(job)) {
      // One that has failed needs somebody, also after a reload.
      if (isFirst && !before && (job.failed > 0 || job.unchanged)) this.#notice(id)
      const isNews = before && !isOver(before) && isNoticed
      const end = this.#awaited.get(id)
      this.#awaited.delete(id)
      end?.(job)
      if (!end && isNews) reportEnd(this.#workspace, job, this.phraseOf(job))
    } else if (!isActive(job) || job.asked > 0) this.#notice(id)
    else if (!before)
      this.#workspace.timeout(() => {
        if (this.underWay.peek().some((one) => one.id === id)) this.#notice(id)
      }, jobDelay)
    if (needsDetails(job)) void this.#loadDetails(job)
  }

  /** A job that is new, or asks something, is shown. */
  #notice(id: string): void {
    if (this.#noticed.peek().has(id)) return
    batch(() => {
      this.#noticed.value = new Set([...this.#noticed.peek(), id])
      this.#isHidden.value = false
    })
  }

  #drop(ids: readonly string[]): void {
    if (ids.length === 0) return
    batch(() => {
      this.list.value = this.list.peek().filter(({ id }) => !ids.includes(id))
      this.#noticed.value = new Set([...this.#noticed.peek()].filter((id) => !ids.includes(id)))
      this.details.value = new Map([...this.details.peek()].filter(([id]) => !ids.includes(id)))
    })
    for (const id of ids) {
      this.#awaited.get(id)?.(undefined)
      this.#awaited.delete(id)
    }
  }

  async #loadDetails(job: Job): Promise<void> {
    const known = this.details.peek().get(job.id)
    if (
      known &&
      // Tried again, other entries may have failed.
      known.changedAt === job.changedAt &&
      known.asked === job.asked &&
      known.failed === job.failed &&
      known.done + known.skipped === job.done + job.skipped
    )
      return
    const details = await call('GET /api/jobs/:id', { ...this.#asking(job.id), isBackground: true }).catch(() => undefined)
    if (details && this.list.peek().some(({ id }) => id === job.id))
      this.details.value = new Map([...this.details.peek(), [job.id, details]])
  }

  /** @returns why it was not done; undefined when it was, or when another page has answered or cancelled it */
  async #change(id: string, act: JobAct): Promise<unknown> {
    const body = 'answer' in act ? { action: 'answer', ...act.answer } : act
    try {
      this.#putAnswer(await call('PATCH /api/jobs/:id', { ...this.#asking(id), body }))
      return undefined
    } catch (failure) {
      const refreshed = this.refresh()
      if (!isTold(failure)) await refreshed
      return isTold(failure) ? failure : undefined
    }
  }

  /** Asks until the server has taken it: else the job would go on. */
  async #cancel(id: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const failure = await this.#change(id, { action: 'cancel' })
      if (failure !== undefined && attempt === 0) this.#tellNotDone(id, { action: 'cancel' }, failure)
      if (failure === undefined || !mayAskAgain(failure)) return
      await this.#pause(pollPause)
    }
  }

  #tellNotDone(id: string, act: JobAct, failure: unknown): void {
    if (isSignedOut(failure)) return
    const job = this.list.peek().find((one) => one.id === id)
    const name = job ? titleOf(job, this.phraseOf(job)) : t('jobs.server')
    const detail = t('transfer.failure', { name, cause: failureReason(failure) })
    this.#workspace.use(noticesSlice).fail(t('error.command', { command: wordOf(act) }), detail)
  }

  /** What is to stop by now is not asked for again when the answer is lost. */
  async #begin(body: Parameters<typeof call<'POST /api/jobs'>>[1]['body'], stopping?: AbortSignal): Promise<JobDetails> {
    const { signal } = this.#workspace
    for (const pause of [...repeatPauses, undefined]) {
      try {
        return await call('POST /api/jobs', { body, act: body.id, signal })
      } catch (failure) {
        if (!isAnswerLost(failure) || pause === undefined) throw failure
        await this.#pause(pause)
        if (stopping?.aborted) throw failure
      }
    }
    throw new HttpFailure(0, '')
  }

  async #end(begun: JobDetails): Promise<JobDetails | undefined> {
    const { promise, resolve } = Promise.withResolvers<Job | undefined>()
    this.#awaited.set(begun.id, resolve)
    this.#putAnswer(begun)
    const ended = await promise
    if (!ended) return undefined
    const details = await this.#detailsOf(ended.id)
    // One that nobody has seen leaves nothing behind.
    if (ended.failed === 0 && !ended.unchanged && !this.#noticed.peek().has(ended.id)) void this.dismiss(ended.id)
    return details
  }

  /** Waits for the server when it is not reached. */
  async #detailsOf(id: string): Promise<JobDetails | undefined> {
    for (;;) {
      try {
        return await call('GET /api/jobs/:id', this.#asking(id))
      } catch (failure) {
        if (!isUnreached(failure)) return undefined
        await this.#pause(pollPause)
      }
    }
  }

  #poll(): void {
    if (this.#isPolling || !this.list.peek().some(isActive)) return
    this.#isPolling = true
    this.#workspace.timeout(() => {
      this.#isPolling = false
      const isAlone = this.#workspace.use(liveSlice).openedAt === undefined
      if (isAlone && this.#workspace.use(presenceSlice).isVisible.peek()) void this.refresh()
      else this.#poll()
    }, pollPause)
  }

  #asking(id: string) {
    return { params: { id }, signal: this.#workspace.signal }
  }

  #pause(delay: number): Promise<void> {
    return new Promise((resolve) => void this.#workspace.timeout(resolve, delay))
  }
}

/** What another page has done is not told as a failure. */
const isTold = (failure: unknown): boolean =>
  !(failure instanceof HttpFailure && [404, 409].includes(failure.status)) || failure.refusal !== undefined

const mayAskAgain = (failure: unknown): boolean =>
  isAnswerLost(failure) || (failure instanceof HttpFailure && [429, 503].includes(failure.status))

const needsDetails = ({ asked, failed, unchanged = 0 }: Job): boolean => asked + failed + unchanged > 0

export const jobsSlice = slice('jobs', (workspace) => new Jobs(workspace))
