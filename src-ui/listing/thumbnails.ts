import { type ReadonlySignal, signal, untracked } from '@preact/signals-core'
import { callForFile, HttpFailure } from '../api/http.ts'
import { uploadConnectionsSlice } from '../core/connections.ts'
import type { Entry } from '../core/entries.ts'
import { slice, type Workspace } from '../core/workspace.ts'

/** Thumbnails that are loaded at a time: connections must be left for everything else. */
const mostRunning = 4
/** Thumbnails and uploads together: a browser opens six connections, and a listing must find one. */
const mostConnections = 5
/** Thumbnails that are kept while no tile shows them. */
const mostKept = 300
/** Milliseconds without a dropped thumbnail after which more are loaded, so that nothing is loaded for tiles that only pass by. */
const settleTime = 80
/** How often a thumbnail is asked for again when the server is busy or cannot be reached, and after how many seconds. */
const [mostTries, retryTime] = [3, 2]

/** The thumbnail of one entry, as long as its tile is shown. */
export type WantedThumbnail = Readonly<{
  state: ReadonlySignal<'loading' | 'none' | Readonly<{ url: string }>>
  /** Tells whether the tile is in view, and how many pixels below the top. Those in view are loaded first, from top to bottom. */
  setInView(isInView: boolean, top: number): void
  /** The picture cannot be shown. */
  refuse(): void
  /** The tile is gone. What was not loaded yet is dropped, as when the tile leaves the view. */
  release(): void
}>

type Job = {
  readonly path: string
  readonly state: ReturnType<typeof signal<'loading' | 'none' | { url: string }>>
  /** Tiles that show it. */
  uses: number
  isInView: boolean | undefined
  top: number
  tries: number
  isWaiting: boolean
  running?: AbortController
}

/** Loads the thumbnails of the tiles that are shown: those in view first, a few at a time. */
export class Thumbnails {
  readonly #workspace: Workspace
  readonly #load: (path: string, signal: AbortSignal) => Promise<Blob>
  /** By path and version of the file, those wanted last at the end. */
  readonly #jobs = new Map<string, Job>()
  #running = 0
  /** Clears the timer of a pause. */
  #endPause: (() => void) | undefined
  #endDelay: (() => void) | undefined
  readonly #uploads: ReadonlySignal<number>

  constructor(workspace: Workspace, load = loadThumbnail) {
    this.#workspace = workspace
    this.#load = load
    this.#uploads = workspace.use(uploadConnectionsSlice)
    workspace.effect(() => {
      if (this.#uploads.value < mostConnections) untracked(() => this.#beginSoon())
    })
    workspace.onDispose(() => {
      for (const job of this.#jobs.values()) this.#forget(job)
      this.#jobs.clear()
    })
  }

  /** @param entry a picture */
  want(entry: Pick<Entry, 'path' | 'modified' | 'size'>): WantedThumbnail {
    const key = `${entry.modified} ${entry.size} ${entry.path}`
    const job = this.#jobs.get(key) ?? newJob(entry.path)
    this.#jobs.delete(key)
    this.#jobs.set(key, job)
    job.uses += 1
    this.#removeOldest()
    return {
      state: job.state as WantedThumbnail['state'],
      setInView: (isInView, top) => {
        const hasLeft = job.isInView === true && !isInView
        job.isInView = isInView
        job.top = top
        if (hasLeft && job.running) this.#drop(job, { isWaiting: true })
        else this.#beginSoon()
      },
      refuse: () => {
        this.#forget(job)
        job.state.value = 'none'
      },
      release: () => this.#release(key, job),
    }
  }

  #release(key: string, job: Job): void {
    job.uses -= 1
    if (job.uses > 0 || job.state.peek() !== 'loading') return
    if (this.#jobs.get(key) === job) this.#jobs.delete(key)
    this.#drop(job, { isWaiting: false })
  }

  #drop(job: Job, { isWaiting }: { isWaiting: boolean }): void {
    job.running?.abort()
    job.isWaiting = isWaiting
    this.#endPause?.()
    this.#endPause = this.#workspace.timeout(() => {
      this.#endPause = undefined
      this.#begin()
    }, settleTime)
  }

  #begin(): void {
    const most = Math.min(mostRunning, mostConnections - this.#uploads.peek())
    while (this.#running < most && !this.#endPause) {
      const next = this.#next()
      if (!next) return
      void this.#run(next)
    }
  }

  /** Tiles are reported one by one: the first of them is known when all have been. */
  #beginSoon(): void {
    this.#endDelay ??= this.#workspace.timeout(() => {
      this.#endDelay = undefined
      this.#begin()
    }, 0)
  }

  /** Of those in view the topmost, else of those near it. What is not yet known to be either waits. */
  #next(): Job | undefined {
    let next: Job | undefined
    for (const job of this.#jobs.values()) {
      if (job.isWaiting && job.isInView !== undefined && (!next || isBefore(job, next))) next = job
    }
    return next
  }

  async #run(job: Job): Promise<void> {
    const controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, this.#workspace.signal])
    job.running = controller
    job.isWaiting = false
    this.#running += 1
    try {
      const blob = await this.#load(job.path, signal)
      if (!signal.aborted) job.state.value = { url: URL.createObjectURL(blob) }
    } catch (error) {
      if (!signal.aborted) this.#fail(job, error)
    } finally {
      if (job.running === controller) delete job.running
      this.#running -= 1
      this.#begin()
    }
  }

  /** A busy server is asked again; a picture that cannot be decoded is not. */
  #fail(job: Job, error: unknown): void {
    const { status, retryAfter = retryTime } = error instanceof HttpFailure ? error : { status: -1 }
    job.tries += 1
    const isTemporary = status === 0 || status === 429 || status === 503
    if (!isTemporary || job.tries > mostTries) {
      job.state.value = 'none'
      return
    }
    this.#workspace.timeout(() => {
      job.isWaiting = job.uses > 0
      this.#begin()
    }, retryAfter * 1000)
  }

  /** Stops loading, and frees the memory of what was loaded. */
  #forget(job: Job): void {
    job.isWaiting = false
    job.running?.abort()
    const { value } = job.state
    if (typeof value === 'object') URL.revokeObjectURL(value.url)
  }

  #removeOldest(): void {
    let kept = [...this.#jobs.values()].filter(({ uses }) => uses === 0).length
    for (const [key, job] of this.#jobs) {
      if (kept <= mostKept) return
      if (job.uses > 0) continue
      this.#forget(job)
      this.#jobs.delete(key)
      kept -= 1
    }
  }
}

function isBefore(one: Job, other: Job): boolean {
  return one.isInView === other.isInView ? one.top < other.top : one.isInView === true
}

export const thumbnailsSlice = slice('thumbnails', (workspace) => new Thumbnails(workspace))

function newJob(path: string): Job {
  const state = signal<'loading' | 'none' | { url: string }>('loading')
  return { path, state, uses: 0, isInView: undefined, top: 0, tries: 0, isWaiting: true } as Job
}

function loadThumbnail(path: string, signal: AbortSignal): Promise<Blob> {
  const asked = { params: { size: 'thumb' }, path, query: { inline: 'true' } }
  return callForFile('GET /api/preview/:size/*', { ...asked, signal, isBackground: true })
}
