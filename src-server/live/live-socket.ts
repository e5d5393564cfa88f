import { Value } from 'typebox/value'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { type Path, parsePath } from '../base/paths.ts'
import { rest } from '../base/rest.ts'
import { type LiveMessage, LiveRequest } from '../contract/live.ts'
import type { Event, FileAct } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import { FollowedFolder } from './followed-folder.ts'

/** The page at the other end of a socket. */
export type LiveReader = Readonly<{
  userId: number
  messages: AsyncIterable<string>
  /** Resolves when the text has left this process. */
  send(text: string): Promise<void>
  /** The files of the session's user with the rights of this moment; undefined when the session has ended. */
  filesNow(operation: Operation): UserFiles | undefined
  /** Whether the rights of the person have changed since it was asked last. */
  hasAccountChanged(): boolean
  /** Whether links that the person may manage have changed since it was asked last. */
  haveLinksChanged(): boolean
  /** Aborted when the socket closes. */
  signal: AbortSignal
}>

/** Milliseconds between two messages that only say that the connection is there. */
const alivePause = 25_000

/** One socket, with the folders that its page follows. */
export class LiveSocket {
  readonly #reader: LiveReader
  readonly #clock: Clock
  readonly #checkPause: () => number
  readonly #folders = new Map<Path, FollowedFolder>()
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  #isChecking = false

  /** @param checkPause milliseconds between two looks at session, rules and folders */
  constructor(reader: LiveReader, clock: Clock, checkPause: () => number) {
    this.#reader = reader
    this.#clock = clock
    this.#checkPause = checkPause
    this.#signal = AbortSignal.any([reader.signal, this.#ending.signal])
  }

  /** @returns when the socket has closed, or is to be closed because the session has ended */
  async serve(): Promise<void> {
    try {
      await this.#send({ kind: 'hello', user: this.#reader.userId })
      await Promise.race([this.#read(), this.#check(), this.#stayAlive()])
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
    const withFiles = <T>(work: (files: UserFiles) => Promise<T>) => this.#withFiles(work)
    return new FollowedFolder(path, { clock: this.#clock, signal: this.#signal, send, withFiles })
  }

  /** A file system that does not answer must not keep the session alive: its folders are checked beside the session. */
  async #check() {
    while (await rest(this.#clock, this.#checkPause(), this.#signal)) {
      if (!(await this.#hasSession())) return this.#sayEnded()
      // Not awaited: a page that reads nothing must not keep a session that has ended.
      if (this.#reader.hasAccountChanged()) void this.#send({ kind: 'account' })
      if (this.#reader.haveLinksChanged()) void this.#send({ kind: 'links' })
      if (!this.#isChecking) void this.#checkFolders()
    }
  }

  async #checkFolders() {
    this.#isChecking = true
    for (const folder of this.#folders.values()) await folder.check()
    this.#isChecking = false
  }

  async #stayAlive() {
    while (await rest(this.#clock, alivePause, this.#signal)) await this.#send({ kind: 'alive' })
  }

  async #hasSession(): Promise<boolean> {
    return (await this.#withFiles(async () => true)) ?? false
  }

  async #sayEnded() {
    // A page that reads nothing must not keep the socket open.
    await Promise.race([this.#send({ kind: 'ended' }), rest(this.#clock, 1000, this.#reader.signal)])
  }

  /** @returns undefined when the session has ended */
  async #withFiles<T>(work: (files: UserFiles) => Promise<T>): Promise<T | undefined> {
    const operation = new Operation({ within: this.#signal })
    try {
      const files = this.#reader.filesNow(operation)
      return files && (await work(files))
    } finally {
      await operation.end()
    }
  }

  /** An error of sending means that the socket has closed, which ends everything else. */
  async #send(message: LiveMessage): Promise<void> {
    if (!this.#reader.signal.aborted) await this.#reader.send(JSON.stringify(message)).catch(() => undefined)
  }
}

/** @throws Failure('invalid') */
function requestOf(text: string): LiveRequest {
  const value = parsed(text)
  if (!Value.Check(LiveRequest, value)) throw new Failure('invalid', 'no message of a live folder')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
