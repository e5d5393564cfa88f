/** Milliseconds. The server sends something every 25 seconds. */
const longestSilence = 40_000
/** Milliseconds within which the server answers a new connection, and a question. */
const answerTime = 8000
/** Milliseconds for which a hidden page stays connected. */
export const hiddenTime = 60_000

type Parts<S> = {
  /** @returns what clears it */
  timeout(work: () => void, delay: number): () => void
  /** @param alive to be called when the server has sent something @param lost to be called once, also when no connection was made */
  connect(alive: () => void, lost: (isChange: boolean) => void): S
  /** The connection was lost, or could not be made, or the server was silent. Decides when to try again: `wait`. */
  onLost(isChange: boolean): void
}

/** A connection that the server keeps alive, and the one timer of it: of the next sign of life, or of the next attempt. */
export class Reconnecting<S extends { close(): void }> {
  readonly #parts: Parts<S>
  #socket: S | undefined
  #clearTimer = () => {}

  constructor(parts: Parts<S>) {
    this.#parts = parts
  }

  /** Undefined while there is no connection, nor an attempt. */
  get socket(): S | undefined {
    return this.#socket
  }

  open(): void {
    this.close()
    const lost = (isChange: boolean) => this.#parts.onLost(isChange)
    this.#socket = this.#parts.connect(() => this.#expect(longestSilence), lost)
    this.expectAnswer()
  }

  /** Closes the connection, without another attempt. */
  close(): void {
    this.#clearTimer()
    this.#socket?.close()
    this.#socket = undefined
  }

  expectAnswer(): void {
    this.#expect(answerTime)
  }

  /** Until it is opened or closed. */
  wait(milliseconds: number, work: () => void): void {
    this.#clearTimer()
    this.#clearTimer = this.#parts.timeout(work, milliseconds)
  }

  #expect(within: number): void {
    this.wait(within, () => this.#parts.onLost(false))
  }
}
