// The uploads of this visit: the queue, what the page shows of it, and what follows when it has ended.
import { batch, computed, effect, signal } from '@preact/signals-core'
import { call, HttpFailure } from '../api/http.ts'
import { type Dropped, readChosen } from '../api/read-drop.ts'
import { sendFile } from '../api/send-file.ts'
import { uploadFailureReason } from '../core/failure-reason.ts'
import { fail, succeed } from '../core/notices.ts'
import { close, open, overlay } from '../core/overlay.ts'
import { titlePrefix } from '../core/page.ts'
import { nameOf } from '../core/paths.ts'
import { locked, stayWhile, token, user } from '../core/session.ts'
import { trackTask } from '../core/tasks.ts'
import { formatPercent } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { currentPath, refresh, showNew } from '../listing/listing.ts'
import { ExistingNames } from '../operations/existing-names.ts'
import { askForPassword, keepSession } from '../session/keep-session.ts'
import type { Upload, UploadJob } from './upload-jobs.ts'
import { percentOf, type Totals } from './upload-jobs.ts'
import { type Choice, type Ended, UploadQueue } from './upload-queue.ts'

export type Uploads = {
  jobs: readonly UploadJob[]
  totals: Readonly<Totals>
  /** Something is still to be done, or still being read from what was dropped. */
  isOpen: boolean
}

const queue = new UploadQueue(
  send,
  { now: () => performance.now(), after: (delay, work) => setTimeout(work, delay) },
  { changed: show, ended },
)

/** The queue as it stands; a new value at most every 100 ms. */
export const uploads = signal<Uploads>({ jobs: queue.jobs, totals: { ...queue.totals }, isOpen: false })
/** How far everything is, from 0 to 100; undefined when nothing is under way. */
export const overallProgress = computed(() => (isUploading.value ? percentOf(uploads.value.totals) : undefined))
export const isUploading = computed(() => uploads.value.isOpen)
/** The uploads that wait for an answer, because their name is taken. */
export const conflicts = computed(() => uploads.value.jobs.filter((job) => job.phase === 'asking'))
/** Whether the panel with its lines is open, or only its head is. */
export const isPanelOpen = signal(true)
/** Whether the panel was put away while uploads go on. */
const isPanelHidden = signal(false)
/** What of the panel stands over the listing. */
export const panelState = computed(() => {
  if (uploads.value.jobs.length === 0 || isPanelHidden.value) return undefined
  return isPanelOpen.value ? 'open' : 'collapsed'
})
/** How many things are being dragged over a place that takes them; undefined when none are. */
export const draggedOver = signal<number | undefined>(undefined)

let owner: number | undefined
let lastDrop = 0
/** Ends the reading of drops. */
let reading = new AbortController()

// Nobody signed in: nothing more starts. The same person back: it goes on. Another one: these are not their uploads.
effect(() => {
  const id = locked.value ? undefined : user.value?.id
  if (id === undefined) {
    queue.pause()
    return
  }
  if (owner !== undefined && owner !== id) discardAll()
  owner = id
  queue.resume()
})

// What has begun is not lost to a session that ends: the page stays, and a session is renewed before it can end.
stayWhile(hasOpenUploads)
keepSession(isUploading)
askForPassword()

effect(() => {
  titlePrefix.value = overallProgress.value === undefined ? undefined : formatPercent(overallProgress.value / 100)
})

// One question at a time, as soon as nothing else lies over the page.
effect(() => {
  if (conflicts.value.length === 0) close('replace')
  else if (overlay.value.kind === 'none' && !locked.value) open({ kind: 'replace' })
})

/** Puts the panel away. What is under way goes on; what has ended leaves the list. */
export function hidePanel(): void {
  if (queue.isOpen) isPanelHidden.value = true
  else clearUploads()
}

/** Whether there are uploads whose panel was put away. */
export const mayShowPanel = (): boolean => isPanelHidden.value && uploads.value.jobs.length > 0

export function showPanel(): void {
  batch(() => {
    isPanelHidden.value = false
    isPanelOpen.value = true
  })
}

/** Whether leaving the page now would cut an upload: asked of the queue itself, of which the page hears a little later. */
export function hasOpenUploads(): boolean {
  return queue.isOpen
}

/** Uploads files that were chosen into a folder. */
export const uploadChosen = (folder: string, files: readonly File[]): Promise<void> => uploadDropped(folder, [readChosen(files)])

/** Uploads what was dropped, part by part as it is read. Names that are taken are asked about before anything is sent. */
export async function uploadDropped(folder: string, parts: AsyncIterable<Dropped[]> | Iterable<Dropped[]>): Promise<void> {
  lastDrop += 1
  isPanelHidden.value = false
  const drop = lastDrop
  const names = new ExistingNames(folder)
  const label = t('uploads.looking', { folder: isolate(nameOf(folder) || t('sidebar.myFiles')) })
  const { signal } = reading
  queue.beginBatch()
  try {
    for await (const part of parts) {
      const uploads = part.filter((one) => !one.unreadable).map((one) => uploadOf(folder, one))
      const there = await trackTask({ label }, () => names.at(uploads.map(({ path }) => path)))
      if (signal.aborted) break
      if (uploads.length > 0) queue.add(uploads.map((upload) => ({ ...upload, drop, existing: there.get(upload.path) })))
      for (const { path } of part.filter((one) => one.unreadable)) fail(t('uploads.unreadable', { name: path }))
    }
  } finally {
    queue.endBatch()
  }
}

export const cancelUpload = (id: number): void => queue.cancel(id)
export const clearUploads = (): void => queue.clear()
export const retryUpload = (id: number): void => queue.retry(id)
export const retryFailedUploads = (): void => queue.retryFailed()
export const answerConflicts = (jobs: readonly UploadJob[], choice: Choice, how: { forAll?: boolean } = {}): void =>
  queue.answer(new Set(jobs.map((job) => job.id)), choice, how)

/** Stops everything. What went wrong stays on the list; what is done needs no line any more. */
export function cancelUploads(): void {
  stopReading()
  queue.cancelAll()
  if (queue.totals.failed === 0) queue.clear()
}

// A folder that was dropped may still be being read: nothing more of it is to come.
function stopReading(): void {
  reading.abort()
  reading = new AbortController()
}

function discardAll(): void {
  stopReading()
  queue.cancelAll()
  queue.clear()
}

/** Asks what stands in the way of an upload, where the page does not know. */
export async function inspectConflict(job: UploadJob): Promise<void> {
  const resource = await call('GET /api/resources/*', { path: job.path }).catch(() => undefined)
  if (!resource) return
  job.existing = resource
  show()
}

// A lone surrogate is no Unicode and could not stand in an address.
function uploadOf(folder: string, { path, file }: Dropped): Upload {
  return { path: `${folder === '/' ? '' : folder}/${path}`.toWellFormed(), into: folder, file }
}

type Sending = { progress: (sent: number) => void; signal: AbortSignal }

async function send(job: UploadJob, on: Sending): Promise<void> {
  const before = token.value
  try {
    await sendOnce(job, on)
  } catch (failure) {
    // An answer to an older token says nothing about the one that replaced it.
    const isOutdated = failure instanceof HttpFailure && failure.status === 401 && token.value !== undefined
    if (!isOutdated || token.value === before) throw failure
    await sendOnce(job, on)
  }
}

async function sendOnce(job: UploadJob, { progress, signal }: Sending): Promise<void> {
  const { path, file, overwrite } = job
  if (file) await sendFile({ path, file, override: overwrite, onProgress: progress, signal })
  else await call('POST /api/resources/*', { path: `${path}/`, signal })
}

function show(): void {
  uploads.value = { jobs: queue.jobs, totals: { ...queue.totals }, isOpen: queue.isOpen }
}

function ended({ files, folders, failed }: Ended): void {
  const done = queue.jobs.filter((job) => job.phase === 'done')
  batch(() => {
    // What went wrong needs somebody; what is done needs no panel any more.
    if (failed > 0) isPanelHidden.value = false
    if (files > 0) succeed(t('uploads.done', { count: files }))
    else if (folders > 0) succeed(t('uploads.foldersDone', { count: folders }))
    if (failed > 0) tellFailures(failed)
  })
  if (files + folders > 0)
    void refresh().then(() => showNew(done.filter(({ into }) => into === currentPath.value).map(({ path }) => path)))
}

function tellFailures(failed: number): void {
  const first = queue.jobs.find((job) => job.phase === 'failed')
  if (!first?.failure) return
  const detail = t('uploads.failure', { name: nameOf(first.path), cause: uploadFailureReason(first.failure) })
  fail(t('uploads.failed', { count: failed }), detail)
}
