type Waiting = { begin(): void }

/** Limits how much work runs at a time. The rest waits in the order of its arrival. */
export class Slots {
  #free: number
  readonly #waiting = new Set<Waiting>()

  /** @param count how much may run at a time, at least one */
  constructor(count: number) {
    this.#free = count
  }

  /** Whether work would begin at once. */
  get hasRoom(): boolean {
    return this.#free > 0
  }

  /** @param signal ends the waiting, but not what is running @throws the signal's reason when it is aborted while waiting */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    try {
      return await work()
    } finally {
      // The slot is passed to the next one without becoming free.
      const [next] = this.#waiting
      if (next) next.begin()
      else this.#free++
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting)
        signal?.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        leave()
        reject(signal?.reason)
      }
      const waiting = {
        begin() {
          leave()
          resolve()
        },
      }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', giveUp)
    })
  }
}
