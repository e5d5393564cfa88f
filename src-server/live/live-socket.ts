import { Value } from 'typebox/value'
import type { Clock } from '../base/clock.ts'
import { delay } from '../base/delay.ts'
import { Failure } from '../base/failure.ts'
import { parsedJson } from '../base/json.ts'
import { Operation } from '../base/operation.ts'
import { type Path, parsePath } from '../base/paths.ts'
import type { Job } from '../contract/jobs.ts'
import { type LiveMessage, LiveRequest } from '../contract/live.ts'
import type { Event, FileAct } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { AccountNews } from '../users/access-revocation.ts'
import { FollowedFolder } from './followed-folder.ts'

/** What concerns a page besides folders and jobs. `acts`: the history of its person. */
export type LiveNews = AccountNews | 'acts'

/** The page at the other end of a socket. */
export type LiveReader = Readonly<{
  userId: number
  messages: AsyncIterable<string>
  /** Resolves when the text has left this process. */
  send(text: string): Promise<void>
  /**
   * Tells what concerns the page, until the socket closes; at once what has changed since it was opened.
   * @returns gives the files of the session's user with the rights of the moment; undefined when the session has ended
   */
  follow(tell: (news: LiveNews) => void): Promise<FilesNow>
  /** Tells how far the jobs of the person are. @returns ends it */
  followJobs(tell: (jobs: readonly Job[], gone: readonly string[]) => void): () => void
  /** Aborted when the socket closes. */
  signal: AbortSignal
}>

/** The disk of the files belongs to the operation. */
export type FilesNow = (operation: Operation) => UserFiles | undefined

/** Milliseconds between two messages that only say that the connection is there. */
const alivePause = 25_000
/** Milliseconds between two messages that say the same of the account. */
const samePause = 500
/** Milliseconds between two looks at a folder whose changes are all reported: only whether another program has moved one above it. */
const completePause = 5000

/** One socket, with the folders that its page follows. */
export class LiveSocket {
  readonly #reader: LiveReader
  readonly #clock: Clock
  readonly #folders = new Map<Path, FollowedFolder>()
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  /** What was said less than `samePause` ago, with whether it is to be said again. */
  readonly #said = new Map<Exclude<LiveNews, 'ended'>, boolean>()
  /** What has not left yet. */
  readonly #sending = new Set<Promise<void>>()
  #filesNow: FilesNow = () => undefined
  #aliveAt: number
  #checkedAt: number

  constructor(reader: LiveReader, clock: Clock) {
    this.#reader = reader
    this.#clock = clock
    this.#aliveAt = clock.elapsed()
    this.#checkedAt = clock.elapsed()
    this.#signal = AbortSignal.any([reader.signal, this.#ending.signal])
  }

  /** @returns when the socket has closed, or is to be closed because the session has ended */
  async serve(): Promise<void> {
    try {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const greeted = this.#send({ kind: 'hello', user: this.#reader.userId })
      this.#filesNow = await this.#reader.follow((news) => (news === 'ended' ? end() : this.#tell(news)))
      await greeted
      this.#followJobs()
      await Promise.race([this.#read(), ended.then(() => this.#sayEnded())])
    } finally {
      this.#ending.abort()
      // Not awaited: a disk that does not answer must not keep the socket open.
      for (const folder of this.#folders.values()) folder.end()
    }
  }

  /** Is told of each change that this server made. */
  note(act: Event & FileAct): void {
    for (const folder of this.#folders.values()) folder.note(act)
  }

  /** The same of what this server could not do, or not all of it. */
  noteFailed(act: Event & FileAct): void {
    for (const folder of this.#folders.values()) folder.noteFolders(act)
  }

  async #read() {
    for await (const text of this.#reader.messages) {
      const request = requestOf(text)
      if (request.kind === 'ask') await this.#send({ kind: 'alive' })
      else this.#follow(request.folders.map(parsePath))
    }
  }

  #follow(paths: readonly Path[]) {
    for (const [path, folder] of this.#folders) {
      if (paths.includes(path)) continue
      this.#folders.delete(path)
      folder.end()
    }
    for (const path of new Set(paths)) {
      if (!this.#folders.has(path)) this.#folders.set(path, this.#begin(path))
    }
  }

  #begin(path: Path): FollowedFolder {
    const send = (message: LiveMessage) => this.#send(message)
    const drained = () => this.#drained()
    const withFiles = <T>(work: (files: UserFiles) => Promise<T>) => this.#withFiles(work)
    return new FollowedFolder(path, { clock: this.#clock, signal: this.#signal, send, drained, withFiles })
  }

  /** Called now and then, by one timer for all sockets, so that many of them wake the server as rarely as one. */
  stayAlive(): void {
    const now = this.#clock.elapsed()
    if (now - this.#aliveAt < alivePause) return
    this.#aliveAt = now
    void this.#send({ kind: 'alive' })
  }

  /** Looks at the folders whose changes are not all reported, and at the others when it is time. */
  look(): void {
    const now = this.#clock.elapsed()
    const isDue = now - this.#checkedAt >= completePause
    if (isDue) this.#checkedAt = now
    // Not awaited: a file system that does not answer must not stop the looks at others.
    for (const folder of this.#folders.values()) if (isDue || !folder.isComplete) void folder.check()
  }

  /** A page that reads nothing gets one message, and all others at most two a second: a script may change links all the time. */
  #tell(news: Exclude<LiveNews, 'ended'>) {
    if (news === 'account') for (const folder of this.#folders.values()) void folder.check()
    if (this.#said.has(news)) {
      this.#said.set(news, true)
      return
    }
    this.#said.set(news, false)
    void this.#send({ kind: news })
      .then(() => delay(this.#clock, samePause, this.#signal))
      .then(() => {
        const isAgain = this.#said.get(news)
        this.#said.delete(news)
        if (isAgain) this.#tell(news)
      })
  }

  /** A page that reads nothing gets one message, and what has changed since when it has read that. */
  #followJobs() {
    /** By id; undefined for one that is forgotten. */
    const changed = new Map<string, Job | undefined>()
    let isSending = false
    const sendAll = async () => {
      if (isSending) return
      isSending = true
      while (changed.size > 0) {
        await this.#drained()
        const jobs = [...changed.values()].filter((job) => job !== undefined)
        const gone = [...changed.keys()].filter((id) => changed.get(id) === undefined)
        changed.clear()
        await this.#send({ kind: 'jobs', jobs, gone })
      }
      isSending = false
    }
    const unfollow = this.#reader.followJobs((jobs, gone) => {
      for (const job of jobs) changed.set(job.id, job)
      for (const id of gone) changed.set(id, undefined)
      void sendAll()
    })
    if (this.#signal.aborted) unfollow()
    else this.#signal.addEventListener('abort', unfollow, { once: true })
  }

  async #sayEnded() {
    // A page that reads nothing must not keep the socket open.
    await Promise.race([this.#send({ kind: 'ended' }), delay(this.#clock, 1000, this.#reader.signal)])
  }

  /** @returns undefined when the session has ended */
  async #withFiles<T>(work: (files: UserFiles) => Promise<T>): Promise<T | undefined> {
    const operation = new Operation({ within: this.#signal })
    try {
      const files = this.#filesNow(operation)
      return files && (await work(files))
    } finally {
      await operation.end()
    }
  }

  /** An error of sending means that the socket has closed, which ends everything else. */
  async #send(message: LiveMessage): Promise<void> {
    if (this.#reader.signal.aborted) return
    const sending = this.#reader.send(JSON.stringify(message)).catch(() => undefined)
    this.#sending.add(sending)
    await sending
    this.#sending.delete(sending)
  }

  /** Resolves when all has left: what waits is made into a message then, so that a page that reads nothing costs few of them. */
  async #drained(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending)
  }
}

/** @throws Failure('invalid') */
function requestOf(text: string): LiveRequest {
  const value = parsedJson(text)
  if (!Value.Check(LiveRequest, value)) throw new Failure('invalid', 'no message of a live folder')
  return value
}
