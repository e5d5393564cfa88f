import { openLinkSocket } from '../api/link-socket.ts'
import { Lifetime } from '../core/lifetime.ts'
import { hiddenTime, Reconnecting } from '../core/reconnecting.ts'

/** Milliseconds within which the pages of a changed link read it: not all at once. */
const spread = 200
/** Milliseconds after which a link that cannot be followed is read again, and the next connection is tried. */
const readingPause = 15_000
/** How much longer than a reading the pause after it is at least. */
const pauseFactor = 20

type FollowLinkParts = Readonly<{
  hash: string
  /** Reads the link, and shows what it says. */
  read(): Promise<unknown>
  page?: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  frame?: Pick<Window, 'addEventListener' | 'removeEventListener'>
  connect?: typeof openLinkSocket
  random?: () => number
}>

/** Reads a public link again when it has changed, while its page is visible. @returns ends it */
export function followLink({ hash, read, ...given }: FollowLinkParts): () => void {
  const { page = document, frame = window, connect = openLinkSocket, random = Math.random } = given
  const follower = new LinkFollower({ hash, read, page, frame, connect, random })
  return () => follower.end()
}

class LinkFollower {
  readonly #parts: Required<FollowLinkParts>
  readonly #life = new Lifetime()
  readonly #connection: Reconnecting<{ close(): void }>
  #keepOpen = () => {}
  /** Counts what has replaced a reading under way. */
  #round = 0

  constructor(parts: Required<FollowLinkParts>) {
    this.#parts = parts
    const { hash, page, frame } = parts
    this.#connection = new Reconnecting({
      timeout: (work, delay) => this.#life.timeout(work, delay),
      connect: (onAlive, onClose) => ({ close: parts.connect(hash, { onAlive, onClose }) }),
      onLost: (isChange) => this.#lose(isChange),
    })
    const { signal } = this.#life
    page.addEventListener('visibilitychange', () => this.#look(), { signal })
    // A page with an open socket is not kept for the way back.
    frame.addEventListener('pagehide', () => this.#drop(), { signal })
    frame.addEventListener('pageshow', () => this.#look(), { signal })
    if (page.visibilityState === 'visible') this.#open()
  }

  end(): void {
    this.#life.dispose()
    this.#drop()
  }

  #look(): void {
    this.#keepOpen()
    if (this.#parts.page.visibilityState !== 'visible') this.#keepOpen = this.#life.timeout(() => this.#drop(), hiddenTime)
    else if (this.#connection.socket === undefined) void this.#readAnd(() => this.#open())
  }

  #open(): void {
    this.#drop()
    this.#connection.open()
  }

  #lose(isChange: boolean): void {
    this.#drop()
    const next = isChange ? () => this.#open() : (took: number) => this.#connection.wait(pauseAfter(took), () => this.#open())
    this.#connection.wait(this.#parts.random() * spread, () => void this.#readAnd(next))
  }

  /** @param next called with the milliseconds of the reading */
  async #readAnd(next: (took: number) => void): Promise<void> {
    this.#drop()
    const round = this.#round
    const begun = performance.now()
    await this.#parts.read()
    if (round === this.#round) next(performance.now() - begun)
  }

  #drop(): void {
    this.#round++
    this.#connection.close()
  }
}

/** A folder that takes long is read less often. */
const pauseAfter = (took: number): number => Math.max(readingPause, took * pauseFactor)
