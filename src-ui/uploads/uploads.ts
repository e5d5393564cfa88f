import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-core'
import { type Dropped, readChosen } from '../api/read-drop.ts'
import type { Lifetime } from '../core/lifetime.ts'
import type { Notices } from '../core/notices.ts'
import type { Prompt } from '../core/overlay.ts'
import { newAct } from '../core/own-acts.ts'
import { nameOf, pathIn } from '../core/paths.ts'
import { t } from '../i18n/t.ts'
import type { Choice, Existing } from '../operations/conflicts.ts'
import { ServerWait } from '../sending/wait-for-server.ts'
import { uploadFailureReason } from './failure-cause.ts'
import { type Ended, isFinished, percentOf, type Totals, type Transport, type Upload, type UploadJob } from './upload-jobs.ts'
import { UploadQueue } from './upload-queue.ts'
import type { Measured, UploadSpeeds } from './upload-speeds.ts'

export type UploadsState = Measured & {
  jobs: readonly UploadJob[]
  totals: Readonly<Totals>
  /** Whether uploads are unfinished or drops are still being read. */
  isOpen: boolean
  /** Whether uploads wait because the server was not reached. */
  isAway: boolean
}

/** Milliseconds after which the speed is computed again when nothing is sent: it falls. */
const speedPause = 1000

const unmeasured: Measured = { speed: undefined, speeds: new Map(), timeLeft: undefined }

/** The page that uploads belong to: a person's, or one without a workspace. */
export type UploadPage = Readonly<{
  life: Lifetime
  notices: Pick<Notices, 'succeed' | 'fail' | 'dismiss'>
  /** @returns finds what exists at paths in a folder and below it, for one drop */
  existingIn(folder: string): (paths: readonly string[]) => Promise<ReadonlyMap<string, Existing>>
  /** The entry that has the name of an upload; undefined when it cannot be read. */
  find(path: string): Promise<Existing | undefined>
  /** Asks about names that are taken. @param onClose called when the person has closed the question */
  ask(onClose: () => void): Pick<Prompt, 'withdraw'>
  /** Something has arrived in a folder. */
  noteArrival(folder: string): void
  /** The person no longer wants an upload: what the server keeps of it may go. */
  removed: (job: UploadJob) => void
  /** Nothing is left to send. @param done what has arrived @param notice the id of that which has told it */
  ended(done: readonly UploadJob[], notice: number | undefined): void
}>

/** The uploads of a page: the queue, the state for the page, and the report at the end. */
export class Uploads {
  readonly #page: UploadPage
  readonly #queue: UploadQueue
  /** The queue as it is; a new value at most every 100 ms. */
  readonly state
  /** From 0 to 100; undefined when nothing is being uploaded. */
  readonly progress = computed(() => (this.isUploading.value ? percentOf(this.state.value.totals) : undefined))
  readonly isUploading = computed(() => this.state.value.isOpen)
  /** The uploads that wait for an answer, because their name is taken. */
  readonly conflicts = computed(() => this.state.value.jobs.filter((job) => job.phase === 'asking'))
  /** Whether the panel shows its rows, or only its header. */
  readonly isPanelOpen = signal(true)
  /** Whether the person lets no further upload begin. */
  readonly isPaused = signal(false)
  #speeds: UploadSpeeds | undefined
  #stopTicking: (() => void) | undefined
  /** Whether the panel was hidden while uploads go on. */
  readonly #isPanelHidden = signal(false)
  readonly isPanelShown = computed(() => this.state.value.jobs.length > 0 && !this.#isPanelHidden.value)
  /** How many items are dragged over the folder that is shown; undefined when none are. */
  readonly draggedOver = signal<number | undefined>(undefined)
  #lastDrop = 0
  /** The drops that are being read, by number. */
  readonly #reading = new Map<number, { stopping: AbortController; act: string }>()
  #prompt: Pick<Prompt, 'withdraw'> | undefined
  /** The notice that uploads have failed. */
  #failureNotice: number | undefined

  /** @param isHeld whether nothing may begin, because the session has ended */
  constructor(page: UploadPage, transport: Transport, isHeld: ReadonlySignal<boolean>) {
    this.#page = page
    const { life } = page
    const serverWait = new ServerWait(life)
    this.#queue = new UploadQueue(transport, life, {
      changed: () => this.#show(),
      lost: () => void serverWait.begin((wasAway) => this.#queue.goOn({ wasAway })),
      advanced: () => serverWait.reset(),
      finished: ({ into }) => {
        serverWait.reset()
        page.noteArrival(into)
      },
      removed: page.removed,
      ended: (result) => this.#ended(result),
    })
    const { jobs, totals } = this.#queue
    this.state = signal<UploadsState>({ jobs, totals: { ...totals }, isOpen: false, isAway: false, ...unmeasured })
    life.effect(() => {
      if (isHeld.value || this.isPaused.value) this.#queue.pause()
      else this.#queue.resume()
    })
    life.effect(() => this.#askConflicts(this.conflicts.value.length > 0))
    life.onDispose(() => this.#discardAll())
  }

  /** Whether leaving the page now would stop an upload. Reads the queue, because the state follows it with a delay. */
  hasOpenUploads(): boolean {
    return this.#queue.isOpen
  }

  /** Whether leaving the page now would lose an upload, or the list of those that have failed. */
  wouldLose(): boolean {
    return this.#queue.isOpen || this.#queue.totals.failed > 0
  }

  /** Uploads files that were chosen into a folder. */
  uploadChosen(folder: string, files: readonly File[]): Promise<void> {
    return this.uploadDropped(folder, [readChosen(files)])
  }

  /**
   * Uploads what was dropped, part by part as it is read. Taken names are asked about before anything of it is sent: when something of
   * its first part, which is all that is at the top, exists already, nothing is sent before the whole is read.
   */
  async uploadDropped(folder: string, parts: AsyncIterable<Dropped[]> | Iterable<Dropped[]>): Promise<void> {
    this.#lastDrop += 1
    if (!this.#queue.isOpen) this.isPanelOpen.value = true
    this.#isPanelHidden.value = false
    const drop = this.#lastDrop
    const act = newAct()
    const existingAt = this.#page.existingIn(folder)
    const stopping = new AbortController()
    const { signal } = stopping
    this.#reading.set(drop, { stopping, act })
    this.#queue.beginBatch()
    try {
      for await (const part of parts) {
        const uploads = part.filter((one) => !one.unreadable).map((one) => uploadOf(folder, one))
        const existing = await existingAt(uploads.map(({ path }) => path))
        if (signal.aborted) break
        if (existing.size > 0) this.#queue.postpone(drop)
        if (uploads.length > 0)
          this.#queue.add(uploads.map((upload) => ({ ...upload, drop, act, existing: existing.get(upload.path) })))
        for (const { path } of part.filter((one) => one.unreadable))
          this.#page.notices.fail(t('uploads.unreadable', { name: path }))
      }
    } finally {
      this.#reading.delete(drop)
      this.#queue.endBatch(drop)
    }
  }

  /** From now on it is known how fast uploads are sent, for whoever shows it. */
  measureBy(speeds: UploadSpeeds): void {
    this.#speeds = speeds
  }

  cancel(id: number): void {
    this.#queue.cancel(id)
  }

  clear(): void {
    this.#queue.clear()
  }

  /** Hides the panel while uploads go on; afterwards removes the finished uploads. */
  hidePanel(): void {
    if (this.#queue.isOpen) this.#isPanelHidden.value = true
    else this.clear()
  }

  /** Whether there are uploads whose panel was hidden. */
  mayShowPanel(): boolean {
    return this.#isPanelHidden.value && this.state.value.jobs.length > 0
  }

  showPanel(): void {
    batch(() => {
      this.#isPanelHidden.value = false
      this.isPanelOpen.value = true
    })
  }

  retry(id: number): void {
    this.#queue.retry(id)
  }

  retryFailed(): void {
    this.#queue.retryFailed()
  }

  answer(jobs: readonly UploadJob[], choice: Choice, how: { forAll?: boolean } = {}): void {
    this.#queue.answer(new Set(jobs.map((job) => job.id)), choice, how)
  }

  /** Cancels all uploads. Failed ones stay in the list; without any, the finished ones are removed too. */
  cancelAll(): void {
    this.#stopReading()
    this.#queue.cancelAll()
    if (this.#queue.totals.failed === 0) this.#queue.clear()
  }

  /** The acts of the drops that are not over, the newest first. */
  openActs(): string[] {
    const queued = this.#queue.jobs.flatMap((job) => (job.act !== undefined && !isFinished(job) ? [job.act] : []))
    const read = [...this.#reading.values()].map(({ act }) => act)
    return [...new Set([...queued, ...read])].toReversed()
  }

  /** Reads no more of a drop. @returns what of it is not over */
  endAct(act: string): UploadJob[] {
    for (const one of this.#reading.values()) if (one.act === act) one.stopping.abort()
    return this.#queue.jobs.filter((job) => job.act === act && !isFinished(job))
  }

  /** Loads the existing entry that has the name of an upload. */
  async inspect(job: UploadJob): Promise<void> {
    const found = await this.#page.find(job.path)
    if (!found) return
    job.existing = found
    this.#show()
  }

  // Stops reading dropped folders.
  #stopReading(): void {
    for (const { stopping } of this.#reading.values()) stopping.abort()
  }

  // Not `cancelAll`: nothing may be reported after the workspace was disposed.
  #discardAll(): void {
    this.#stopReading()
    this.#queue.discard()
  }

  #askConflicts(isNeeded: boolean): void {
    if (!isNeeded) {
      this.#prompt?.withdraw()
      this.#prompt = undefined
    } else {
      this.#prompt ??= this.#page.ask(() => this.#stopAsked())
    }
  }

  // When the prompt is closed, by whatever key: skips uploads that were retried individually, stops the rest of the drops of the
  // others, and says how many files that leaves out.
  #stopAsked(): void {
    this.#prompt = undefined
    const asking = this.conflicts.peek()
    const drops = new Set(asking.flatMap(({ drop }) => drop ?? []))
    const isStopped = ({ drop, file, phase }: UploadJob) =>
      drop && file && drops.has(drop) && (phase === 'waiting' || phase === 'asking')
    const count = this.#queue.jobs.filter(isStopped).length
    if (count > 0) this.#page.notices.fail(t('uploads.failed', { count }))
    for (const drop of drops) this.#reading.get(drop)?.stopping.abort()
    this.#queue.stopDrops(drops)
    this.answer(asking, 'skip')
  }

  #show(): void {
    const { jobs, totals, isOpen, isAway } = this.#queue
    if (totals.failed === 0) this.#dismissFailures()
    this.#stopTicking?.()
    if (isOpen) this.#stopTicking = this.#page.life.timeout(() => this.#show(), speedPause)
    this.state.value = { jobs, totals: { ...totals }, isOpen, isAway, ...this.#measured() }
  }

  #measured(): Measured {
    return this.#speeds?.measure(performance.now(), this.#queue) ?? unmeasured
  }

  #ended({ files, folders, failed }: Ended): void {
    const { notices } = this.#page
    let notice: number | undefined
    batch(() => {
      // Failures need the person's attention.
      if (failed > 0) this.#isPanelHidden.value = false
      else if (!isPanelInUse()) this.isPanelOpen.value = false
      this.isPaused.value = false
      if (files > 0) notice = notices.succeed(t('uploads.done', { count: files }))
      else if (folders > 0) notice = notices.succeed(t('uploads.foldersDone', { count: folders }))
      if (failed > 0) this.#reportFailures(failed)
    })
    this.#page.ended(files + folders === 0 ? [] : this.#queue.jobs.filter((job) => job.phase === 'done'), notice)
  }

  #reportFailures(failed: number): void {
    const first = this.#queue.jobs.find((job) => job.phase === 'failed')
    if (!first?.failure) return
    const detail = t('uploads.failure', { name: nameOf(first.path), cause: uploadFailureReason(first.failure) })
    this.#dismissFailures()
    this.#failureNotice = this.#page.notices.fail(t('uploads.failed', { count: failed }), detail)
  }

  // It ends with its error: nothing is left to retry.
  #dismissFailures(): void {
    if (this.#failureNotice !== undefined) this.#page.notices.dismiss(this.#failureNotice)
    this.#failureNotice = undefined
  }
}

/** Whether the keyboard is in the list: then it does not collapse. */
export const isPanelInUse = (): boolean =>
  typeof document !== 'undefined' && document.activeElement?.closest('.transfers-list, .transfers-foot') != null

// A lone surrogate is not Unicode and could not be encoded in an address.
function uploadOf(folder: string, { path, file }: Dropped): Upload {
  return { path: pathIn(folder, path).toWellFormed(), into: folder, file }
}
