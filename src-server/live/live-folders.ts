import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Event, Events } from '../events/events.ts'
import type { Identity } from '../people/sign-in.ts'
import { type LiveReader, LiveSocket } from './live-socket.ts'

/** How many sockets one session and one user may have open. */
const usualLimits = { ofSession: 8, ofUser: 32 }

/** Milliseconds between two looks at the folders that sockets follow. */
const lookPause = 500
/** With more sockets than this they are looked at less often. */
const socketsPerRound = 64

type LiveFoldersOptions = Readonly<{ clock: Clock; events: Events; limits?: typeof usualLimits }>

/** All sockets over which pages follow folders. */
export class LiveFolders {
  readonly #clock: Clock
  readonly #limits: typeof usualLimits
  readonly #open = new Map<Operation, Identity>()
  readonly #sockets = new Set<LiveSocket>()
  #isWaiting = false

  constructor({ clock, events, limits = usualLimits }: LiveFoldersOptions) {
    this.#clock = clock
    this.#limits = limits
    events.done((event) => this.#note(event))
  }

  /** Counts a socket until its operation ends. @throws Failure('tooMany') */
  enter(me: Identity, operation: Operation): void {
    const open = [...this.#open.values()]
    const ofUser = open.filter(({ user }) => user.id === me.user.id)
    const ofSession = ofUser.filter(({ session }) => session.id === me.session.id)
    if (ofUser.length >= this.#limits.ofUser || ofSession.length >= this.#limits.ofSession)
      throw new Failure('tooMany', 'too many pages follow folders')
    this.#open.set(operation, me)
    operation.own({ close: () => void this.#open.delete(operation) })
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
    this.#clock.after(lookPause * Math.ceil(this.#sockets.size / socketsPerRound), () => {
      this.#isWaiting = false
      for (const socket of this.#sockets) socket.look()
      this.#wait()
    })
  }

  /** Changes by this server are known before the disk reports them, and where it reports nothing. */
  #note(event: Event) {
    if ('path' in event) for (const socket of this.#sockets) socket.note(event)
  }
}
