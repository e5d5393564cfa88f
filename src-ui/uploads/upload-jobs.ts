import type { Refused } from '../api/http.ts'
import type { Existing } from '../operations/conflicts.ts'

/** The phase of an upload. */
export type Phase = 'waiting' | 'sending' | 'asking' | 'done' | 'failed' | 'skipped'

/** A file to upload, or a folder to make. */
export type Upload = {
  /** The target path, decoded and without a trailing slash. */
  path: string
  /** The folder that it was dropped into or chosen for. */
  into: string
  /** undefined for a folder. */
  file: Blob | undefined
  /** The existing entry with its name, if known. */
  existing?: Existing | undefined
  /** The number of its drop. An answer for all applies to the whole drop, also to the part that is still being read. */
  drop?: number | undefined
  /** The same for all of its drop: it is undone as one. */
  act?: string | undefined
}

/** One upload of the queue, which changes it in place: ten thousand signals would be slow. */
export type UploadJob = {
  readonly id: number
  readonly into: string
  /** The original target path; `path` differs when both files are kept. */
  readonly wanted: string
  path: string
  readonly file: Blob | undefined
  /** Bytes. */
  readonly size: number
  phase: Phase
  /** Bytes that were sent. */
  loaded: number
  /** Bytes that the server keeps of it, which are not sent again. */
  kept: number
  /** Those of `loaded` that the server had without having got them from this page. */
  found: number
  /** Whether all of it was compared with checksums on its way; undefined of what goes in one piece, where nothing is. */
  isCompared: boolean | undefined
  overwrite: boolean
  /** How many numbered names were tried in order to keep both. */
  copies: number
  /** How often it was lost on the way and is to be sent again. */
  losses: number
  /** When it was last sent to its path, in milliseconds since 1970. */
  begun: number | undefined
  /** When the first attempt began whose answer was lost: its path may hold this very upload since. */
  lostSince: number | undefined
  existing: Existing | undefined
  /** Status 0: the server was not reached. */
  failure: Refused | undefined
  drop: number | undefined
  readonly act: string | undefined
}

/** What the transport tells of an upload. `kept`: the bytes that the server has, from which it goes on. */
export type Sending = { progress: (sent: number) => void; kept: (bytes: number) => void; signal: AbortSignal }

/** Sends an upload to the server. Rejects with an object that has `status` and `message`. */
export type Transport = (job: UploadJob, on: Sending) => Promise<void>

/** Bytes from which a file goes in pieces, so that it goes on where it broke off. */
const resumableFrom = 16 << 20
export const isResumable = ({ size }: Pick<UploadJob, 'size'>): boolean => size > resumableFrom

/** The outcome of the uploads since the queue last ended. */
export type Ended = { files: number; folders: number; failed: number; skipped: number }

export type QueueListener = {
  /** A job or the totals have changed; called at most every 100 ms. */
  changed(): void
  /** The server was not reached, or could not take an upload now: nothing is sent until `goOn`. */
  lost(): void
  /** A part of a job has arrived. */
  advanced(): void
  /** A job has succeeded. */
  finished(job: UploadJob): void
  /** The person no longer wants a job. */
  removed(job: UploadJob): void
  ended(result: Ended): void
}

/** Whether the upload has ended. */
export const isFinished = ({ phase }: UploadJob): boolean => phase === 'done' || phase === 'failed' || phase === 'skipped'

/** How often an upload may be lost while the server answers: its file may be gone, or something on the way refuses it. */
const mostLosses = 4
/** Whether the server was not reached, or may take the upload later. */
export const mayBeSentAgain = ({ losses }: UploadJob, { status, refusal }: Refused): boolean =>
  [0, 429, 502, 503, 504].includes(status) && losses < mostLosses && refusal?.code !== 'tooManyUploads'

/** Whether the server may have stored an upload though it failed. */
export const isAnswerLost = ({ status }: Refused): boolean => [0, 502, 503, 504].includes(status)

export function makeJob(id: number, { path, into, file, existing, drop, act }: Upload): UploadJob {
  // A folder that exists already needs no answer.
  const phase = existing && file ? 'asking' : 'waiting'
  const start = {
    loaded: 0,
    kept: 0,
    found: 0,
    isCompared: undefined,
    overwrite: false,
    copies: 0,
    losses: 0,
    begun: undefined,
    lostSince: undefined,
    failure: undefined,
  } as const
  return { id, into, wanted: path, path, file, size: file?.size ?? 0, phase, existing, drop, act, ...start }
}

/** The numbered name of a file: `/a/b(1).txt` for `/a/b.txt`. The number comes before the last dot. */
export function copyName(path: string, number: number): string {
  const start = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  const end = dot < start ? path.length : dot
  return `${path.slice(0, end)}(${number})${path.slice(end)}`
}

/** The upload is to be stored beside what has its name, under the next number. */
export function takeNextName(job: UploadJob): void {
  job.copies += 1
  job.path = copyName(job.wanted, job.copies)
  job.begun = undefined
  job.lostSince = undefined
}

/** An upload waits again, in the order of arrival. */
export function putBack(waiting: UploadJob[], job: UploadJob): void {
  const next = waiting.findIndex(({ id }) => id > job.id)
  waiting.splice(next < 0 ? waiting.length : next, 0, job)
}

/** Converts anything thrown by the transport. */
export function failureOf(failure: unknown): Refused {
  const { status, message, reason, refusal } = (failure ?? {}) as Partial<Refused>
  const text = typeof message === 'string' ? message : String(failure)
  return {
    status: typeof status === 'number' ? status : 0,
    message: text,
    ...(reason && { reason }),
    ...(refusal && { refusal }),
  }
}

/** The uploads of a queue and their totals. Jobs are changed here only, so that the totals stay right. */
export class UploadList {
  #jobs: UploadJob[] = []
  #totals = { ...noTotals }
  #lastId = 0

  get jobs(): readonly UploadJob[] {
    return this.#jobs
  }

  get totals(): Readonly<Totals> {
    return this.#totals
  }

  add(upload: Upload): UploadJob {
    this.#lastId += 1
    const job = makeJob(this.#lastId, upload)
    this.#jobs.push(job)
    count(this.#totals, job, 1)
    return job
  }

  move(job: UploadJob, phase: Phase, loaded = 0): void {
    count(this.#totals, job, -1)
    job.phase = phase
    job.loaded = loaded
    count(this.#totals, job, 1)
  }

  /** The server keeps so many bytes of a job. */
  keep(job: UploadJob, bytes: number): void {
    count(this.#totals, job, -1)
    job.found = Math.min(bytes, job.found + Math.max(0, bytes - job.loaded))
    job.loaded = Math.max(job.loaded, bytes)
    job.kept = bytes
    count(this.#totals, job, 1)
  }

  /** @returns the removed jobs */
  remove(isGone: (job: UploadJob) => boolean): ReadonlySet<UploadJob> {
    const gone = new Set(this.#jobs.filter(isGone))
    if (gone.size > 0) this.#jobs = this.#jobs.filter((job) => !gone.has(job))
    for (const job of gone) count(this.#totals, job, -1)
    return gone
  }
}

/** The whole queue in numbers: how many uploads are in each phase, and their bytes. */
export type Totals = Record<Phase, number> & {
  /** Bytes that were sent, of `size`, and those of them that the server had before. What failed or was skipped counts in none. */
  loaded: number
  found: number
  size: number
}

const noPhases = { waiting: 0, sending: 0, asking: 0, done: 0, failed: 0, skipped: 0 }
export const noTotals: Totals = { ...noPhases, loaded: 0, found: 0, size: 0 }

/** Adds a job to the totals, or removes it with -1: a job is removed before it changes and added afterwards. */
export function count(totals: Totals, job: UploadJob, sign: 1 | -1): void {
  totals[job.phase] += sign
  if (job.phase === 'failed' || job.phase === 'skipped') return
  totals.size += sign * job.size
  totals.loaded += sign * job.loaded
  totals.found += sign * job.found
}

/** How many uploads are not finished. */
export const unfinished = ({ waiting, sending, asking }: Totals): number => waiting + sending + asking

/** The percentage of bytes sent, rounded up. Without any bytes: 0 until everything is done. */
export function percentOf(totals: Totals): number {
  if (totals.size > 0) return Math.ceil((100 * totals.loaded) / totals.size)
  return totals.done > 0 && unfinished(totals) === 0 ? 100 : 0
}
