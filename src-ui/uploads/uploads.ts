import { batch, computed, signal } from '@preact/signals-core'
import { call } from '../api/http.ts'
import { type Dropped, readChosen } from '../api/read-drop.ts'
import { uploadConnectionsSlice } from '../core/connections.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { leaveGuardsSlice } from '../core/leave-guards.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice, type Prompt } from '../core/overlay.ts'
import { pageSlice } from '../core/page.ts'
import { nameOf, pathIn } from '../core/paths.ts'
import { locked } from '../core/session.ts'
import { tasksSlice } from '../core/tasks.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { formatPercent } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import type { Choice } from '../operations/conflicts.ts'
import { ExistingNames } from '../operations/existing-names.ts'
import { Arrivals } from './arrivals.ts'
import { uploadFailureReason } from './failure-cause.ts'
import { type Ended, percentOf, type Totals, type Upload, type UploadJob } from './upload-jobs.ts'
import { UploadQueue } from './upload-queue.ts'
import { type Measured, UploadSpeeds, unmeasured } from './upload-speeds.ts'
import { sendUpload } from './upload-transport.ts'
import { ServerWait } from './wait-for-server.ts'

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

/** The uploads of a workspace: the queue, the state for the page, and the report at the end. */
export class Uploads {
  readonly #workspace: Workspace
  readonly #queue: UploadQueue
  readonly #arrivals: Arrivals
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
  readonly #speeds = new UploadSpeeds()
  #stopTicking: (() => void) | undefined
  /** Whether the panel was hidden while uploads go on. */
  readonly #isPanelHidden = signal(false)
  /** How much of the listing the panel covers. */
  readonly panelState = computed(() => {
    if (this.state.value.jobs.length === 0 || this.#isPanelHidden.value) return undefined
    return this.isPanelOpen.value ? 'open' : 'collapsed'
  })
  /** How many items are dragged over the folder that is shown; undefined when none are. */
  readonly draggedOver = signal<number | undefined>(undefined)
  #lastDrop = 0
  /** Stops the reading of drops, by number. */
  readonly #reading = new Map<number, AbortController>()
  #prompt: Prompt | undefined
  readonly #serverWait: ServerWait
  /** The notice that uploads have failed. */
  #failureNotice: number | undefined

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    this.#arrivals = new Arrivals(workspace)
    this.#serverWait = new ServerWait(workspace)
    this.#queue = new UploadQueue(sendUpload, workspace, {
      changed: () => this.#show(),
      lost: () => void this.#serverWait.begin((wasAway) => this.#queue.goOn({ wasAway })),
      finished: ({ into }) => {
        this.#serverWait.reset()
        this.#noteArrival(into)
      },
      ended: (result) => this.#ended(result),
    })
    const { jobs, totals } = this.#queue
    this.state = signal<UploadsState>({ jobs, totals: { ...totals }, isOpen: false, isAway: false, ...unmeasured })
    this.#follow(workspace)
  }

  #follow(workspace: Workspace): void {
    const { titlePrefix } = workspace.use(pageSlice)
    const guard = { isActive: this.isUploading, mustStay: () => this.hasOpenUploads() || this.#queue.totals.failed > 0 }
    workspace.onDispose(workspace.use(leaveGuardsSlice).add(guard))
    workspace.effect(() => {
      if (locked.value || this.isPaused.value) this.#queue.pause()
      else this.#queue.resume()
    })
    workspace.effect(() => {
      titlePrefix.value = this.progress.value === undefined ? undefined : formatPercent(this.progress.value / 100)
    })
    workspace.effect(() => this.#askConflicts(this.conflicts.value.length > 0))
    workspace.onDispose(() => this.#discardAll())
  }

  /** Whether leaving the page now would stop an upload. Reads the queue, because the state follows it with a delay. */
  hasOpenUploads(): boolean {
    return this.#queue.isOpen
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
    const names = new ExistingNames(this.#workspace, folder)
    const reading = new AbortController()
    const { signal } = reading
    this.#reading.set(drop, reading)
    this.#queue.beginBatch()
    try {
      for await (const part of parts) {
        const uploads = part.filter((one) => !one.unreadable).map((one) => uploadOf(folder, one))
        const existing = await this.#existing(folder, names, uploads)
        if (signal.aborted) break
        if (existing.size > 0) this.#queue.postpone(drop)
        if (uploads.length > 0)
          this.#queue.add(uploads.map((upload) => ({ ...upload, drop, existing: existing.get(upload.path) })))
        for (const { path } of part.filter((one) => one.unreadable))
          this.#workspace.use(noticesSlice).fail(t('uploads.unreadable', { name: path }))
      }
    } finally {
      this.#reading.delete(drop)
      this.#queue.endBatch(drop)
    }
  }

  #existing(folder: string, names: ExistingNames, uploads: readonly Upload[]) {
    const label = t('uploads.looking', { folder: isolate(nameOf(folder) || t('sidebar.myFiles')) })
    return this.#workspace.use(tasksSlice).track({ label }, () => names.at(uploads.map(({ path }) => path)))
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

  /** Loads the existing entry that has the name of an upload. */
  async inspect(job: UploadJob): Promise<void> {
    const { signal } = this.#workspace
    const asked = { path: job.path, query: { content: 'false' }, signal }
    const resource = await call('GET /api/resources/*', asked).catch(() => undefined)
    if (!resource) return
    job.existing = resource
    this.#show()
  }

  // Stops reading dropped folders.
  #stopReading(): void {
    for (const reading of this.#reading.values()) reading.abort()
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
      this.#prompt ??= this.#workspace.use(overlaysSlice).ask({ kind: 'uploadConflicts' }, () => this.#stopAsked())
    }
  }

  // When the prompt is closed: skips uploads that were retried individually, and stops the rest of the drops of the others.
  #stopAsked(): void {
    this.#prompt = undefined
    const asking = this.conflicts.peek()
    const drops = new Set(asking.flatMap(({ drop }) => drop ?? []))
    for (const drop of drops) this.#reading.get(drop)?.abort()
    this.#queue.stopDrops(drops)
    this.answer(asking, 'skip')
  }

  // Where the server reports every change, the uploaded file is shown without another listing.
  #noteArrival(folder: string): void {
    if (!this.#workspace.use(entryViewSlice).isLive.peek()) this.#arrivals.note(folder)
  }

  #show(): void {
    const { jobs, totals, isOpen, isAway } = this.#queue
    if (totals.failed === 0) this.#dismissFailures()
    this.#stopTicking?.()
    if (isOpen) this.#stopTicking = this.#workspace.timeout(() => this.#show(), speedPause)
    this.#workspace.use(uploadConnectionsSlice).value = totals.sending
    this.state.value = { jobs, totals: { ...totals }, isOpen, isAway, ...this.#speeds.measure(performance.now(), this.#queue) }
  }

  #ended({ files, folders, failed }: Ended): void {
    const notices = this.#workspace.use(noticesSlice)
    const entryView = this.#workspace.use(entryViewSlice)
    const done = this.#queue.jobs.filter((job) => job.phase === 'done')
    batch(() => {
      // Failures need the person's attention.
      if (failed > 0) this.#isPanelHidden.value = false
      else if (!isPanelInUse()) this.isPanelOpen.value = false
      this.isPaused.value = false
      if (files > 0) notices.succeed(t('uploads.done', { count: files }))
      else if (folders > 0) notices.succeed(t('uploads.foldersDone', { count: folders }))
      if (failed > 0) this.#reportFailures(failed)
    })
    this.#arrivals.clear()
    if (files + folders === 0) return
    const shown = () => done.filter(({ into }) => into === entryView.currentPath.value).map(({ path }) => path)
    void entryView.refresh().then(() => entryView.showNew(shown()))
  }

  #reportFailures(failed: number): void {
    const first = this.#queue.jobs.find((job) => job.phase === 'failed')
    if (!first?.failure) return
    const detail = t('uploads.failure', { name: nameOf(first.path), cause: uploadFailureReason(first.failure) })
    this.#dismissFailures()
    this.#failureNotice = this.#workspace.use(noticesSlice).fail(t('uploads.failed', { count: failed }), detail)
  }

  // It ends with its error: nothing is left to retry.
  #dismissFailures(): void {
    if (this.#failureNotice !== undefined) this.#workspace.use(noticesSlice).dismiss(this.#failureNotice)
    this.#failureNotice = undefined
  }
}

export const uploadsSlice = slice('uploads', (workspace) => new Uploads(workspace))

/** Whether the keyboard is in the list: then it does not collapse. */
const isPanelInUse = (): boolean =>
  typeof document !== 'undefined' && document.activeElement?.closest('.transfers-list, .transfers-foot') != null

// A lone surrogate is not Unicode and could not be encoded in an address.
function uploadOf(folder: string, { path, file }: Dropped): Upload {
  return { path: pathIn(folder, path).toWellFormed(), into: folder, file }
}
