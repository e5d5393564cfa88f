import { computed, signal, untracked } from '@preact/signals-core'
import { type LiveMessage, type LiveSocket, openLiveSocket } from '../api/live-socket.ts'
import { Coalesced } from './coalesce.ts'
import { presenceSlice } from './presence.ts'
import { hiddenTime, Reconnecting } from './reconnecting.ts'
import { locked, renew, token } from './session.ts'
import { slice, type Workspace } from './workspace.ts'

/** A message about one folder. */
export type FolderMessage = Extract<LiveMessage, { folder: string }>

export type LiveFollower = {
  receive(message: FolderMessage): void
  /** The connection was lost, or the session has ended. */
  lost(): void
}

/** What the server tells of the person's jobs. */
export type JobsMessage = Extract<LiveMessage, { kind: 'jobs' }>

export type JobsFollower = {
  /** Some have changed, or are forgotten. */
  told(message: JobsMessage): void
  /** There is a connection from now on: what has changed before was not told. */
  opened(): void
}

/** What the server tells without saying what has changed. */
type NewsKind = 'links' | 'requests' | 'acts'

/** Milliseconds between two attempts to connect: the first, and the most. */
const [firstPause, longestPause] = [500, 30_000]
/** Milliseconds after which a connection counts as good. */
const goodAfter = 10_000
/** Milliseconds between two requests: the server takes 20 a second. */
const requestPause = 100

/**
 * The connection over which the server tells what changes: in the followed folders, of the person's rights, public links and jobs.
 * It is open while somebody is signed in and the page is visible, and comes back by itself.
 */
export class Live {
  readonly #workspace: Workspace
  readonly #connection: Reconnecting<LiveSocket>
  readonly #random: () => number
  readonly #followers = new Map<string, LiveFollower>()
  readonly #newsFollowers = { links: new Set<() => void>(), requests: new Set<() => void>(), acts: new Set<() => void>() }
  readonly #jobsFollowers = new Set<JobsFollower>()
  readonly #isAsleep = signal(true)
  /** The token whose session has ended: another one is needed. */
  readonly #endedToken = signal<string | undefined | null>(null)
  /** When the server has answered, as `performance.now()` tells it; undefined while there is no connection. */
  #openedAt: number | undefined
  #failures = 0
  #requests: Coalesced | undefined
  readonly #isNeeded = computed(() => {
    const isSignedIn = this.#workspace.user.value !== null && !locked.value && token.value !== this.#endedToken.value
    return isSignedIn && !this.#isAsleep.value
  })

  constructor(workspace: Workspace, connect = openLiveSocket, random = Math.random) {
    this.#workspace = workspace
    this.#random = random
    this.#connection = new Reconnecting({
      timeout: (work, delay) => workspace.timeout(work, delay),
      connect: (alive, lost) => {
        const onMessage = (message: LiveMessage) => {
          alive()
          this.#receive(message)
        }
        return connect({ onMessage, onClose: () => lost(false) })
      },
      onLost: () => this.#lose(),
    })
    this.#followPresence()
    workspace.effect(() => {
      if (!this.#isNeeded.value) return undefined
      untracked(() => this.#connection.open())
      return () => this.#close()
    })
  }

  /** When the present connection began, as `performance.now()` tells it; undefined without one. */
  get openedAt(): number | undefined {
    return this.#openedAt
  }

  /** Follows a folder. One follower for each path. @returns a function that ends it */
  follow(path: string, follower: LiveFollower): () => void {
    this.#followers.set(path, follower)
    this.#request()
    return () => {
      if (this.#followers.get(path) !== follower) return
      this.#followers.delete(path)
      this.#request()
    }
  }

  /** @returns a function that ends it */
  followJobs(follower: JobsFollower): () => void {
    this.#jobsFollowers.add(follower)
    if (this.#openedAt !== undefined) follower.opened()
    return () => void this.#jobsFollowers.delete(follower)
  }

  /**
   * @param kind `links`: links that the person may manage may have changed. `requests`: links with which the person takes files in, or what
   *   has come by them. `acts`: the history of the person
   * @returns a function that ends it
   */
  followNews(kind: NewsKind, changed: () => void): () => void {
    const followers = this.#newsFollowers[kind].add(changed)
    return () => void followers.delete(changed)
  }

  /** The page is back, or the network: a connection from before may be dead without a sign. */
  #probe(): void {
    if (this.#openedAt !== undefined) {
      this.#connection.socket?.send({ kind: 'ask' })
      this.#connection.expectAnswer()
    } else if (this.#connection.socket === undefined) {
      this.#failures = 0
      if (this.#isNeeded.peek()) this.#connection.open()
    }
  }

  #followPresence(): void {
    const workspace = this.#workspace
    const { isVisible, returns } = workspace.use(presenceSlice)
    workspace.effect(() => {
      if (isVisible.value) this.#isAsleep.value = false
      else if (!this.#isAsleep.peek()) {
        return workspace.timeout(() => {
          this.#isAsleep.value = true
        }, hiddenTime)
      }
      return undefined
    })
    workspace.effect(() => {
      if (returns.value > 0) untracked(() => this.#probe())
    })
    if (typeof window !== 'undefined') workspace.listen(window, 'online', () => this.#probe())
  }

  /** Closes the connection without another attempt. */
  #close(): void {
    this.#requests?.cancel()
    this.#connection.close()
    this.#tellLost()
  }

  /** The connection was lost, or could not be made: tries again later. */
  #lose(): void {
    const wasGood = this.#openedAt !== undefined && performance.now() - this.#openedAt > goodAfter
    this.#failures = wasGood ? 0 : this.#failures + 1
    this.#close()
    const pause = Math.min(longestPause, firstPause * 2 ** this.#failures)
    // Not all pages at once: the server may just have started again.
    this.#connection.wait(pause * (0.5 + this.#random() / 2), () => this.#connection.open())
  }

  #tellLost(): void {
    if (this.#openedAt === undefined) return
    this.#openedAt = undefined
    for (const follower of [...this.#followers.values()]) follower.lost()
  }

  #tellNews(kind: NewsKind): void {
    for (const changed of [...this.#newsFollowers[kind]]) changed()
  }

  #receive(message: LiveMessage): void {
    if (message.kind === 'hello') this.#begin(message.user)
    else if (message.kind === 'ended') this.#end()
    // A renewed token holds the present rights.
    else if (message.kind === 'account') void renew().catch(() => undefined)
    else if (message.kind === 'links' || message.kind === 'requests' || message.kind === 'acts') this.#tellNews(message.kind)
    else if (message.kind === 'jobs') for (const follower of this.#jobsFollowers) follower.told(message)
    else if ('folder' in message) this.#followers.get(message.folder)?.receive(message)
  }

  /** The refused renewal asks for the sign-in now, not at the next call: until then the person might work in vain. */
  #end(): void {
    const ended = token.peek()
    this.#endedToken.value = ended
    if (ended !== undefined) void renew().catch(() => undefined)
  }

  /** The browser sent the cookie of the last sign-in, which may be another person's. */
  #begin(user: number): void {
    if (user !== this.#workspace.user.peek()?.id) {
      this.#lose()
      return
    }
    this.#openedAt = performance.now()
    this.#requests = new Coalesced(this.#workspace, requestPause, () =>
      this.#connection.socket?.send({ kind: 'follow', folders: [...this.#followers.keys()] }),
    )
    // A request for nothing would delay the first for a folder.
    if (this.#followers.size > 0) this.#request()
    // They may have changed while there was no connection.
    this.#tellNews('links')
    this.#tellNews('requests')
    this.#tellNews('acts')
    for (const follower of this.#jobsFollowers) follower.opened()
  }

  #request(): void {
    if (this.#openedAt !== undefined) this.#requests?.request()
  }
}

export const liveSlice = slice('live', (workspace) => new Live(workspace))
