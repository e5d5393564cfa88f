// The files that somebody sends by a link: three at once, and again when the connection was lost.
import { computed, signal } from '@preact/signals-core'
import type { Dropped } from '../api/read-drop.ts'
import { HttpFailure } from '../api/request-link.ts'
import { Speed } from '../sending/speed.ts'

/** `away`: the server was not reached, is busy, or has taken in too much for now, and is asked again. */
export type SentPhase = 'waiting' | 'sending' | 'away' | 'done' | 'failed'

/** One file, which is changed in place. */
export type SentFile = {
  readonly id: number
  /** With its folders. */
  readonly name: string
  readonly file: File
  readonly size: number
  /** Made up for it: a request that is sent again is about the same file. */
  readonly nonce: string
  phase: SentPhase
  /** Bytes that were sent. */
  loaded: number
  /** Of one that failed, or is away. */
  failure: unknown
  /** The place that it had at the server is another file's: it waits for one. */
  hasMadeWay?: boolean
}

export type SendHow = Readonly<{ onProgress(sent: number): void; signal: AbortSignal }>

type SentFilesParts = Readonly<{
  /** Sends one, or goes on with what the server has of it. @throws HttpFailure, an AbortError */
  send(file: SentFile, how: SendHow): Promise<void>
  /** One that was being sent is not wanted any more. */
  drop(file: SentFile): void
  /** Why one is not even tried. */
  refusalOf(file: Pick<SentFile, 'name' | 'size'>): unknown
  /** The link has ended, or asks for its password again: called once, nothing more is sent until `begin`. */
  onRefused(status: number): void
  /** Calls `back` later: the server was not reached, or takes nothing more in for some seconds. @returns what ends the wait */
  wait(back: () => void, seconds?: number): () => void
  /** Milliseconds of a clock that only goes forward. */
  now?(): number
  /** Does something a little later, what has changed until then together: thousands of small files change many times a second. */
  later?(work: () => void): void
}>

const mostAtOnce = 3
/** Milliseconds for which changes are collected. */
const joinedFor = 50
/** Statuses of a connection, or of a proxy, without a server. */
const unreached: readonly number[] = [0, 502, 504]
/** Of a server that has no place. */
const full = 507
/** Statuses of a server that cannot take a file now, and perhaps takes others. */
export const busy: readonly number[] = [423, 503, full]
/** Answers of that kind, one after the other, after which nothing is sent for the time. */
const mostBusy = 10
/** Seconds after which such a file is sent again when the server does not say so. */
const usualWait = 10
/** Of a server that takes in no more from here for some time: others may send by the same address. */
export const tooMuch = 429
/** Seconds after which it is asked again when it does not say so. */
const usualPause = 60
/** Statuses that are about the link. */
const ofLink: readonly number[] = [401, 404, 410]

export class SentFiles {
  readonly #parts: SentFilesParts
  readonly #all = signal<readonly SentFile[]>([])
  /** Counts changes of files in place. */
  readonly #changes = signal(0)
  readonly #running = new Map<SentFile, AbortController>()
  readonly #speed = new Speed()
  readonly isBegun = signal(false)
  /** Files that wait for their own time, and what ends that. */
  readonly #waits = new Map<SentFile, () => void>()
  #busyInRow = 0
  #isHeld = true
  #isChanging = false
  #endWait: (() => void) | undefined
  #lastId = 0

  /** A new list after each change. */
  readonly all = computed(() => (this.#changes.value >= 0 ? [...this.#all.value] : []))

  readonly totals = computed(() => {
    const counts: Record<SentPhase, number> = { waiting: 0, sending: 0, away: 0, done: 0, failed: 0 }
    let size = 0
    let loaded = 0
    for (const file of this.all.value) {
      counts[file.phase] += 1
      if (file.phase === 'failed') continue
      size += file.size
      loaded += file.phase === 'done' ? file.size : file.loaded
    }
    const { done, failed, away, sending } = counts
    return {
      size,
      loaded,
      open: counts.waiting + sending + away,
      done,
      failed,
      isAway: away > 0 && (sending === 0 || this.#endWait !== undefined),
    }
  })

  constructor(parts: SentFilesParts) {
    this.#parts = parts
  }

  /** Seconds until all is sent; undefined while that is unknown. */
  timeLeft(): number | undefined {
    const { size, loaded } = this.totals.peek()
    return this.#speed.timeFor(size - loaded)
  }

  /** What was dropped or chosen; folders come with their files. */
  add(dropped: readonly Dropped[]): void {
    const added = dropped.flatMap((one) => {
      if (one.file) return [this.#made(one.path, one.file)]
      return one.unreadable
        ? [{ ...this.#made(one.path, new File([], '')), phase: 'failed' as const, failure: 'unreadable' }]
        : []
    })
    if (added.length === 0) return
    this.#all.value = [...this.#all.value, ...added]
    this.#next()
  }

  /** Sends what waits, and what is added later. */
  begin(): void {
    this.isBegun.value = true
    this.#isHeld = false
    this.#next()
  }

  /** Nothing more is begun, and what is being sent waits. */
  hold(): void {
    this.#isHeld = true
    for (const [file, ending] of this.#running) {
      file.phase = 'waiting'
      ending.abort()
    }
    this.#changed()
  }

  /** What has not arrived never will. */
  giveUp(failure: unknown): void {
    this.hold()
    this.#endWaits()
    for (const file of this.#all.peek())
      if (file.phase !== 'done' && file.phase !== 'failed') Object.assign(file, { phase: 'failed', failure })
  }

  cancel(id: number): void {
    const file = this.#all.peek().find((one) => one.id === id)
    if (file) this.#remove(file)
  }

  cancelAll(): void {
    for (const file of this.#all.peek()) if (file.phase !== 'done' && file.phase !== 'failed') this.#remove(file)
  }

  retry(id: number): void {
    const file = this.#all.peek().find((one) => one.id === id)
    if (file?.phase !== 'failed') return
    Object.assign(file, { phase: 'waiting', failure: undefined, loaded: 0 })
    this.#changed()
    this.#next()
  }

  /** The page begins anew. */
  clear(): void {
    this.cancelAll()
    this.#endWaits()
    this.#all.value = []
    this.isBegun.value = false
    this.#isHeld = true
    this.#speed.reset()
  }

  #made(path: string, file: File): SentFile {
    const name = path.replace(/^\//, '')
    const failure = this.#parts.refusalOf({ name, size: file.size })
    this.#lastId += 1
    return {
      ...{ id: this.#lastId, name, file, size: file.size, nonce: newNonce(), loaded: 0 },
      ...{ phase: failure === undefined ? 'waiting' : 'failed', failure },
    }
  }

  #remove(file: SentFile) {
    this.#running.get(file)?.abort()
    this.#endWaitOf(file)
    this.#all.value = this.#all.value.filter((one) => one !== file)
    if (file.phase !== 'done') this.#parts.drop(file)
    this.#next()
  }

  #next() {
    if (this.#isHeld || this.#endWait) return
    const mayGo = (file: SentFile) =>
      (file.phase === 'waiting' || file.phase === 'away') && !this.#running.has(file) && !this.#waits.has(file)
    // What the server could not take may fail again, and comes last.
    for (const isAgain of [false, true]) {
      for (const file of this.#all.peek()) {
        if (this.#running.size >= mostAtOnce) return
        if (isBusy(file) === isAgain && mayGo(file)) void this.#send(file)
      }
    }
  }

  async #send(file: SentFile) {
    const ending = new AbortController()
    this.#running.set(file, ending)
    Object.assign(file, { phase: 'sending', failure: undefined })
    this.#changed()
    try {
      const onProgress = (sent: number) => {
        file.loaded = sent
        this.#changed()
      }
      await this.#parts.send(file, { onProgress, signal: ending.signal })
      this.#busyInRow = 0
      Object.assign(file, { phase: 'done', loaded: file.size })
    } catch (failure) {
      if (!ending.signal.aborted) this.#failed(file, failure)
    } finally {
      this.#running.delete(file)
      this.#changed()
      this.#next()
    }
  }

  #failed(file: SentFile, failure: unknown) {
    const { status, retryAfter } = failure instanceof HttpFailure ? failure : { status: -1 }
    if (unreached.includes(status) || status === tooMuch) {
      Object.assign(file, { phase: 'away', failure })
      this.#waitForAll(status === tooMuch ? (retryAfter ?? usualPause) : undefined)
    } else if (busy.includes(status) && (status !== full || file.hasMadeWay)) {
      Object.assign(file, { phase: 'away', failure })
      this.#busyInRow += 1
      // Another file may be taken in meanwhile. Where none is, the server is busy with other things.
      if (this.#busyInRow < mostBusy) this.#waitFor(file, retryAfter ?? usualWait)
      else this.#waitForAll(retryAfter ?? usualWait)
    } else if (isOfLink(failure)) {
      file.phase = 'waiting'
      if (!this.#isHeld) {
        this.hold()
        this.#parts.onRefused(status)
      }
    } else Object.assign(file, { phase: 'failed', failure })
  }

  #waitForAll(seconds: number | undefined) {
    const back = () => {
      this.#endWait = undefined
      this.#busyInRow = 0
      this.#next()
    }
    this.#endWait ??= this.#parts.wait(back, seconds)
  }

  #waitFor(file: SentFile, seconds: number) {
    const back = () => {
      this.#waits.delete(file)
      this.#next()
    }
    this.#waits.set(file, this.#parts.wait(back, seconds))
  }

  #endWaitOf(file: SentFile) {
    this.#waits.get(file)?.()
    this.#waits.delete(file)
  }

  #endWaits() {
    this.#endWait?.()
    this.#endWait = undefined
    this.#busyInRow = 0
    for (const file of [...this.#waits.keys()]) this.#endWaitOf(file)
  }

  #changed() {
    if (this.#isChanging) return
    this.#isChanging = true
    const { later = (work) => setTimeout(work, joinedFor), now = () => performance.now() } = this.#parts
    later(() => {
      this.#isChanging = false
      this.#changes.value += 1
      const { open, loaded } = this.totals.peek()
      if (open > 0) this.#speed.note(now(), loaded)
    })
  }
}

/** A file that was removed for others says nothing of the link. */
const isOfLink = (failure: unknown) =>
  failure instanceof HttpFailure && ofLink.includes(failure.status) && failure.refusal?.code !== 'uploadMadeWay'

const isBusy = ({ failure }: SentFile) => failure instanceof HttpFailure && busy.includes(failure.status)

/** `crypto.randomUUID` is missing over plain http. */
function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
