import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import type { Operation } from '../base/operation.ts'
import type { Event, Events } from '../events/events.ts'
import type { Identity } from '../users/sign-in.ts'
import { type LiveReader, LiveSocket } from './live-socket.ts'

/** How many sockets one session and one user may have open. */
const most = { ofSession: 8, ofUser: 32 }

const refusal = () => new Failure('tooMany', 'too many pages follow folders')

/** Milliseconds between two looks at the folders that sockets follow. */
const lookPause = 500
/** Sockets of one look: of more, each is looked at less often, so that no look keeps other requests waiting. */
const socketsPerRound = 64

type LiveFoldersOptions = Readonly<{ clock: Clock; events: Events }>

/** All sockets over which pages follow folders. */
export class LiveFolders {
  readonly #clock: Clock
  readonly #ofSession = new Limiter<string>({ ofOne: most.ofSession, refusal })
  readonly #ofUser = new Limiter<number>({ ofOne: most.ofUser, refusal })
  readonly #sockets = new Set<LiveSocket>()
  #isWaiting = false

  constructor({ clock, events }: LiveFoldersOptions) {
    this.#clock = clock
    events.done((event) => this.#note(event))
    events.failed((event) => {
      if ('path' in event && event.isDir) for (const socket of this.#sockets) socket.noteFailed(event)
    })
  }

  /** Counts a socket until its operation ends. @throws Failure('tooMany') */
  enter(me: Identity, operation: Operation): void {
    operation.own(this.#ofUser.take(me.user.id))
    operation.own(this.#ofSession.take(me.session.id))
  }

  /** Sends what changes in the folders that the page names, until the socket closes or the session ends. */
  async serve(reader: LiveReader): Promise<void> {
    const socket = new LiveSocket(reader, this.#clock)
    this.#sockets.add(socket)
    this.#wait()
    try {
      await socket.serve()
    } finally {
      this.#sockets.delete(socket)
    }
  }

  #wait() {
    if (this.#isWaiting || this.#sockets.size === 0) return
    this.#isWaiting = true
    this.#clock.after(lookPause, () => {
      this.#isWaiting = false
      for (const socket of this.#sockets) socket.stayAlive()
      for (const socket of [...this.#sockets].slice(0, socketsPerRound)) {
        // To the end: the others are next.
        this.#sockets.delete(socket)
        this.#sockets.add(socket)
        socket.look()
      }
      this.#wait()
    })
  }

  /** Changes by this server are known before the disk reports them, and where it reports nothing. */
  #note(event: Event) {
    if ('path' in event) for (const socket of this.#sockets) socket.note(event)
  }
}
