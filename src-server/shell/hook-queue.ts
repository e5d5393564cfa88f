import { Failure } from '../base/failure.ts'
import { Slots } from '../base/slots.ts'

/** How many commands of events run and wait. */
const most = { running: 4, inBackground: 16, waiting: 100, waitingOfOne: 50 }

/** Seconds after which a refused change may come again. */
const retryAfter = 5

type Asked = Readonly<{ userId: number | undefined; isBackground: boolean; signal: AbortSignal }>

/** Limits the commands of events: those that a change waits for, and those in the background. */
export class HookQueue {
  readonly #foreground = new Slots(most.running)
  readonly #background = new Slots(most.inBackground)
  #waiting = 0
  /** By user: one person's changes must not take all places. */
  readonly #waitingOf = new Map<number | undefined, number>()

  /**
   * Takes a place for one command.
   * @returns what runs it as soon as its turn comes, and throws the signal's reason when it is aborted while waiting
   * @throws Failure('busy') when too many wait
   */
  admit({ userId, isBackground, signal }: Asked): <T>(work: () => Promise<T>) => Promise<T> {
    const slots = isBackground ? this.#background : this.#foreground
    const ofUser = this.#waitingOf.get(userId) ?? 0
    if (!slots.hasRoom && (this.#waiting >= most.waiting || ofUser >= most.waitingOfOne))
      throw new Failure('busy', 'too many commands of events are running', { retryAfter })
    const leave = this.#enter(userId)
    return async (work) => {
      try {
        return await slots.run(() => {
          leave()
          return work()
        }, signal)
      } finally {
        leave()
      }
    }
  }

  #enter(userId: number | undefined): () => void {
    const count = (by: number) => {
      this.#waiting += by
      const left = (this.#waitingOf.get(userId) ?? 0) + by
      if (left === 0) this.#waitingOf.delete(userId)
      else this.#waitingOf.set(userId, left)
    }
    let isIn = true
    count(1)
    return () => {
      if (isIn) count(-1)
      isIn = false
    }
  }
}
