import { openLinkSocket } from '../api/link-socket.ts'

/** Milliseconds. The server sends something every 25 seconds. */
const longestSilence = 40_000
/** Milliseconds within which the server answers a new connection. */
const answerTime = 8000
/** Milliseconds within which the pages of a changed link read it: not all at once. */
const spread = 200
/** Milliseconds after which a link that cannot be followed is read again, and the next connection is tried. */
const readingPause = 15_000
/** How much longer than a reading the pause after it is at least. */
const pauseFactor = 20
/** Milliseconds for which a hidden page stays connected. */
const hiddenTime = 60_000

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
  readonly #ending = new AbortController()
  /** Closes the socket; undefined without one. */
  #close: (() => void) | undefined
  /** Of the silence, or of the next reading. */
  #timer: ReturnType<typeof setTimeout> | undefined
  #hiding: ReturnType<typeof setTimeout> | undefined
  /** Counts what has replaced a reading under way. */
  #round = 0

  constructor(parts: Required<FollowLinkParts>) {
    this.#parts = parts
    const { page, frame } = parts
    const { signal } = this.#ending
    page.addEventListener('visibilitychange', () => this.#look(), { signal })
    // A page with an open socket is not kept for the way back.
    frame.addEventListener('pagehide', () => this.#drop(), { signal })
    frame.addEventListener('pageshow', () => this.#look(), { signal })
    if (page.visibilityState === 'visible') this.#open()
  }

  end(): void {
    this.#ending.abort()
    clearTimeout(this.#hiding)
    this.#drop()
  }

  #look(): void {
    clearTimeout(this.#hiding)
    if (this.#parts.page.visibilityState !== 'visible') this.#hiding = setTimeout(() => this.#drop(), hiddenTime)
    else if (this.#close === undefined) void this.#readAnd(() => this.#open())
  }

  #open(): void {
    this.#drop()
    this.#close = this.#parts.connect(this.#parts.hash, {
      onAlive: () => this.#wait(longestSilence, () => this.#lose(false)),
      onClose: (isChange) => this.#lose(isChange),
    })
    this.#wait(answerTime, () => this.#lose(false))
  }

  #lose(isChange: boolean): void {
    this.#drop()
    const next = isChange ? () => this.#open() : (took: number) => this.#wait(pauseAfter(took), () => this.#open())
    this.#wait(this.#parts.random() * spread, () => void this.#readAnd(next))
  }

  /** @param next called with the milliseconds of the reading */
  async #readAnd(next: (took: number) => void): Promise<void> {
    this.#drop()
    const round = this.#round
    const begun = performance.now()
    await this.#parts.read()
    if (round === this.#round) next(performance.now() - begun)
  }

  #wait(milliseconds: number, work: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(work, milliseconds)
  }

  #drop(): void {
    this.#round++
    clearTimeout(this.#timer)
    this.#close?.()
    this.#close = undefined
  }
}

/** A folder that takes long is read less often. */
const pauseAfter = (took: number): number => Math.max(readingPause, took * pauseFactor)
